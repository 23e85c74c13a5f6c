"""Whether scores rank supported cases above the others, or the other way round."""

from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats, Ints

FEWEST = 20
"""The fewest supported cases, other cases and clusters that a direction is read from."""

SURE = 2.5758
"""Standard errors on each side of a 99% interval. With 95%, small samples at chance would look reversed too often."""


class Direction(NamedTuple):
    """The area under the ROC curve of some scores, with its 99% interval."""

    auc: float
    low: float
    high: float
    supported: int
    """How many cases are supported."""
    others: int
    """How many are not."""

    @property
    def is_reversed(self) -> bool:
        """Whether supported cases clearly get the lower scores."""
        return self.high < 0.5


def read_direction(score: Floats, supported: Bools, cluster: Ints) -> Direction | None:
    """The direction of scores; None with too few cases.

    The standard error is the larger of two: that of the ranks within clusters, and that of the same scores at chance,
    which holds where nearly all scores are equal.

    >>> supported = numpy.arange(80) % 2 == 0
    >>> read_direction(1.0 * supported, supported, numpy.arange(80)).is_reversed
    False
    >>> read_direction(1.0 - supported, supported, numpy.arange(80)).is_reversed
    True
    """
    _, cluster = numpy.unique(cluster, return_inverse=True)
    hits, misses = int(supported.sum()), int((~supported).sum())
    clusters = int(cluster.max(initial=-1)) + 1
    if min(hits, misses, clusters) < FEWEST:
        return None
    share = numpy.where(supported, _share_below(score, score[~supported]), 1 - _share_below(score, score[supported]))
    auc = float(share[supported].mean())
    weight = numpy.where(supported, 1 / hits, 1 / misses)
    sums = numpy.bincount(cluster, weights=weight * (share - auc))
    in_clusters = float((sums**2).sum()) * clusters / (clusters - 1)
    n = len(score)
    ties = numpy.unique(score, return_counts=True)[1].astype(float)
    at_chance = (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1))) / (12 * hits * misses)
    error = SURE * max(in_clusters, at_chance) ** 0.5
    return Direction(auc, auc - error, auc + error, hits, misses)


def _share_below(score: Floats, others: Floats) -> Floats:
    """How many of the others have a lower score, as a share; equal ones count half."""
    ranks = numpy.sort(others)
    lower, not_higher = (numpy.searchsorted(ranks, score, side=side) for side in ("left", "right"))
    return numpy.asarray((lower + not_higher) / 2 / len(others))
