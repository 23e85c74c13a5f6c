"""Two models compared by how well their scores rank the same cases."""

import numpy
import pytest
from scipy.stats import norm

from assay.core.estimate import Estimate
from assay.evaluate.support.ranking_comparison import compare_areas, judge_rankings
from assay.evaluate.support.threshold_metrics import counts_of, roc_auc
from assay.evaluate.trainings import TrainingDifference, TrainingsTest

STORED = [[Estimate(name="roc-auc", value=0.8, low=0.7, high=0.9, n=90)]]


def scores(seed: int, n: int, *apart: float) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Scores of several models with noise of their own, and which cases are supported."""
    rng = numpy.random.default_rng(seed)
    supported = numpy.arange(n) % 2 == 0
    return numpy.stack([each * supported + rng.normal(size=n) for each in apart]), supported


def test_the_difference_is_that_of_the_areas() -> None:
    found, supported = scores(1, 80, 1.5, 0.5)
    one, other = (float(roc_auc(counts_of(each, supported))) for each in found)
    assert compare_areas(found, supported, numpy.arange(80)).value == pytest.approx(one - other)


def test_many_cases_show_what_few_do_not() -> None:
    small = [compare_areas(*scores(seed, 30, 1.2, 0.8), numpy.arange(30)).p or 0.0 for seed in range(40)]
    assert sum(p < 0.05 for p in small) < 20
    large = compare_areas(*scores(2, 3000, 1.2, 0.8), numpy.arange(3000))
    assert large.p is not None
    assert large.p < 0.05
    truth = norm.cdf(1.2 / 2**0.5) - norm.cdf(0.8 / 2**0.5)
    assert large.low is not None
    assert large.high is not None
    assert large.low < truth < large.high


def test_copies_of_a_case_are_one_piece_of_evidence() -> None:
    found, supported = scores(3, 60, 1.6, 0.6)
    alone = compare_areas(found, supported, numpy.arange(60)).p
    repeated = numpy.repeat(numpy.arange(60), 20)
    copied = compare_areas(found[:, repeated], supported[repeated], repeated).p
    assert alone is not None
    assert copied == pytest.approx(alone, rel=0.3)


def test_too_few_supported_cases_tell_nothing() -> None:
    found, _ = scores(4, 40, 3.0, 0.0)
    assert compare_areas(found, numpy.arange(40) < 4, numpy.arange(40)).p is None


def test_equally_good_models_seldom_differ() -> None:
    wrong = sum((compare_areas(*scores(seed, 60, 1.0, 1.0), numpy.arange(60)).p or 0.0) < 0.05 for seed in range(200))
    assert wrong <= 18  # 5% would be 10, and 19 or more 0.6% likely


@pytest.mark.parametrize(
    ("p", "value", "verdict"), [(0.01, 0.1, "higher"), (0.01, -0.1, "lower"), (0.06, 0.1, "not significant")]
)
def test_a_verdict_needs_a_small_p(p: float, value: float, verdict: str) -> None:
    difference = TrainingDifference(value, value - 0.05, value + 0.05, p)
    test = TrainingsTest({"suite": "s", "family": "f"}, 90, (0.8 + value,), (0.8,), difference, 0.0)
    [row] = judge_rankings([test], STORED, STORED)
    assert row.verdict == verdict
    assert row.adjusted == p


def test_families_are_corrected_together() -> None:
    difference = TrainingDifference(0.1, 0.01, 0.19, 0.03)
    tests = [TrainingsTest({"suite": "s", "family": name}, 90, (0.9,), (0.8,), difference, 0.0) for name in "ab"]
    assert {row.verdict for row in judge_rankings(tests, STORED * 2, STORED * 2)} == {"not significant"}


def test_giant_clusters_that_agree_by_chance_rarely_give_a_verdict() -> None:
    """Each of three clusters of 60 is ranked better by one of two equally good models."""
    rng = numpy.random.default_rng(71)
    cluster = numpy.repeat(numpy.arange(103), [1] * 100 + [60] * 3)
    wrong = 0
    for _ in range(300):
        supported = rng.random(len(cluster)) < 0.5
        direction = rng.normal(size=(2, 103))[:, cluster] * numpy.where(supported, 1, -1)
        found = compare_areas(1.2 * supported + rng.normal(size=(2, len(cluster))) + direction, supported, cluster)
        assert found.p is not None
        wrong += found.p < 0.05
    assert wrong <= 21  # 7% of 300
