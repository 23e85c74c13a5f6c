"""The tagger."""

import pytest

from assay.language.resources.installed import tagger


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("sentence", "tags"),
    [
        ("The old mayor closed two libraries .", "DT JJ NN VBD CD NNS ."),
        ("She was happier than her brothers", "PRP VBD JJR IN PRP$ NNS"),
        ("They do n't sing in 1999 or well-lit rooms", "PRP VBP RB VB IN CD CC JJ NNS"),
        ("", ""),
    ],
)
def test_examples(sentence: str, tags: str) -> None:
    assert " ".join(tagger().tag(sentence.split())) == tags
