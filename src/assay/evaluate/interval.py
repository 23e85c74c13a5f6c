"""Intervals for shares, whose trials may come in clusters."""

from math import inf, sqrt
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.results.estimate import Interval as Interval
from assay.evaluate.student import Z95, student_95

LEAST_FREEDOM = 8.0
"""The fewest degrees of freedom of a share's variance, unless there are fewer clusters: the evidence that is added to a
share's clusters leaves no more to chance."""


def wilson(share: float, n: float) -> Interval:
    """Wilson's score interval for a share of n.

    >>> low, high = wilson(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    centre = share + Z95**2 / (2 * n)
    spread = Z95 * sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    scale = 1 + Z95**2 / n
    # Rounding must not push an end past the share itself.
    return Interval(max(0.0, min(share, (centre - spread) / scale)), min(1.0, max(share, (centre + spread) / scale)))


class Effect(NamedTuple):
    """What clusters do to a variance."""

    size: float
    """The design effect: how many times larger the variance is than that of independent trials."""
    freedom: float
    """The degrees of freedom with which the variance is known."""

    def crossed_with(self, other: "Effect") -> "Effect":
        """The effect of two crossed clusterings, such as premises and word pairs; what both add to the variance counts.

        >>> Effect(3.0, 20.0).crossed_with(Effect(1.5, 80.0))
        Effect(size=3.5, freedom=20.0)
        """
        larger = max(self, other)
        return Effect(self.size + other.size - 1, larger.freedom)


NONE = Effect(1.0, inf)
"""The effect of clusters that hold one trial each."""


class ClusteredShare(NamedTuple):
    """A share whose trials come in clusters.

    The interval is Wilson's with the number of independent trials that would have the same variance, and with Student's
    t instead of the normal quantile (Korn and Graubard 1998). With one trial per cluster it is Wilson's interval.

    >>> share = clustered_share([1, 0, 1, 1], [1, 1, 1, 1])
    >>> share.value, share.interval == wilson(0.75, 4)
    (0.75, True)
    """

    hits: int
    n: int
    """All trials."""
    clusters: int
    """How many clusters they come in; the smaller number if there are two kinds of clusters."""
    effect: Effect = NONE

    @property
    def value(self) -> float | None:
        """The share; None if there were no trials."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """The 95% interval; None if there were no trials."""
        if self.value is None:
            return None
        if self.clusters == self.n:
            return wilson(self.value, self.n)
        known = student_95(self.n - 1) / student_95(self.effect.freedom) if self.effect.freedom < inf else 1.0
        return wilson(self.value, self.n / self.effect.size * known**2)


def clustered_share(
    hits: ArrayLike, trials: ArrayLike, crossed: tuple[ArrayLike, ArrayLike] | None = None
) -> ClusteredShare:
    """The share of hits among trials that are given by cluster; clusters without trials don't count.

    `crossed` gives the hits and trials of the same cases by another kind of cluster.

    >>> share = clustered_share([1, 0, 2], [1, 0, 4])
    >>> share.value, share.clusters
    (0.6, 2)
    """
    effects, counts = [], []
    for hit, trial in [(hits, trials), *([crossed] if crossed else [])]:
        there = numpy.asarray(trial) > 0
        hit, trial = (numpy.asarray(each, dtype=numpy.float64)[there] for each in (hit, trial))
        effects.append(share_effect(hit, trial))
        counts.append(len(trial))
    effect = effects[0] if len(effects) == 1 else effects[0].crossed_with(effects[1])
    return ClusteredShare(int(numpy.sum(hits)), int(numpy.sum(trials)), min(counts), effect)


def share_effect(hits: NDArray[numpy.float64], trials: NDArray[numpy.float64]) -> Effect:
    """What clusters with these hits and trials do to the variance of their share.

    Few clusters say little about how alike the trials of a cluster are, least of all near 0 and 1, where most clusters
    agree in any case. So one more cluster of typical size counts as evidence, half all right and half all wrong.
    """
    n, clusters = float(trials.sum()), len(trials)
    if clusters == n:
        return NONE
    if clusters == 1:
        return Effect(n, inf)
    typical = float((trials * trials).sum()) / n
    share = (float(hits.sum()) + typical / 2) / (n + typical)
    squares = float(((hits - share * trials) ** 2).sum()) + typical**2 * (share**2 + (1 - share) ** 2) / 2
    independent = (n + typical) * share * (1 - share)
    size = max(1.0, squares / independent * clusters / (clusters - 1))
    varies = 0 < hits.sum() < n
    return Effect(size, freedom_of(hits - hits.sum() / n * trials, LEAST_FREEDOM) if varies else inf)


def freedom_of(residuals: NDArray[numpy.float64], least: float = 1.0) -> float:
    """The degrees of freedom of a sum of squares over clusters, by Satterthwaite's method from their fourth powers.

    >>> freedom_of(numpy.array([1.0, -1.0, 1.0, -1.0])), freedom_of(numpy.array([9.0, 0.0, 0.0, 0.0]))
    (3.0, 2.6666666666666665)
    """
    squares = residuals * residuals
    total, most = float(squares.sum()), len(residuals) - 1.0
    spread = float((squares * squares).sum()) - total**2 / len(residuals)
    return most if spread <= 1e-9 else min(max(2 * total**2 / spread, least), most)
