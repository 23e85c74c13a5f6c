"""Where a clause is added."""

import pytest
from tests.conftest import pair

from assay.core.chance import rng_for
from assay.core.edit import Skip
from assay.core.label import Label
from assay.stress.negation import Negation
from assay.stress.tautology import Tautology
from assay.stress.word_overlap import WordOverlap


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It rains.", "It rains{}."),
        ("It rains", "It rains{}"),
        ("It rains . ", "It rains{} . "),
        ("It rains?!", "It rains{}?!"),
        ("It rains\u2026", "It rains{}\u2026"),
        ('She said "it rains."', 'She said "it rains{}."'),
        ("She lives in the U.S.", "She lives in the U.S.{}"),
        ("He sells nuts, bolts, etc.", "He sells nuts, bolts, etc.{}"),
        ("Il pleut à 5 °C.", "Il pleut à 5 °C{}."),
        ("a", "a{}"),
    ],
)
@pytest.mark.parametrize("kind", [Negation, WordOverlap])
@pytest.mark.parametrize("label", Label)
def test_the_clause_stands_before_the_final_punctuation(
    kind: type[Tautology], before: str, after: str, label: Label
) -> None:
    source = pair(hypothesis=before, label=label)
    transform = kind()  # type: ignore[call-arg]  # mypy does not see the default of the family
    made = transform(source, rng_for(0, transform="t/v1", pair="1"))
    assert isinstance(made, list)
    assert [edit.apply(source) for edit in made] == [(source.premise, after.format(f" {transform.tautology}"))]
    assert made[0].label is None


@pytest.mark.parametrize("hypothesis", ["", " ", "...", "12 + 3", "_", "😀"])
def test_no_clause_is_added_to_what_is_none(hypothesis: str) -> None:
    made = Negation()(pair(hypothesis=hypothesis), rng_for(0, transform="t/v1", pair="1"))
    assert made == Skip("no word in the hypothesis")
