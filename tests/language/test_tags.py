"""The tagger, and what stands in its place."""

import sys
from types import SimpleNamespace

import pytest

from assay.core.errors import MissingExtraError, UserError
from assay.language.resources.installed import SpacyPipeline, tagger


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


class Pipeline:
    """As much of spaCy as a tagger needs."""

    vocab = None
    meta = {"version": "9.9"}  # noqa: RUF012 - as spaCy has it

    def __init__(self) -> None:
        self.pipeline = [("tagger", lambda words: [SimpleNamespace(tag_="NN") for _ in words])]

    def get_pipe_meta(self, _name: str) -> SimpleNamespace:
        return SimpleNamespace(assigns=["token.tag"])


def fake_spacy(monkeypatch: pytest.MonkeyPatch, load: object) -> None:
    tokens = SimpleNamespace(Doc=lambda _vocab, words: words)
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load, tokens=tokens))


def test_spacy_tags_our_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_spacy(monkeypatch, lambda _: Pipeline())
    found = SpacyPipeline("en_test")
    assert found.tag(["two", "words"]) == ["NN", "NN"]
    assert found.variant == "spaCy en_test 9.9"
    assert (found.has_tags, found.has_names) == (True, False)


def test_a_missing_spacy_or_model_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[spacy\]"):
        SpacyPipeline("en_test")

    def absent(_: str) -> None:
        raise OSError("not there")

    fake_spacy(monkeypatch, absent)
    with pytest.raises(UserError, match="python -m spacy download en_test"):
        SpacyPipeline("en_test")
