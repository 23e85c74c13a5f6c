"""Diagnoses of few or strange cases, made by hand."""

import numpy
import pytest

from assay.core.label_space import LabelNames
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence, HypothesisWordTable, SurfaceColumns
from assay.evaluate.diagnose.profile import diagnose_models
from assay.evaluate.diagnose.shortcut_rules import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    NON_ENTAILMENT,
    find_preferred_label,
    fixed_rules,
    ground_of,
)

PAIRS = 40


def swapped(answers: numpy.ndarray) -> Evidence:
    """Source pairs that have no label here, each followed by its swapped copy; they are entailed."""
    n = 2 * PAIRS
    no, zeros = numpy.zeros(n, dtype=bool), numpy.zeros(n, dtype=numpy.int64)
    is_copy = numpy.arange(n) % 2 == 1
    surface = SurfaceColumns(
        overlap=numpy.zeros(n),
        jaccard=numpy.zeros(n),
        in_one_piece=no,
        is_phrase=no,
        same_end=no,
        negated=no,
        added=no,
        premise_words=zeros + 9,
        hypothesis_words=zeros + 5,
        has_number=no,
        claims_number=no,
        rarity=numpy.zeros(n),
        has_typo=no,
        replaced=no,
        generalised=no,
        genre=[""] * n,
        first_word=zeros,
        last_word=zeros,
        changed=zeros + SILENT,
        premise_number=numpy.arange(n) // 2,
        premise=HypothesisWordTable(zeros, numpy.arange(n)),
        hypothesis=HypothesisWordTable(zeros, numpy.arange(n)),
    )
    return Evidence(
        models=["m"],
        suites=["s"],
        families=["original", "swap"],
        suite=zeros,
        family=is_copy.astype(numpy.int64),
        label=zeros,
        cluster=numpy.arange(n) // 2,
        source=numpy.where(is_copy, numpy.arange(n) - 1, -1),
        claims=no,
        drops=is_copy,
        stays=~no,
        original=~is_copy,
        answers=answers[None],
        judged=numpy.ones((1, n), dtype=bool),
        surface=surface,
    )


def test_cases_that_claim_no_label_can_show_that_sides_are_ignored() -> None:
    same = numpy.repeat(numpy.arange(PAIRS) % 2, 2)  # the swapped copy always gets the answer of its pair
    [profile] = diagnose_models(swapped(same), LabelNames()).profiles
    assert [each.name for each in profile.followed] == ["order"]
    assert profile.regression is None
    assert profile.headline == "keeps 100% of its entailment when the sides are swapped"


def test_nothing_is_said_of_a_model_whose_answers_change_sides() -> None:
    reads = numpy.tile([0, 1], PAIRS)
    [profile] = diagnose_models(swapped(reads), LabelNames()).profiles
    assert profile.followed == ()
    assert profile.headline == "follows no shortcut that shows in this run"
    [moved] = profile.moves
    assert (moved.n, moved.holds, moved.counts) == (PAIRS, False, ((0, PAIRS), (0, 0)))
    assert not any(shift.lost for shift in moved.shifts)


def test_fallbacks_show_nothing_about_a_model() -> None:
    evidence = swapped(numpy.repeat(numpy.arange(PAIRS) % 2, 2))
    evidence = evidence._replace(
        claims=numpy.ones(2 * PAIRS, dtype=bool), judged=numpy.zeros((1, 2 * PAIRS), dtype=bool)
    )
    [profile] = diagnose_models(evidence, LabelNames()).profiles
    assert profile.headline == "gave no usable answer to 80 of 80 cases"
    assert profile.followed == ()
    assert not any(shift.lost for moved in profile.moves for shift in moved.shifts)


def test_a_label_that_is_only_a_fallback_is_not_preferred() -> None:
    answers = numpy.where(numpy.arange(2 * PAIRS) % 10 < 4, 1, numpy.arange(2 * PAIRS) % 2)
    judged = (numpy.arange(2 * PAIRS) % 10 >= 4)[None]
    evidence = swapped(answers)._replace(
        label=numpy.arange(2 * PAIRS) // 2 % 2,
        claims=numpy.ones(2 * PAIRS, dtype=bool),
        drops=numpy.zeros(2 * PAIRS, dtype=bool),
    )
    [with_all], [without] = (
        [
            each
            for each in diagnose_models(given, LabelNames()).profiles[0].effects
            if each.name in ("prior", "constant")
        ]
        for given in (evidence, evidence._replace(judged=judged))
    )
    assert (with_all.n, without.n) == (PAIRS, PAIRS * 6 // 10)
    assert (
        "no usable answer" not in diagnose_models(evidence._replace(judged=judged), LabelNames()).profiles[0].headline
    )


@pytest.mark.parametrize(
    ("labels", "two_way", "preferred"),
    [
        ([NON_ENTAILMENT] + [ENTAILMENT, NEUTRAL, CONTRADICTION] * 13, 1, "contradiction"),
        ([NON_ENTAILMENT] * 9 + [ENTAILMENT] * 15 + [CONTRADICTION] * 16, 9, "contradiction"),
        ([NON_ENTAILMENT] * 20 + [ENTAILMENT] * 20, 40, "non-entailment"),
        ([NON_ENTAILMENT] * 40, 40, None),
    ],
)
def test_cases_with_two_labels_leave_the_others_of_their_family_their_three(
    labels: list[int], two_way: int, preferred: str | None
) -> None:
    """As changed quantities, some of which are contradicted, and some just no longer entailed."""
    gold = numpy.repeat(labels, 2)
    yes, answers = numpy.ones(len(gold), dtype=bool), numpy.full(len(gold), CONTRADICTION)
    evidence = swapped(answers)._replace(label=gold, claims=yes, drops=~yes, original=~yes, family=gold * 0)
    assert ground_of(evidence).binary.sum() == 2 * two_way
    found = find_preferred_label(evidence, 0)
    assert (found.answer if found else None) == preferred


def test_rules_say_from_which_share_of_words_they_apply() -> None:
    evidence = swapped(numpy.zeros(2 * PAIRS, dtype=numpy.int64))
    words = {rule.words for rule in fixed_rules(evidence._replace(claims=evidence.original))}
    assert {each for each in words if "%" in each} == {
        "at least 60% of the hypothesis's words are in the premise",
        "at least 30% of all words are in both texts",
        "less than 60% of the words are shared",
        "less than 30% of all words are in both texts",
    }
