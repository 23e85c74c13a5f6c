"""Lexical inference: what is replaced by what, and with which label."""

import pytest
from tests.conftest import pair

from assay.core.case import Recipe
from assay.core.edit import Skip
from assay.core.errors import BadInputError
from assay.language.categories import categories
from assay.run.making import Step


def made(premise: str, **options: str | int) -> dict[str, str]:
    """The hypotheses that are made of a premise and proven, with their labels."""
    step = Step(Recipe(transform="lexical/v1", options={"per_pair": 0, **options}, seed=0))
    cases = step.cases(pair(premise=premise))
    return {case.hypothesis: case.label.value for case in cases if not isinstance(case, Skip)}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A girl in a red coat runs.", "A girl in a blue coat runs.", "contradiction"),
        ("A girl in a red coat runs.", "A girl in an orange coat runs.", "contradiction"),
        ("An orange cat sleeps.", "A black cat sleeps.", "contradiction"),
        ("A man is drinking beer.", "A man is drinking wine.", "contradiction"),
        ("A man is drinking champagne.", "A man is drinking wine.", "entailment"),
        ("A man is drinking wine.", "A man is drinking champagne.", "neutral"),
    ],
)
def test_one_word_gives_way_and_the_label_follows(premise: str, hypothesis: str, label: str) -> None:
    assert made(premise).get(hypothesis) == label


def test_an_error_in_a_users_file_names_the_file_and_the_entry() -> None:
    text = '[tools]\nwhy = "Different work."\n[[tools.sets]]\npart = "noun"\nentries = ["hammer / saw / axe"]'
    with pytest.raises(BadInputError, match=r"mine.toml: tools, set 1: 'hammer / saw / axe'"):
        categories(text, name="mine.toml")
