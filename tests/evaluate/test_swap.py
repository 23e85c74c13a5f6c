"""What swapping shows about each label."""

import pytest
from tests.figures import swapping

from assay.evaluate.verdict import judge_swaps, swap_outcome


@pytest.mark.parametrize(
    ("label", "before", "after", "spread", "outcome", "expected"),
    [
        ("entailment", 0.9, 0.3, 0.05, "drops", True),
        ("entailment", 0.9, 0.9, 0.02, "does not drop", False),
        ("entailment", 0.8, 0.9, 0.02, "does not drop", False),
        ("entailment", 0.9, 0.84, 0.05, "drops a little", True),
        ("entailment", 0.9, 0.88, 0.2, "undecided", True),
        ("entailment", 0.0, 0.0, 0.02, "never right", True),
        ("neutral", 0.9, 0.89, 0.02, "holds", True),
        ("neutral", 0.9, 0.5, 0.02, "falls", False),
        ("contradiction", 0.5, 0.9, 0.02, "rises", False),
        ("contradiction", 0.5, 0.45, 0.2, "undecided", True),
        ("contradiction", 0.0, 0.0, 0.02, "never right", True),
        ("non-entailment", 0.5, 0.5, 0.02, "holds", True),
    ],
)
def test_entailment_should_drop_and_the_others_hold(
    label: str, before: float, after: float, spread: float, outcome: str, expected: bool
) -> None:
    figures = swapping(label, before, after, spread=spread)
    assert swap_outcome(*figures[1:]) == outcome
    [found] = judge_swaps(figures)
    assert (found.slice["label"], found.outcome, found.is_expected) == (label, outcome, expected)


def test_nothing_is_said_without_source_pairs() -> None:
    assert judge_swaps(swapping("neutral", 0.9, 0.5)[:1]) == ()
