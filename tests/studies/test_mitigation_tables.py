"""What is said of a mitigation, from the verdicts of its tests."""

import pytest

from assay.core.comparison import Band, Outcome
from assay.studies.mitigation.mitigation_effects import MitigationChange, MitigationResult, Role, describe_result
from assay.studies.plan.study_record import StudyFigure, StudyTest


def change(role: Role, suite: str, verdict: Outcome, *, seeds: int = 4) -> MitigationChange:
    moved = {"better": 0.1, "worse": -0.1}.get(verdict, 0.0)
    where = {"suite": suite, "family": suite}
    before, after = (
        StudyFigure(
            system="s",
            condition=condition,
            slice=where,
            n=9,
            band=Band(n=1, mean=mean, low=mean, high=mean, deviation=None),
        )
        for condition, mean in (("untreated", 0.5), ("r", 0.5 + moved))
    )
    test = StudyTest(
        system="s",
        condition="r",
        baseline="untreated",
        slice=where,
        n=9,
        seeds=seeds,
        difference=moved,
        low=None,
        high=None,
        p=0.01,
        adjusted=0.01,
        exchange=0.01,
        verdict=verdict,
    )
    return MitigationChange(role, before, after, test)


@pytest.mark.parametrize(
    ("treated", "withheld", "said"),
    [
        (
            "better",
            "better",
            "r: helps on what it treats, and on 1 of 1 tests that were withheld from it (other). Real",
        ),
        (
            "better",
            "not significant",
            "helps on what it treats, but not significantly on any test withheld from it. Real",
        ),
        (
            "better",
            "worse",
            "not significantly on any test withheld from it; worse on other (-10.0). Real pairs",
        ),
        ("not significant", "better", "r: has no significant effect on what it treats. Real pairs: +0.0 points."),
        ("worse", "not significant", "r: makes worse what it treats; worse on own (-10.0)."),
    ],
)
def test_a_mitigation_is_judged_by_what_was_withheld(treated: Outcome, withheld: Outcome, said: str) -> None:
    changes = (
        change("real", "real", "not significant"),
        change("treated", "own", treated),
        change("withheld", "other", withheld),
    )
    assert said in describe_result(MitigationResult("s", "r", changes))


def test_a_cost_on_real_pairs_is_named() -> None:
    words = describe_result(
        MitigationResult("s", "r", (change("real", "real", "worse"), change("treated", "own", "better")))
    )
    assert words.endswith("worse on real (-10.0). Real pairs: -10.0 points.")
    assert "treats nothing" in describe_result(MitigationResult("s", "r", (change("real", "real", "not significant"),)))


def test_one_of_several_tests_is_not_all_that_a_mitigation_treats() -> None:
    def said(*verdicts: Outcome) -> str:
        return describe_result(MitigationResult("s", "r", tuple(change("treated", f"own-{v}", v) for v in verdicts)))

    assert "helps on 1 of 2 tests of what it treats, but not significantly" in said("better", "not significant")
    assert "makes worse 1 of 2 tests of what it treats; worse on own-worse" in said("better", "worse")


def test_what_was_not_tested_shows_no_effect_either_way() -> None:
    untested = change("treated", "swap", "not significant")._replace(test=None)
    assert describe_result(MitigationResult("s", "r", (untested,))) == "r: treats nothing that this study tests."


def test_three_trainings_are_too_few_for_a_word_about_what_a_mitigation_does() -> None:
    few = change("treated", "own", "too few trainings", seeds=3)
    assert "was trained too few times for a verdict" in describe_result(MitigationResult("s", "r", (few,)))
