"""Shares of cases whose clusters are known case by case."""

import numpy

from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.interval import ClusteredShare, clustered_share


def clustered(hits: Bools, cluster: Ints) -> ClusteredShare:
    """The share of hits, where cases with the same cluster number are not independent.

    >>> clustered(numpy.array([True, False, True]), numpy.array([7, 7, 9])).value
    0.6666666666666666
    """
    trials = numpy.bincount(cluster)
    return clustered_share(numpy.bincount(cluster[hits], minlength=len(trials)), trials)
