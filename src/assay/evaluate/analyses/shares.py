"""Shares of slices that an analysis names, with intervals that respect the clusters of their trials."""

from collections.abc import Mapping, Sequence

import numpy

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

    def add(self, codes: Ints, clusters: Ints, hits: Bools, units: Ints | None = None) -> None:
        """Count whether each trial is a hit; `units` are a second kind of cluster."""
        rows = numpy.flatnonzero(codes != NOWHERE)
        if len(rows):
            found = cells(codes[rows], clusters[rows], None if units is None else units[rows])
            self._tally.add(found, hits[rows][None], rows[found.met])

    def found(self) -> dict[int, ClusteredShare]:
        """The shares by code, in order of appearance."""
        return self._tally.shares(0)


def estimate_of(name: str, share: ClusteredShare, where: Mapping[str, str]) -> Estimate:
    """A share as a figure.

    >>> estimate_of("accuracy", clustered_share([1], [1]), {"model": "m"}).value
    1.0
    """
    low, high = share.interval or (None, None)
    return Estimate(
        name=name, value=share.value, low=low, high=high, n=share.n, slice=dict(where), clusters=share.clusters
    )


def band_of(value: float, edges: Sequence[float]) -> int:
    """Which band a value is in: the last whose lower edge it reaches; -1 if it reaches none.

    >>> [band_of(each, (0, 1, 5)) for each in (0, 1, 4, 5, 90)], band_of(0.2, (0.5, 0.6))
    ([0, 1, 1, 2, 2], -1)
    """
    return int(numpy.searchsorted(edges, value, side="right")) - 1
