"""What shares and paired shares are made of, for every slice and model."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import repeat

import numpy

from assay.evaluate.count.cells import Cells, CellSums
from assay.evaluate.count.columns import Ints
from assay.evaluate.interval import ClusteredShare, clustered_share
from assay.evaluate.paired import PairedShares, paired_shares


class ShareTally:
    """Adds up hits and trials by slice, cluster and model."""

    def __init__(self, models: int) -> None:
        self._models = models
        self._sums = _Crossed()

    def add(self, found: Cells, hits: Ints, met: Ints) -> None:
        """Add whether each entry is a hit, (models, entries); `met` says when each slice appeared."""
        self._sums.add(found, hits, met)

    def shares(self, model: int) -> dict[int, ClusteredShare]:
        """A model's shares by slice code, in order of appearance."""
        found = {}
        for code, sums, crossed in self._sums.slices():
            other = None if crossed is None else (crossed[:, 1 + model], crossed[:, 0])
            found[code] = clustered_share(sums[:, 1 + model], sums[:, 0], other)
        return found


class PairedTally:
    """Adds up which answers are right, by slice, cluster and model.

    Each model's first answers are compared with its second.
    """

    def __init__(self, models: int) -> None:
        self._models = models
        self._sums = _Crossed()

    def add(self, found: Cells, first: Ints, second: Ints, met: Ints) -> None:
        """Add whether each entry's two answers are right, (models, entries)."""
        both = first * second
        self._sums.add(found, numpy.concatenate([both, first - both, second - both]), met)

    def shares(self, model: int) -> dict[int, PairedShares]:
        """A model's paired shares by slice code, in order of appearance."""
        columns = [0, *(1 + part * self._models + model for part in range(3))]
        return {
            code: paired_shares(sums[:, columns], None if crossed is None else crossed[:, columns])
            for code, sums, crossed in self._sums.slices()
        }


class _Crossed:
    """Sums by one kind of cluster, and by another from the first entry on that has another."""

    def __init__(self) -> None:
        self._own = CellSums()
        self._other: CellSums | None = None

    def add(self, found: Cells, values: Ints, met: Ints) -> None:
        """Add the values of entries, (sums, entries), and how many there are."""
        if self._other is None and found.crossed:
            self._other = deepcopy(self._own)
        self._own.add(found, _with_trials(found, values), met)
        if self._other:
            other = found.crossed or found
            self._other.add(other, _with_trials(other, values), met)

    def slices(self) -> Iterator[tuple[int, Ints, Ints | None]]:
        """Each slice with its sums by cluster, (clusters, trials and sums), and by the other kind if it differs."""
        others = self._other.slices() if self._other else repeat((0, None))
        for (code, own), (_, other) in zip(self._own.slices(), others, strict=False):
            yield code, own, None if other is None or numpy.array_equal(own, other) else other


def _with_trials(found: Cells, values: Ints) -> Ints:
    return numpy.concatenate([found.trials[None], found.per_cell(values)]).T
