"""How often an answer is given where a shortcut gives it: rates, intervals, tests, and shared errors."""

import numpy
import pytest
from scipy.stats import norm
from statsmodels.stats.inter_rater import cohens_kappa

from assay.evaluate.diagnose.diagnosis_evidence import SILENT
from assay.evaluate.diagnose.profile import kappa
from assay.evaluate.diagnose.shortcut_rules import (
    Trials,
    answer_surplus,
    as_words,
    compare_trials,
    features_of,
    score_p,
    suggest_answers,
)


def trials(fires: list[int], given: list[int], stratum: list[int] | None = None, copies: int = 1) -> Trials:
    """Wrong answers, each trial as often as said, in one cluster."""
    n = len(fires)
    columns = (numpy.arange(n), fires, given, [0] * n, [0] * n, stratum or [0] * n, numpy.arange(n))
    kinds = (int, bool, bool, bool, bool, int, int)
    return Trials._make(
        numpy.repeat(numpy.asarray(each), copies).astype(kind) for each, kind in zip(columns, kinds, strict=True)
    )


def test_rates_are_compared_within_strata() -> None:
    # In stratum 0 the answer is frequent, in stratum 1 rare, and the shortcut has nothing to do with either.
    fires = [1] * 90 + [0] * 10 + [1] * 10 + [0] * 90
    given = [1] * 81 + [0] * 9 + [1] * 9 + [0] + [1] + [0] * 9 + [1] * 9 + [0] * 81
    mixed = compare_trials(trials(fires, given), numpy.zeros(200, dtype=bool))
    apart = compare_trials(trials(fires, given, [0] * 100 + [1] * 100), numpy.zeros(200, dtype=bool))
    assert mixed
    assert apart
    assert mixed.difference == pytest.approx(0.64)
    assert mixed.p < 1e-9
    assert apart.difference == pytest.approx(0.0)
    assert apart.p == pytest.approx(0.5)


def test_strata_without_both_kinds_are_left_out() -> None:
    found = compare_trials(trials([1, 1, 0, 1, 1], [1, 0, 0, 1, 1], [0, 0, 0, 1, 1]), numpy.zeros(5, dtype=bool))
    assert found
    assert (found.n, found.others, found.followed) == (2, 1, 0.5)
    assert compare_trials(trials([1, 1], [1, 0], [0, 1]), numpy.zeros(2, dtype=bool)) is None


def test_repeated_cases_tell_no_more() -> None:
    rng = numpy.random.default_rng(0)
    fires, given = rng.integers(0, 2, (2, 120)).tolist()
    right = numpy.zeros(120, dtype=bool)
    once, thrice = compare_trials(trials(fires, given), right), compare_trials(trials(fires, given, copies=3), right)
    assert once
    assert thrice
    assert thrice.difference == pytest.approx(once.difference)
    assert thrice.p == pytest.approx(once.p)
    assert thrice.interval == pytest.approx(once.interval, abs=0.01)


def test_cases_that_are_only_harder_show_no_shift() -> None:
    # Where the shortcut applies, half of all answers are wrong, else a tenth; wrong labels are drawn evenly.
    rng, n = numpy.random.default_rng(4), 4000
    fires, holds = rng.random((2, n)) < 0.5
    wrong, this_one = rng.random(n) < numpy.where(fires, 0.5, 0.1), rng.random(n) < 0.5
    given, other = numpy.where(holds, ~wrong, wrong & this_one), ~holds & wrong & ~this_one
    rows = numpy.arange(n)
    harder = compare_trials(Trials(rows, fires, given, other, holds, holds.astype(int), rows), ~wrong)
    shifted = given | (fires & (rng.random(n) < 0.3))
    moved = compare_trials(Trials(rows, fires, shifted, other & ~shifted, holds, holds.astype(int), rows), ~wrong)
    assert harder
    assert moved
    assert harder.difference > 0.15
    assert harder.p > 0.3
    assert moved.p < 1e-6


def test_a_shortcut_that_always_applies_is_compared_with_an_even_chance() -> None:
    always, right = trials([1] * 40, [1] * 36 + [0] * 4), numpy.zeros(40, dtype=bool)
    assert compare_trials(always, right) is None
    found = compare_trials(always, right, with_even=True)
    assert found
    assert (found.followed, found.base, found.n) == (0.9, 0.5, 40)
    assert found.p < 1e-3


def test_intervals_hold_the_truth_about_as_often_as_they_should() -> None:
    rng = numpy.random.default_rng(1)
    held = []
    for _ in range(300):
        fires = numpy.repeat(rng.integers(0, 2, 60), 3).astype(bool)
        chance = numpy.where(fires, 0.6, 0.3)
        same = numpy.repeat(rng.random(60), 3)
        given = numpy.where(rng.random(180) < 0.5, same, rng.random(180)) < chance  # clusters agree by half
        cluster, no = numpy.repeat(numpy.arange(60), 3), numpy.zeros(180, bool)
        found = compare_trials(Trials(numpy.arange(180), fires, given, no, no, numpy.zeros(180, int), cluster), no)
        assert found
        held.append(found.interval.low < 0.3 < found.interval.high)
    assert 0.91 < numpy.mean(held) < 0.985


def test_the_score_test_is_a_z_test_of_independent_scores() -> None:
    scores = numpy.random.default_rng(2).normal(0.1, 1.0, 80)
    z = scores.sum() / numpy.sqrt((scores**2).sum())
    assert score_p(scores, numpy.arange(80)) == pytest.approx(2 * norm.sf(abs(z)))


def test_kappa_is_that_of_statsmodels() -> None:
    rng = numpy.random.default_rng(3)
    one = rng.random(400) < 0.4
    other = numpy.where(rng.random(400) < 0.6, one, rng.random(400) < 0.5)
    table = [[(one & other).sum(), (one & ~other).sum()], [(~one & other).sum(), (~one & ~other).sum()]]
    expected = cohens_kappa(table)
    found = kappa(one, other, numpy.arange(400))
    assert found
    value, low, high, _ = found
    assert value == pytest.approx(expected.kappa)
    assert low == pytest.approx(expected.kappa_low, abs=1e-3)
    assert high == pytest.approx(expected.kappa_upp, abs=1e-3)
    wide = kappa(one.repeat(4), other.repeat(4), numpy.arange(400).repeat(4))
    assert wide
    assert wide[1] == pytest.approx(low)


def learned_from(amounts: list[int], answers: list[int], premise: list[int], changed: list[int]) -> list[int]:
    """What amounts suggest, if all cases are of one stratum."""
    n = len(answers)
    features = features_of(as_words(numpy.array(amounts)), numpy.array(premise), numpy.array(changed))
    known = answer_surplus(numpy.array(answers), numpy.zeros(n, dtype=numpy.int64), numpy.ones(n, dtype=bool))
    return [int(each) for each in suggest_answers(features, known)]


def test_nothing_is_learned_from_the_same_premise_or_the_same_changed_words() -> None:
    amounts, answers = [3] * 10 + [9] * 10, [0] * 10 + [1] * 10
    apart = list(range(20))
    assert learned_from(amounts, answers, apart, [SILENT] * 20) == answers
    assert learned_from(amounts, answers, [0] * 20, [SILENT] * 20) == [SILENT] * 20
    assert learned_from(amounts, answers, apart, [2] * 20) == [SILENT] * 20
