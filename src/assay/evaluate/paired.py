"""Two answers to the same cases: the difference of two shares, its interval, and McNemar's exact test."""

from collections.abc import Callable, Mapping, Sequence
from math import exp, lgamma, log, sqrt
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.evaluate.interval import Z95, Interval

Floats = NDArray[numpy.float64]

FAR = 20
"""How many standard deviations of a binomial are computed: less than 1e-80 is beyond."""


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test: how likely a fair coin splits the cases that one side alone got right at least as unevenly.

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


def sign_flips(nets: Mapping[int, int], total: int) -> float:
    """The two-sided p of a sum whose parts could just as well have had the opposite sign.

    `nets` counts the parts by size. This is McNemar's exact test with clusters: a coin decides for each cluster which
    of the two models is the first. If every part is 1, it is McNemar's test.

    >>> sign_flips({1: 22}, 10) == mcnemar(6, 16)
    True
    >>> round(sign_flips({2: 3, 1: 1}, 7), 9)
    0.125
    """
    sizes = {size: count for size, count in nets.items() if size and count}
    if not sizes or not total:
        return 1.0
    if len(sizes) == 1:
        ((size, count),) = sizes.items()
        return mcnemar((count + total // size) // 2, (count - total // size) // 2)
    chances: Floats = numpy.ones(1)
    centre = 0  # the index of a sum of 0 in `chances`
    for size, count in sorted(sizes.items()):
        fair = _fair_coin(count)
        spread = numpy.zeros((len(fair) - 1) * 2 * size + 1)
        spread[:: 2 * size] = fair
        chances = numpy.convolve(chances, spread)
        centre += (len(fair) - 1) * size
    at_least = chances[centre + abs(total) :]
    return min(1.0, 2 * float(at_least.sum()))


def _fair_coin(tosses: int) -> Floats:
    """The probability of each number of heads, as far from the middle as it matters."""
    reach = int(FAR * sqrt(tosses) / 2) + 1
    first = max(0, tosses // 2 - reach)
    heads = range(first, tosses - first + 1)
    whole = lgamma(tosses + 1) - tosses * log(2)
    return numpy.exp([whole - lgamma(k + 1) - lgamma(tosses - k + 1) for k in heads])


class Intervals(NamedTuple):
    """Many 95 % intervals."""

    low: Floats
    """Lower ends."""
    high: Floats
    """Upper ends."""


def tango(only_first: ArrayLike, only_second: ArrayLike, n: ArrayLike) -> Intervals:
    """Tango's score interval for the difference of two shares of the same n cases; any number of them at once.

    >>> low, high = tango([6], [16], [161])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([-0.124], [-0.0054])
    """
    first, second, cases = (numpy.asarray(each, dtype=numpy.float64) for each in (only_first, only_second, n))
    value = (first - second) / cases

    def statistic(difference: Floats) -> Floats:
        b = (2 * cases - first + second) * difference - first - second
        c = -second * difference * (1 - difference)
        # The maximum-likelihood share of cases that only the second gets right, if this were the difference.
        share = (numpy.sqrt(numpy.maximum(0.0, b * b - 8 * cases * c)) - b) / (4 * cases)
        variance = cases * (2 * share + difference * (1 - difference))
        gap = first - second - cases * difference
        known = variance > 0
        return numpy.where(known, gap / numpy.sqrt(numpy.where(known, variance, 1.0)), numpy.sign(gap) * 1e300)

    low = falling_root(lambda d: statistic(d) - Z95, numpy.full_like(value, -1.0), value)
    high = falling_root(lambda d: statistic(d) + Z95, value, numpy.full_like(value, 1.0))
    return Intervals(low[()], high[()])  # single numbers in, single numbers out


def falling_root(function: Callable[[Floats], Floats], low: ArrayLike, high: ArrayLike) -> Floats:
    """Where decreasing functions cross zero, by bisection.

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
    """Two answers to each of the same cases, which come in clusters, computed from sums over the clusters.

    The interval of the difference is Tango's, with the number of independent cases that would have the same variance
    (see `ClusteredShare`); the test tosses a coin for each cluster, not each case. With one case per cluster they are
    Tango's interval and McNemar's exact test.

    >>> sums = {"n": 4, "both": 1, "only_first": 2, "only_second": 0, "clusters": 4}
    >>> models = PairedShares(**sums, nets={0: 2, 1: 2}, nets_trials=2, trials_squared=4)
    >>> models.difference, models.p
    (0.5, 0.5)
    """

    n: int
    """All cases."""
    both: int
    """Cases that both got right."""
    only_first: int
    """Cases that only the first got right."""
    only_second: int
    """Cases that only the second got right."""
    clusters: int
    """How many clusters they come in."""
    nets: Mapping[int, int]
    """Clusters by the absolute difference between the two."""
    nets_trials: int
    """The sum over clusters of the net, the first's minus the second's, times the cases."""
    trials_squared: int
    """The sum of the squares of each cluster's cases."""

    @property
    def first(self) -> float | None:
        """The share that the first gets right; None if there are no cases."""
        return (self.both + self.only_first) / self.n if self.n else None

    @property
    def second(self) -> float | None:
        """The share that the second gets right."""
        return (self.both + self.only_second) / self.n if self.n else None

    @property
    def difference(self) -> float | None:
        """The first's share minus the second's."""
        return self._net / self.n if self.n else None

    @property
    def disagreement(self) -> float | None:
        """The share of cases that only one of the two gets right."""
        return (self.only_first + self.only_second) / self.n if self.n else None

    @property
    def p(self) -> float | None:
        """The two-sided p of the exact test of whether the two are equally good."""
        return sign_flips(self.nets, self._net) if self.n else None

    @property
    def independent_cases(self) -> float:
        """How many independent cases would carry as much information as these clusters."""
        if self.clusters == self.n:
            return self.n
        # Both variances times n**4 in whole numbers: rounding could end below zero.
        independent = self.n * (self.n * (self.only_first + self.only_second) - self._net**2)
        if not independent or self.clusters < 2:
            return self.clusters
        squares = sum(net * net * count for net, count in self.nets.items())
        residual = self.n**2 * squares - 2 * self.n * self._net * self.nets_trials + self._net**2 * self.trials_squared
        clustered = residual * self.clusters / (self.clusters - 1)
        return self.n * min(1.0, independent / clustered) if clustered else self.n

    @property
    def _net(self) -> int:
        return self.only_first - self.only_second


def difference_intervals(measured: Sequence[PairedShares]) -> list[Interval | None]:
    """The 95 % interval of each difference, all at once; None if there are no cases.

    >>> difference_intervals([])
    []
    """
    scales = [each.independent_cases / each.n if each.n else 1.0 for each in measured]
    counts = numpy.array([(each.only_first, each.only_second, each.n or 1) for each in measured]).reshape(-1, 3)
    found = tango(*(counts.T * scales))  # each (shares,)
    ends = zip(found.low.tolist(), found.high.tolist(), strict=True)
    return [Interval(low, high) if each.n else None for each, (low, high) in zip(measured, ends, strict=True)]
