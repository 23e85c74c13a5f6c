"""Intervals for shares."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from assay.core.results.estimate import Interval as Interval

Z95 = NormalDist().inv_cdf(0.975)


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


class ClusteredShare(NamedTuple):
    """A share whose trials come in clusters, computed from sums over the clusters.

    The interval is Wilson's with the sample size that independent trials of the same variance would have (the
    cluster variance of a ratio, linearised). With one trial per cluster it is Wilson's interval.

    >>> share = ClusteredShare(hits=3, n=4, clusters=4, hits_squared=3, hits_trials=3, trials_squared=4)
    >>> share.value, share.interval == wilson(0.75, 4)
    (0.75, True)
    """

    hits: int
    """Trials with the right answer."""
    n: int
    """All trials."""
    clusters: int
    """How many clusters they come in."""
    hits_squared: int
    """The sum of the squares of each cluster's hits."""
    hits_trials: int
    """The sum of hits times trials."""
    trials_squared: int
    """The sum of the squares of each cluster's trials."""

    @property
    def value(self) -> float | None:
        """The share; None if there were no trials."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval; None if there were no trials."""
        if self.value is None:
            return None
        return wilson(self.value, self.n if self.clusters == self.n else self._independent_trials(self.value))

    def _independent_trials(self, share: float) -> float:
        variance = share * (1 - share)
        if not variance or self.clusters < 2:
            return self.clusters
        # Sum of (hits - share * trials)**2, times n**2, in whole numbers: rounding could end below zero.
        residual = (
            self.n**2 * self.hits_squared
            - 2 * self.n * self.hits * self.hits_trials
            + self.hits**2 * self.trials_squared
        )
        clustered = residual / self.n**4 * self.clusters / (self.clusters - 1)
        return min(self.n, variance / clustered) if clustered else self.n
