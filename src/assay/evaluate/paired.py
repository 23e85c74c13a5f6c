"""Two answers to the same cases: the difference of two shares, its interval, its test, and many tests corrected."""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike

from assay.core.estimate import Estimate, Interval
from assay.evaluate.case_columns import Floats
from assay.evaluate.intervals import (
    NO_FLIPS,
    Z95,
    ClusteredShare,
    EstimatedEffect,
    SignFlips,
    flip_clusters,
    freedom_of,
    share_effect,
    student_95,
    student_p,
)


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test on the cases that only one side got right.

    >>> round(mcnemar(6, 16), 6), mcnemar(5, 5), mcnemar(0, 0)
    (0.052479, 1.0, 1.0)
    """
    n, few = only_first + only_second, min(only_first, only_second)
    if 2 * few >= n - 1:
        return 1.0
    log_term = lgamma(n + 1) - lgamma(few + 1) - lgamma(n - few + 1) - n * log(2)
    tail = part = 1.0
    for k in range(few, 0, -1):  # each term is a share of the one before it, so the sum ends soon
        part *= k / (n - k + 1)
        tail += part
        if part < tail * 1e-17:
            break
    return min(1.0, 2 * tail * exp(log_term))


def tango(only_first: ArrayLike, only_second: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Both ends of Tango's score interval for the difference of two shares of the same n cases; for many at once."""
    first, second, cases = (numpy.asarray(each, dtype=numpy.float64) for each in (only_first, only_second, n))
    value = (first - second) / cases

    low = falling_root(lambda d: tango_score(first, second, cases, d) - Z95, numpy.full_like(value, -1.0), value)
    high = falling_root(lambda d: tango_score(first, second, cases, d) + Z95, value, numpy.full_like(value, 1.0))
    return low[()], high[()]  # single numbers in, single numbers out


def tango_score(first: Floats, second: Floats, cases: Floats, difference: Floats) -> Floats:
    """Tango's score statistic: how many standard errors the counts are above what this true difference would give.

    >>> one = [numpy.array([count]) for count in (6.0, 16.0, 161.0)]
    >>> tango_score(*one, numpy.array([0.0])).round(3).tolist()
    [-2.132]
    """
    b = (2 * cases - first + second) * difference - first - second
    c = -second * difference * (1 - difference)
    # The maximum-likelihood share of cases that only the second gets right, if this were the difference.
    share = (numpy.sqrt(numpy.maximum(0.0, b * b - 8 * cases * c)) - b) / (4 * cases)
    variance = cases * (2 * share + difference * (1 - difference))
    gap = first - second - cases * difference
    known = variance > 0
    return numpy.where(known, gap / numpy.sqrt(numpy.where(known, variance, 1.0)), numpy.sign(gap) * 1e300)


def falling_root(function: Callable[[Floats], Floats], low: ArrayLike, high: ArrayLike) -> Floats:
    """The roots of decreasing functions, by bisection.

    >>> falling_root(lambda x: 0.25 - x, [0.0], [1.0]).tolist()
    [0.25]
    """
    low, high = numpy.asarray(low, dtype=numpy.float64), numpy.asarray(high, dtype=numpy.float64)
    for _ in range(60):
        middle = (low + high) / 2
        above = function(middle) > 0
        low, high = numpy.where(above, middle, low), numpy.where(above, high, middle)
    return numpy.asarray((low + high) / 2)


