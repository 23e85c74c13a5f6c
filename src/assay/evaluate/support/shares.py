"""Shares of cases whose clusters are known case by case."""

import numpy

from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.interval import ClusteredShare


def clustered(hits: Bools, cluster: Ints) -> ClusteredShare:
    """The share of hits, where cases with the same cluster number come from one source pair.

    >>> clustered(numpy.array([True, False, True]), numpy.array([7, 7, 9])).value
    0.6666666666666666
    """
    trials = numpy.bincount(cluster)
    hit = numpy.bincount(cluster[hits], minlength=len(trials))
    sums = (hit, trials, trials > 0, hit * hit, hit * trials, trials * trials)
    return ClusteredShare(*(int(each.sum()) for each in sums))
