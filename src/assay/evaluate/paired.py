"""Two answers to the same cases: the difference of two shares, its interval, and McNemar's exact test."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import exp, lgamma, log, sqrt

import numpy
from numpy.typing import NDArray

from assay.evaluate.interval import Z95, Interval

FAR = 20
"""Standard deviations beyond which a binomial is taken for nothing: less than 1e-80 is left there."""


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test: how likely a fair coin splits the cases that one side alone got right at least so unevenly.

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
    """The two-sided p of a sum whose parts could as well have had the other sign.

    `nets` counts the parts by their size. This is McNemar's exact test with clusters: which of two models is the first
    is tossed anew for each cluster. Where every part is 1, it is McNemar's own.

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
    chances: NDArray[numpy.float64] = numpy.ones(1)
    centre = 0  # where a sum of 0 stands in `chances`
    for size, count in sizes.items():
        fair = _fair_coin(count)
        spread = numpy.zeros((len(fair) - 1) * 2 * size + 1)
        spread[:: 2 * size] = fair
        chances = numpy.convolve(chances, spread)
        centre += (len(fair) - 1) * size
    at_least = chances[centre + abs(total) :]
    return min(1.0, 2 * float(at_least.sum()))


def _fair_coin(tosses: int) -> NDArray[numpy.float64]:
    """The chances of each number of heads, as far from the middle as there are any to speak of."""
    reach = int(FAR * sqrt(tosses) / 2) + 1
    first = max(0, tosses // 2 - reach)
    heads = range(first, tosses - first + 1)
    whole = lgamma(tosses + 1) - tosses * log(2)
    return numpy.exp([whole - lgamma(k + 1) - lgamma(tosses - k + 1) for k in heads])


def tango(only_first: float, only_second: float, n: float) -> Interval:
    """Tango's score interval for the difference of two shares of the same n cases.

    >>> low, high = tango(6, 16, 161)
    >>> round(low, 4), round(high, 4)
    (-0.124, -0.0054)
    """
    value = (only_first - only_second) / n

    def statistic(difference: float) -> float:
        b = (2 * n - only_first + only_second) * difference - only_first - only_second
        c = -only_second * difference * (1 - difference)
        # The share of cases that the second alone gets right, as likely as can be if this were the difference.
        share = (sqrt(max(0.0, b * b - 8 * n * c)) - b) / (4 * n)
        variance = n * (2 * share + difference * (1 - difference))
        gap = only_first - only_second - n * difference
        return gap / sqrt(variance) if variance > 0 else (gap > 0) * 1e300 - (gap < 0) * 1e300

    low = falling_root(lambda d: statistic(d) - Z95, -1.0, value)
    high = falling_root(lambda d: statistic(d) + Z95, value, 1.0)
    return Interval(low, high)


def falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls crosses zero, by halving.

    >>> falling_root(lambda x: 0.25 - x, 0.0, 1.0)
    0.25
    """
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


class PairedShares:
    """Two answers to each of the same cases, which come in clusters, added up in constant memory.

    The interval of the difference is Tango's, with the number of cases that independent ones of the same variance would
    be (see `ClusteredShare`); the test tosses clusters, not cases. With one case a cluster they are Tango's interval
    and McNemar's exact test.

    >>> models = PairedShares()
    >>> for first, second in [(True, True), (True, False), (True, False), (False, False)]:
    ...     models.add(both=first and second, only_first=first and not second, trials=1)
    >>> models.difference, models.n, models.p
    (0.5, 4, 0.5)
    """

    def __init__(self) -> None:
        self.n = 0
        self.both = 0
        self.only_first = 0
        self.only_second = 0
        self.clusters = 0
        self._nets: Counter[int] = Counter()
        self._nets_trials = 0
        self._trials_squared = 0

    def add(self, *, both: int = 0, only_first: int = 0, only_second: int = 0, trials: int) -> None:
        """Add the cases of one cluster: how many both got right, the first alone, the second alone, of so many."""
        self.n += trials
        self.both += both
        self.only_first += only_first
        self.only_second += only_second
        self.clusters += 1
        net = only_first - only_second
        self._nets[abs(net)] += 1
        self._nets_trials += net * trials
        self._trials_squared += trials * trials

    @property
    def first(self) -> float | None:
        """The share that the first gets right; None where there was no case."""
        return (self.both + self.only_first) / self.n if self.n else None

    @property
    def second(self) -> float | None:
        """The share that the second gets right."""
        return (self.both + self.only_second) / self.n if self.n else None

    @property
    def difference(self) -> float | None:
        """The first's share less the second's."""
        return self._net / self.n if self.n else None

    @property
    def disagreement(self) -> float | None:
        """The share of cases that one of the two alone gets right."""
        return (self.only_first + self.only_second) / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the difference."""
        if not self.n:
            return None
        scale = self.independent_cases / self.n
        return tango(self.only_first * scale, self.only_second * scale, self.n * scale)

    @property
    def p(self) -> float | None:
        """The two-sided p of the exact test that the two are equally good."""
        return sign_flips(self._nets, self._net) if self.n else None

    @property
    def independent_cases(self) -> float:
        """How many independent cases would tell as much as these clusters."""
        if self.clusters == self.n:
            return self.n
        # Both variances times n**4 in whole numbers: rounding could end below zero.
        independent = self.n * (self.n * (self.only_first + self.only_second) - self._net**2)
        if not independent or self.clusters < 2:
            return self.clusters
        squares = sum(net * net * count for net, count in self._nets.items())
        residual = (
            self.n**2 * squares - 2 * self.n * self._net * self._nets_trials + self._net**2 * self._trials_squared
        )
        clustered = residual * self.clusters / (self.clusters - 1)
        return self.n * min(1.0, independent / clustered) if clustered else self.n

    @property
    def _net(self) -> int:
        return self.only_first - self.only_second