class PairedShares(NamedTuple):
    """Two answers to each of one or more cases, which come in clusters.

    With one case per cluster, the test is McNemar's exact test and the interval is Tango's. Otherwise the test divides
    the difference by its clustered standard error, with both accuracies set to their common value, as if they were
    equal; p comes from Student's t. The standard error is the jackknife's, because a large cluster pulls the difference
    towards its own. The p value is never below that of flipping the signs of the clusters' differences. The interval
    combines those of the two shares (Newcombe 1998, method 10; Zou and Donner 2008).
    """

    n: int
    both: int  # cases that both got right
    only_first: int
    only_second: int
    clusters: int  # number of clusters; the smaller number if there are two kinds
    effect: EstimatedEffect
    effects: tuple[EstimatedEffect, EstimatedEffect]
    typical: float = 1.0  # the mean size of the cluster of a random case
    flips: SignFlips = NO_FLIPS
    """The test that flips the sign of each cluster's difference, which holds where a few large clusters agree."""

    @property
    def first(self) -> float:
        """The share that the first gets right."""
        return (self.both + self.only_first) / self.n

    @property
    def second(self) -> float:
        return (self.both + self.only_second) / self.n

    @property
    def difference(self) -> float:
        """The first's share minus the second's."""
        return (self.only_first - self.only_second) / self.n

    @property
    def disagreement(self) -> float:
        """The fraction of cases that only one of the two gets right."""
        return (self.only_first + self.only_second) / self.n

    @property
    def p(self) -> float:
        """The two-sided p of the test of whether the two are equally good."""
        if self.clusters == self.n:
            return mcnemar(self.only_first, self.only_second)
        one, other = (effect.size for effect in self.effects)
        common = (self.first / one + self.second / other) / (1 / one + 1 / other)
        moved = [common * (1 - common) - share * (1 - share) for share in (self.first, self.second)]
        variance = self._variance + (moved[0] * one + moved[1] * other) / self.n
        if not self.difference or variance <= 0:
            return 1.0
        return max(self.flips.p, student_p(self.difference / sqrt(variance), self.effect.freedom))

    @property
    def interval(self) -> Interval:
        (only,) = difference_intervals([self])
        return only

    @property
    def is_scored(self) -> bool:
        """True if the interval is Tango's: no two cases share a cluster, or the two answers never differ."""
        return self.clusters == self.n or not self.disagreement

    @property
    def independent_cases(self) -> float:
        """Number of independent cases that carry as much information about the difference as these clusters."""
        return self.n / self.effect.size

    @property
    def _variance(self) -> float:
        return (self.disagreement - self.difference**2) * self.effect.size / self.n

    @property
    def combined_interval(self) -> Interval:
        """The interval from those of the two shares, and from how far they vary together."""
        shares = (self.first, self.second)
        ends = [
            ClusteredShare(round(share * self.n), self.n, self.clusters, effect).interval or Interval(0.0, 1.0)
            for share, effect in zip(shares, self.effects, strict=True)
        ]
        own = [
            share * (1 - share) * effect.size / self.n * student_95(effect.freedom) ** 2
            for share, effect in zip(shares, self.effects, strict=True)
        ]
        together = (own[0] + own[1] - self._variance * student_95(self.effect.freedom) ** 2) / 2
        same = max(-1.0, min(1.0, together / sqrt(own[0] * own[1]))) if own[0] * own[1] > 0 else 0.0

        def reach(down: float, up: float) -> float:
            return sqrt(max(0.0, down * down + up * up - 2 * same * down * up))

        least = self.flips.reach(self.difference, self.effect.freedom)
        low = self.difference - max(least, reach(self.first - ends[0].low, ends[1].high - self.second))
        high = self.difference + max(least, reach(ends[0].high - self.first, self.second - ends[1].low))
        return Interval(max(-1.0, low), min(1.0, high))


def paired_shares(counts: ArrayLike, crossed: ArrayLike | None = None) -> PairedShares:
    """From counts by cluster: cases, cases that both get right, only the first, and only the second; (clusters, 4).

    `crossed` counts the same cases by another kind of cluster.

    >>> paired_shares([[3, 1, 2, 0], [1, 1, 0, 0]]).difference
    0.5
    """
    found = [numpy.asarray(each, dtype=numpy.float64).reshape(-1, 4) for each in (counts, crossed) if each is not None]
    n, both, only_first, only_second = (int(total) for total in found[0].sum(axis=0))
    effects = [_effects(each) for each in found]
    crossing = [one.crossed_with(other) for one, other in zip(*effects, strict=True)] if len(effects) > 1 else []
    net, first, second = crossing or effects[0]
    clusters = min(len(each) for each in found)
    typical = max(float((each[:, 0] ** 2).sum()) / n for each in found)
    flips = flip_clusters([each[:, 2] - each[:, 3] for each in found], n) if clusters < n else NO_FLIPS
    return PairedShares(n, both, only_first, only_second, clusters, net, (first, second), typical, flips)


