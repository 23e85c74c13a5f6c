"""Paired differences against statsmodels, scipy, brute force and published tables."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from tests.evaluate.reference import paired as paired_cases

from assay.core.estimate import Interval
from assay.evaluate.intervals import Z95
from assay.evaluate.paired import PairedShares, difference_intervals, mcnemar, paired_shares, tango

COUNTS = st.integers(0, 400)


def score_interval(only_first: int, only_second: int, n: int) -> Interval:
    """One of Tango's intervals."""
    low, high = tango(only_first, only_second, n)
    return Interval(float(low), float(high))


@pytest.mark.parametrize(
    ("only_first", "only_second", "n", "low", "high", "p"),
    [
        # M. W. Fagerland, S. Lydersen, P. Laake (2017), Statistical Analysis of Contingency Tables, chapter 8:
        # complete response before and after consolidation therapy (Cavo et al. 2012), Tango's asymptotic score
        # interval and the exact conditional test.
        (6, 16, 161, -0.1240, -0.0054, 0.052479),
    ],
)
def test_published_example(only_first: int, only_second: int, n: int, low: float, high: float, p: float) -> None:
    found = score_interval(only_first, only_second, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert round(mcnemar(only_first, only_second), 6) == p


def test_published_p_values() -> None:
    """Airway responsiveness before and after a transplantation (Bentur et al. 2009), the same book's other table."""
    assert round(mcnemar(1, 7), 3) == 0.070


@given(COUNTS, COUNTS)
def test_mcnemar_is_that_of_statsmodels_and_scipy(first: int, second: int) -> None:
    found = mcnemar(first, second)
    assert found == pytest.approx(min(1.0, statsmodels_mcnemar([[0, first], [second, 0]], exact=True).pvalue), rel=1e-9)
    if first + second:
        assert found == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-9)


def test_mcnemar_stays_exact_for_a_million_cases() -> None:
    assert mcnemar(499_000, 501_000) == pytest.approx(binomtest(499_000, 1_000_000).pvalue, rel=1e-6)


Table = st.tuples(COUNTS, COUNTS, st.integers(1, 400)).map(lambda t: (t[0], t[1], t[0] + t[1] + t[2]))


@given(Table)
def test_the_interval_holds_the_difference_and_is_the_mirror_of_its_opposite(table: tuple[int, int, int]) -> None:
    first, second, n = table
    low, high = score_interval(first, second, n)
    assert -1 <= low <= (first - second) / n <= high <= 1
    assert low < high
    mirrored = score_interval(second, first, n)
    assert (-mirrored.high, -mirrored.low) == pytest.approx((low, high), abs=1e-9)


@given(Table)
def test_the_interval_leaves_out_nought_where_the_score_test_does(table: tuple[int, int, int]) -> None:
    """At a difference of nought, the score test is McNemar's without continuity correction."""
    first, second, n = table
    if first + second:
        z = abs(first - second) / (first + second) ** 0.5
        low, high = score_interval(first, second, n)
        if abs(z - Z95) > 1e-6:
            assert (low <= 0 <= high) == (z < Z95)


def test_intervals_cover_the_truth() -> None:
    rng = numpy.random.default_rng(7)
    n, shares = 80, [0.15, 0.05, 0.8]  # the first alone, the second alone, neither or both
    drawn, counts = numpy.unique(rng.multinomial(n, shares, size=4000), axis=0, return_counts=True)
    held = 0
    for (first, second, _), times in zip(drawn, counts, strict=True):
        low, high = score_interval(first, second, n)
        held += int(times) * (low <= 0.1 <= high)
    assert 0.93 < held / 4000 < 0.97


def paired(clusters: list[tuple[int, int, int]]) -> PairedShares:
    """The first alone, the second alone, and both, of each cluster."""
    kinds = [(True, False), (False, True), (True, True)]
    return paired_cases([[kind for kind, n in zip(kinds, each, strict=True) for _ in range(n)] for each in clusters])


def interval(found: PairedShares) -> Interval:
    [only] = difference_intervals([found])
    return only


@given(st.lists(st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1)]), min_size=1, max_size=80))
def test_one_case_a_cluster_is_tango_and_mcnemar(clusters: list[tuple[int, int, int]]) -> None:
    found = paired(clusters)
    first, second, n = found.only_first, found.only_second, len(clusters)
    assert interval(found) == score_interval(first, second, n)
    assert found.p == mcnemar(first, second)
    assert found.difference == (first - second) / n
    assert found.first - found.second == pytest.approx(found.difference)


CLUSTER = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)).filter(any)


