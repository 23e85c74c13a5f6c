"""Shares of slices that an analysis names, with intervals that respect the clusters of their trials."""

from collections.abc import Mapping, Sequence

import numpy
from numpy.typing import ArrayLike

from assay.core.results.estimate import Estimate
from assay.evaluate.count.cells import cells
from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.count.tallies import ShareTally
from assay.evaluate.interval import ClusteredShare

NOWHERE = -1
"""The code of a trial that belongs to no slice."""


class Shares:
    """Adds up hits and trials by the code of a slice, a chunk of cases at a time.

    >>> shares = Shares()
    >>> shares.add(numpy.array([7, -1, 7]), numpy.array([0, 0, 1]), numpy.array([True, True, False]))
    >>> [(code, share.hits, share.n, share.clusters) for code, share in shares.found().items()]
    [(7, 1, 2, 2)]
    """

    def __init__(self) -> None:
        self._tally = ShareTally(1)

    def add(self, codes: Ints, clusters: Ints, hits: Bools) -> None:
        """Count whether each trial is a hit; clusters never decrease, and none continues in another chunk."""
        rows = numpy.flatnonzero(codes != NOWHERE)
        if len(rows):
            found = cells(codes[rows], clusters[rows])
            self._tally.add(found, found.per_cell(hits[rows])[None], rows[found.met])

    def found(self) -> dict[int, ClusteredShare]:
        """The shares by code, in order of appearance."""
        return self._tally.shares(0)


def clustered(hits: ArrayLike, trials: ArrayLike) -> ClusteredShare:
    """The share of hits among trials that are given by cluster; clusters without trials don't count.

    >>> clustered([1, 0, 2], [1, 0, 4]).value, clustered([1, 0, 2], [1, 0, 4]).clusters
    (0.6, 2)
    """
    hit, trial = numpy.asarray(hits, dtype=numpy.int64), numpy.asarray(trials, dtype=numpy.int64)
    sums = (hit, trial, trial > 0, hit * hit, hit * trial, trial * trial)
    return ClusteredShare(*(int(each.sum()) for each in sums))


def estimate_of(name: str, share: ClusteredShare, where: Mapping[str, str]) -> Estimate:
    """A share as a figure.

    >>> estimate_of("accuracy", clustered([1], [1]), {"model": "m"}).value
    1.0
    """
    low, high = share.interval or (None, None)
    return Estimate(name=name, value=share.value, low=low, high=high, n=share.n, slice=dict(where))


def band_of(value: float, edges: Sequence[float]) -> int:
    """Which band a value is in: the last whose lower edge it reaches; -1 if it reaches none.

    >>> [band_of(each, (0, 1, 5)) for each in (0, 1, 4, 5, 90)], band_of(0.2, (0.5, 0.6))
    ([0, 1, 1, 2, 2], -1)
    """
    return int(numpy.searchsorted(edges, value, side="right")) - 1
