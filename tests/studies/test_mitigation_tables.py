"""What is said of a remedy, from the verdicts of its tests."""

import pytest

from assay.core.comparison import Band, Outcome
from assay.studies.mitigation.mitigation_effects import MitigationChange, MitigationCourse, Role, course_words
from assay.studies.plan.study_record import StudyFigure, StudyTest


def change(role: Role, suite: str, verdict: Outcome, *, seeds: int = 4) -> MitigationChange:
    moved = {"better": 0.1, "worse": -0.1}.get(verdict, 0.0)
    where = {"suite": suite, "family": suite}
    before, after = (
        StudyFigure(
            system="s", regime=regime, slice=where, n=9, band=Band(n=1, mean=mean, low=mean, high=mean, deviation=None)
        )
        for regime, mean in (("untreated", 0.5), ("r", 0.5 + moved))
    )
    test = StudyTest(
        system="s",
        regime="r",
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
            "helps on what it treats, but not significantly on any test that was withheld from it. Real",
        ),
        (
            "better",
            "worse",
            "not significantly on any test that was withheld from it; worse on other (-10.0). Real pairs",
        ),
        ("not significant", "better", "r: has no significant effect on what it treats. Real pairs: +0.0 points."),
        ("worse", "not significant", "r: makes worse what it treats; worse on own (-10.0)."),
    ],
)
def test_a_remedy_is_judged_by_what_was_withheld(treated: Outcome, withheld: Outcome, said: str) -> None:
    changes = (
        change("real", "real", "not significant"),
        change("treated", "own", treated),
        change("withheld", "other", withheld),
    )
    assert said in course_words(MitigationCourse("s", "r", changes))


def test_a_cost_on_real_pairs_is_named() -> None:
    words = course_words(
        MitigationCourse("s", "r", (change("real", "real", "worse"), change("treated", "own", "better")))
    )
    assert words.endswith("worse on real (-10.0). Real pairs: -10.0 points.")
    assert "treats nothing" in course_words(MitigationCourse("s", "r", (change("real", "real", "not significant"),)))


def test_one_of_several_tests_is_not_all_that_a_remedy_treats() -> None:
    def said(*verdicts: Outcome) -> str:
        return course_words(MitigationCourse("s", "r", tuple(change("treated", f"own-{v}", v) for v in verdicts)))

    assert "helps on 1 of 2 tests of what it treats, but not significantly" in said("better", "not significant")
    assert "makes worse 1 of 2 tests of what it treats; worse on own-worse" in said("better", "worse")


def test_what_was_not_tested_shows_no_effect_either_way() -> None:
    untested = change("treated", "swap", "not significant")._replace(test=None)
    assert course_words(MitigationCourse("s", "r", (untested,))) == "r: treats nothing that this study tests."


def test_three_trainings_are_too_few_for_a_word_about_what_a_remedy_does() -> None:
    few = change("treated", "own", "too few trainings", seeds=3)
    assert "was trained too few times for a verdict" in course_words(MitigationCourse("s", "r", (few,)))