@given(st.lists(CLUSTER, min_size=1, max_size=40))
def test_clusters_never_tell_more_than_as_many_cases_alone(clusters: list[tuple[int, int, int]]) -> None:
    found = paired(clusters)
    assert 0 < found.independent_cases <= found.n
    low, high = interval(found)
    assert low <= (found.difference or 0) <= high


@pytest.mark.parametrize("copies", [2, 5])
def test_copies_of_a_case_add_nothing(copies: int) -> None:
    once = [(1, 0, 0)] * 30 + [(0, 1, 0)] * 12 + [(0, 0, 1)] * 58
    alone, copied = paired(once), paired([(a * copies, b * copies, c * copies) for a, b, c in once])
    assert copied.n == copies * alone.n
    assert copied.p == pytest.approx(alone.p, abs=0.005)
    assert interval(copied) == pytest.approx(interval(alone), abs=0.02)


def test_the_variance_is_that_of_a_cluster_robust_regression() -> None:
    """The number of independent cases, against the cluster-robust standard error of statsmodels."""
    rng = numpy.random.default_rng(3)
    clusters = [tuple(map(int, rng.multinomial(5, rng.dirichlet([0.3, 0.3, 0.6])))) for _ in range(60)]
    found = paired([(a, b, c) for a, b, c in clusters])
    rows = [(i, d) for i, (a, b, c) in enumerate(clusters) for d in [1] * a + [-1] * b + [0] * c]
    groups, nets = numpy.array(rows).T
    options = {"groups": groups, "use_correction": False}
    fit = OLS(nets, numpy.ones(len(nets))).fit(cov_type="cluster", cov_kwds=options)
    clustered = float(fit.bse[0]) ** 2 * len(clusters) / (len(clusters) - 1)
    independent = float(nets.var()) / len(nets)
    assert found.independent_cases == pytest.approx(independent / clustered * found.n)
    assert found.independent_cases < found.n / 2


def test_clusters_of_unequal_size_are_left_out_one_at_a_time() -> None:
    """A large cluster pulls the mean towards itself, so its residual alone says too little."""
    rng = numpy.random.default_rng(4)
    sizes = [60, 30, *[4] * 20]
    clusters = [tuple(map(int, rng.multinomial(size, rng.dirichlet([0.3, 0.3, 0.6])))) for size in sizes]
    nets, trials = numpy.array([a - b for a, b, _ in clusters]), numpy.array(sizes)
    without = (nets.sum() - nets) / (trials.sum() - trials)
    clustered = float(((without - nets.sum() / trials.sum()) ** 2).sum()) * (len(sizes) - 1) / len(sizes)
    found = paired([(a, b, c) for a, b, c in clusters])
    assert found.difference is not None
    assert found.disagreement is not None
    assert found.independent_cases == pytest.approx((found.disagreement - found.difference**2) / clustered)


def test_two_large_clusters_that_agree_show_no_difference() -> None:
    alone = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 0]] * 25
    found = paired_shares([[100, 60, 30, 4], [100, 60, 29, 4], *alone])
    assert found.p is not None
    assert found.p > 0.05
    low, high = interval(found)
    assert low < 0 < high


def test_clusters_in_which_the_two_never_differ_have_an_interval() -> None:
    """Twenty premises of two cases, all answered alike: a difference of five points would often look the same."""
    low, high = interval(paired_shares([[2, 1, 0, 0]] * 20))
    assert low < -0.05
    assert high > 0.05


def test_many_intervals_at_once_are_those_of_each() -> None:
    tables = 40
    rng = numpy.random.default_rng(5)
    first, second = rng.integers(0, 300, (2, tables))
    n = first + second + rng.integers(0, 300, tables) + 1
    low, high = tango(first, second, n)
    alone = [score_interval(*each) for each in zip(first.tolist(), second.tolist(), n.tolist(), strict=True)]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == alone


def test_a_few_clusters_that_are_wholly_lost_may_be_missing_from_a_sample() -> None:
    """One model wins 3% of the cases in most clusters and loses the whole of every 33rd: both are equally good."""
    rng = numpy.random.default_rng(71)
    wrong = 0
    for _ in range(300):
        lost = numpy.where(rng.random(30) < 0.03, 8, 0)
        won = numpy.where(lost, 0, rng.binomial(8, 0.03 / 0.97, 30))
        both = rng.binomial(8 - lost - won, 0.7)
        p = paired_shares(numpy.stack([numpy.full(30, 8), both, won, lost], axis=1)).p
        assert p is not None
        wrong += p < 0.05
    assert wrong <= 15
    clear = paired_shares([[8, 4, 4, 0]] * 10 + [[8, 8, 0, 0]] * 20)  # a sixth of the cases, and none is lost
    assert clear.p is not None
    assert clear.p < 0.05
