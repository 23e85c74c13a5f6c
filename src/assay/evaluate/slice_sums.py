"""Sums by slice and cluster, and the shares and paired shares that are made of them."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import repeat
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.estimate import Estimate, Interval
from assay.core.label_space import LABELS
from assay.evaluate.case_columns import MOST_CLUSTERS, Bools, Encoder, Ints
from assay.evaluate.intervals import ClusteredShare, clustered_share
from assay.evaluate.paired import PairedShares, paired_shares

ALL_LABELS = len(LABELS)  # the label's part in the code of a slice that is not about one label
WIDTH = len(LABELS) + 1


class SliceCells(NamedTuple):
    """Cells of slices and clusters: a slice has a cell for each cluster that has an entry in it."""

    order: Ints  # (entries,) the entries sorted by slice and cluster, in their original order within a cell
    starts: Ints  # (cells,) the first entry of each cell, in that order
    clusters: Ints
    slices: Ints  # (slices,) codes, ascending
    firsts: Ints  # (slices,) the first cell of each slice
    met: Ints  # (slices,) the entry in which each slice first appeared
    crossed: "SliceCells | None" = None  # the same entries by a second kind of cluster, if any entry has one

    @property
    def trials(self) -> Ints:
        """(cells,) Number of entries of each cell."""
        return numpy.diff(numpy.append(self.starts, len(self.order)))

    def per_cell(self, values: NDArray[numpy.generic]) -> Ints:
        """Sums per cell, from an array (..., entries); returns (..., cells)."""
        return numpy.add.reduceat(values[..., self.order], self.starts, axis=-1, dtype=numpy.int64)


def make_cells(codes: Ints, clusters: Ints, crossed: Ints | None = None) -> SliceCells:
    """The cells of one or more entries, each with a slice and a cluster, and with a second kind of cluster if given.

    >>> found = make_cells(numpy.array([7, 2, 7, 7]), numpy.array([0, 0, 0, 1]))
    >>> found.slices.tolist(), found.trials.tolist(), found.met.tolist()
    ([2, 7], [1, 2, 1], [1, 0])
    """
    keys = codes * (int(clusters.max()) + 1) + clusters
    order = numpy.argsort(keys, kind="stable")
    ordered, sorted_keys = codes[order], keys[order]
    starts = numpy.flatnonzero(numpy.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]]))
    new_slice = numpy.concatenate([[True], ordered[1:] != ordered[:-1]])
    slice_starts = numpy.flatnonzero(new_slice)
    return SliceCells(
        order=order,
        starts=starts,
        clusters=clusters[order[starts]],
        slices=ordered[new_slice],
        firsts=numpy.flatnonzero(new_slice[starts]),
        met=numpy.minimum.reduceat(order, slice_starts),
        crossed=None if crossed is None or (crossed == clusters).all() else make_cells(codes, crossed),
    )


class Entries(NamedTuple):
    """Entries of cells, each a case in a slice; all are (entries,)."""

    codes: Ints  # the slices
    rows: Ints
    places: Ints  # order of appearance


def with_labels(codes: Ints, rows: Ints, label: Ints, by_label: Bools | None = None) -> Entries:
    """Each entry twice: by its own code, and by code and label (only where `by_label` is true, if given).

    >>> found = with_labels(numpy.array([3]), numpy.array([0]), numpy.array([1]))
    >>> found.codes.tolist(), [slice_of(code) for code in found.codes.tolist()]
    ([19, 16], [(3, 4), (3, 1)])
    """
    twice = numpy.arange(len(codes)) if by_label is None else numpy.flatnonzero(by_label)
    return Entries(
        codes=numpy.concatenate([codes * WIDTH + ALL_LABELS, codes[twice] * WIDTH + label[rows[twice]]]),
        rows=numpy.concatenate([rows, rows[twice]]),
        places=numpy.concatenate([2 * numpy.arange(len(codes)), 2 * twice + 1]),
    )


def slice_of(code: int) -> tuple[int, int]:
    """Split a code that `with_labels` made into the code that it was given, and the label."""
    return divmod(code, WIDTH)


def label_slice(where: dict[str, str], label: int) -> dict[str, str]:
    """A slice, with its label if it is about one.

    >>> label_slice({"family": "negation"}, 1), label_slice({"family": "negation"}, ALL_LABELS)
    ({'family': 'negation', 'label': 'neutral'}, {'family': 'negation'})
    """
    return where if label == ALL_LABELS else {**where, "label": LABELS[label].value}


class SuiteMeasure:
    """A measure that adds up models' answers to one suite, chunk by chunk."""

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models, self._suite, self._encoder = models, suite, encoder