def _effects(counts: Floats) -> tuple[EstimatedEffect, EstimatedEffect, EstimatedEffect]:
    """The design effects on the difference and on the two shares."""
    trials, both, only_first, only_second = counts.T
    first, second = share_effect(both + only_first, trials), share_effect(both + only_second, trials)
    n, clusters = trials.sum(), len(trials)
    if clusters == n or clusters == 1:
        return first, first, second
    nets = only_first - only_second
    residuals = (nets - nets.sum() / n * trials) / (1 - trials / n)  # as far as leaving out the cluster moves the sum
    independent = float((only_first + only_second).sum() - nets.sum() ** 2 / n)
    squares = float((residuals * residuals).sum()) * (clusters - 1) / clusters
    size = max(1.0, squares / independent) if independent > 1e-9 else float((trials * trials).sum() / n)
    return EstimatedEffect(size, freedom_of(residuals, sizes=trials)), first, second


def difference_intervals(measured: Sequence[PairedShares]) -> list[Interval]:
    """The 95% interval of each difference, all at once."""
    scored = [each for each in measured if each.is_scored]
    counts = numpy.array([(each.only_first, each.only_second, each.independent_cases) for each in scored])
    exact = iter(zip(*(ends.tolist() for ends in tango(*counts.T)), strict=True) if scored else ())
    return [Interval(*next(exact)) if each.is_scored else each.combined_interval for each in measured]


FAMILY = {"model", "suite", "family"}


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p, corrected for the number of tests: if all below 0.05 count, one set of tests in twenty has a false alarm.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def correct_tests(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The tests of one model's answers to a suite, corrected together: `holm` for each `mcnemar`.

    Whole families are corrected for the number of families; separately, their labels are corrected for the number of
    labels in all families. Finer slices are not corrected: nothing is claimed about them.

    >>> def test(family: str, p: float) -> Estimate:
    ...     return Estimate(name="mcnemar", value=p, n=9, slice={"model": "m", "suite": "s", "family": family})
    >>> [(e.name, e.slice["family"], e.value) for e in correct_tests([test("negation", 0.04), test("spelling", 0.01)])]
    [('holm', 'negation', 0.04), ('holm', 'spelling', 0.02)]
    """
    tests = [e for e in estimates if e.name == "mcnemar"]
    found = []
    for names in (FAMILY, {*FAMILY, "label"}):
        own = [(e, e.value) for e in tests if set(e.slice) == names and e.value is not None]
        adjusted = holm([p for _, p in own])
        found += [Estimate(name="holm", value=p, n=e.n, slice=e.slice) for (e, _), p in zip(own, adjusted, strict=True)]
    return found


POWER = 0.8  # power: the usual 80%
LEVEL = 0.05  # the level of all tests together
Z_POWER = NormalDist().inv_cdf(POWER)


def smallest_difference(n: float, disagreement: float, *, tests: int = 1) -> float | None:
    """The smallest difference between two models that the same n cases detect four times out of five.

    It depends on how often only one of the two is right, and on how many tests are corrected together: the first step
    of Holm's method divides the level by their number. None if even the largest possible difference is not detected.

    >>> round(smallest_difference(750, 0.1), 3), round(smallest_difference(750, 0.4), 3)
    (0.032, 0.065)
    >>> round(smallest_difference(750, 0.4, tests=8), 3)
    0.082
    """
    z = NormalDist().inv_cdf(1 - LEVEL / (2 * tests))

    def lacking(difference: Floats) -> Floats:
        spread = numpy.maximum(0.0, disagreement - difference * difference)
        needed = z * numpy.sqrt(disagreement) + Z_POWER * numpy.sqrt(spread)
        return numpy.asarray(needed / numpy.sqrt(n) - difference)

    if disagreement <= 0 or lacking(numpy.asarray(disagreement)) > 0:
        return None
    return float(falling_root(lacking, 0.0, disagreement))


def cases_for_difference(difference: float, disagreement: float, *, tests: int = 1) -> int | None:
    """The number of independent cases that detect a difference four times out of five; None if there is none.

    >>> cases_for_difference(0.06, 0.12), cases_for_difference(0.06, 0.12, tests=8)
    (276, 440)
    """
    if not difference:
        return None
    z = NormalDist().inv_cdf(1 - LEVEL / (2 * tests))
    spread = z * sqrt(disagreement) + Z_POWER * sqrt(max(0.0, disagreement - difference**2))
    # One case more that only one side gets right, because an exact test on whole numbers is stricter than a normal one.
    return ceil((spread / difference) ** 2 + 1 / abs(difference))
