"""What a study says next to a paper: the direction of changes, and the order of systems."""

import random

import pytest

from assay.core.comparison import Outcome
from assay.evaluate.seeds import band
from assay.studies.plan.study_metrics import Matched, compare_order, match_effects
from assay.studies.plan.study_record import StudyFigure, StudyTest

WHERE = {"suite": "test", "family": "negation"}


def figure(system: str, condition: str, value: float, theirs: float, **where: str) -> Matched:
    ours = StudyFigure(system=system, condition=condition, slice={**WHERE, **where}, band=band([value]), n=100)
    return Matched(ours, theirs, "Table 1")


@pytest.mark.parametrize(
    ("difference", "verdict", "outcome"),
    [
        (0.1, "better", "same direction"),
        (-0.1, "worse", "opposite direction"),
        (0.1, "not significant", "not significant"),
        (0.1, "one training", "one training"),
    ],
)
def test_only_a_verdict_has_a_direction(difference: float, verdict: Outcome, outcome: str) -> None:
    test = StudyTest(
        system="esim",
        condition="new",
        baseline="old",
        slice=WHERE,
        n=100,
        seeds=4,
        difference=difference,
        low=None,
        high=None,
        p=0.01,
        exchange=0.03,
        verdict=verdict,
    )
    published = [figure("esim", "old", 0.5, 0.6), figure("esim", "new", 0.5 + difference, 0.7)]
    assert [each.outcome for each in match_effects(published, [test])] == [outcome]


def test_an_order_is_shown_next_to_that_of_exchanged_systems() -> None:
    """Systems that are ranked alike on all tests are one observation, not one per test."""
    systems, values = "abcdef", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    published = random.Random(1).sample(values, 6)
    rows = [
        figure(system, "plain", ours, theirs, variant=str(place))
        for place in range(12)
        for system, ours, theirs in zip(systems, values, published, strict=True)
    ]
    found = compare_order(rows)
    assert found is not None
    assert (found.pairs, found.by_chance) == (180, 90)
    assert found.same % 12 == 0
    again = compare_order([each for each in rows if each.ours.slice["variant"] == "0"])
    assert again is not None
    assert again.share == found.share
    alike = [figure(system, "plain", value, value) for system, value in zip(systems, values, strict=True)]
    assert compare_order(alike[:4]) is None
    same = compare_order(alike[:5])
    assert same is not None
    assert same.share == pytest.approx(2 / 120)