def estimate_of(name: str, share: ClusteredShare, where: Mapping[str, str]) -> Estimate:
    """A share as an estimate."""
    return bounded(name, share.value, share.interval, share.n, where)


def clustered_estimate(name: str, share: ClusteredShare, where: Mapping[str, str]) -> Estimate:
    """An estimate that also has its number of clusters, because few clusters need a warning."""
    return msgspec.structs.replace(estimate_of(name, share, where), clusters=share.clusters)


def bounded(name: str, value: float | None, ends: Interval | None, n: int, where: Mapping[str, str]) -> Estimate:
    """An estimate with its interval, if it has one."""
    low, high = ends or (None, None)
    return Estimate(name=name, value=value, low=low, high=high, n=n, slice=dict(where))


class CellSums:
    """Sums of cells over several chunks; slices are numbered in the order in which they appear.

    >>> found = CellSums()
    >>> two = make_cells(numpy.array([5, 9, 5]), numpy.array([0, 3, 0]))
    >>> found.add(two, numpy.array([[1], [2]]), numpy.array([1, 0]))
    >>> [(code, sums.tolist()) for code, sums in found.slices()]
    [(9, [[2]]), (5, [[1]])]
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._parts: list[tuple[Ints, Ints]] = []
        self._merged = self._waiting = 0

    def add(self, found: SliceCells, sums: Ints, met: Ints) -> None:
        """Add the sums of cells, (cells, sums); `met` says when each slice appeared."""
        for code in found.slices[numpy.argsort(met)].tolist():
            self._numbers.setdefault(code, len(self._numbers))
        numbers = numpy.array([self._numbers[code] for code in found.slices.tolist()])
        lengths = numpy.diff(numpy.append(found.firsts, len(found.starts)))
        keys = numpy.repeat(numbers, lengths) * MOST_CLUSTERS + found.clusters
        self._parts.append((keys, sums.astype(numpy.int32)))
        self._waiting += len(keys)
        if self._waiting > max(self._merged, MOST_CLUSTERS):
            self._merge()

    def slices(self) -> Iterator[tuple[int, Ints]]:
        """Each slice with the sums of its clusters, (clusters, sums), in order of appearance."""
        if not self._parts:
            return
        self._merge()
        [(keys, sums)] = self._parts
        ends = numpy.searchsorted(keys, numpy.arange(len(self._numbers) + 1) * MOST_CLUSTERS).tolist()
        for code, start, end in zip(self._numbers, ends[:-1], ends[1:], strict=True):
            yield code, sums[start:end]

    def _merge(self) -> None:
        keys, sums = (numpy.concatenate(parts) for parts in zip(*self._parts, strict=True))
        order = numpy.argsort(keys, kind="stable")
        starts = numpy.flatnonzero(numpy.diff(keys[order], prepend=-1))
        self._parts = [(keys[order][starts], numpy.add.reduceat(sums[order], starts, axis=0))]
        self._merged, self._waiting = len(starts), 0


class CrossedSums:
    """Sums by one kind of cluster, and also by a second kind once an entry has one."""

    def __init__(self) -> None:
        self._own = CellSums()
        self._other: CellSums | None = None

    def add(self, found: SliceCells, values: Ints | Bools, met: Ints) -> None:
        """Add the values of entries, (sums, entries), and how many there are; `met` says when each slice appeared."""
        if self._other is None and found.crossed:
            self._other = deepcopy(self._own)
        sums = [(self._own, found), *([(self._other, found.crossed or found)] if self._other else [])]
        for kind, own in sums:
            kind.add(own, numpy.concatenate([own.trials[None], own.per_cell(values)]).T, met)

    def slices(self) -> Iterator[tuple[int, Ints, Ints | None]]:
        """Each slice with its sums by cluster, (clusters, trials and sums), and by the other kind if it differs."""
        others = self._other.slices() if self._other else repeat((0, None))
        for (code, own), (_, other) in zip(self._own.slices(), others, strict=False):
            yield code, own, None if other is None or numpy.array_equal(own, other) else other


class ShareTally(CrossedSums):
    """Adds up whether each entry is a hit, (models, entries), by slice, cluster and model."""

    def shares(self, model: int) -> dict[int, ClusteredShare]:
        """A model's shares by slice code, in order of appearance."""
        found = {}
        for code, sums, crossed in self.slices():
            other = None if crossed is None else (crossed[:, 1 + model], crossed[:, 0])
            found[code] = clustered_share(sums[:, 1 + model], sums[:, 0], other)
        return found


class PairedTally:
    """Adds up which answers are right, by slice, cluster and model.

    Each model's first answers are compared with its second.
    """

    def __init__(self, models: int) -> None:
        self._models, self._sums = models, CrossedSums()

    def add(self, found: SliceCells, first: Ints, second: Ints, met: Ints) -> None:
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
