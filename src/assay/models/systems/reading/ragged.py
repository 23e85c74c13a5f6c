"""Rows of numbers of different lengths, kept in one array, so that a batch is one gather."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray


class Padded(NamedTuple):
    """Rows padded to equal length."""

    values: NDArray[numpy.int64]
    """(rows, longest), or (rows, longest, width) where each value is a row itself; 0 where a row has ended."""
    mask: NDArray[numpy.bool_]
    """(rows, longest); whether there is a value."""


class Ragged(msgspec.Struct, frozen=True):
    """Rows of different lengths.

    >>> rows = Ragged.of([[5, 6, 7], [], [8]])
    >>> len(rows), rows.lengths.tolist()
    (3, [3, 0, 1])
    >>> rows.padded([2, 0]).values.tolist()
    [[8, 0, 0], [5, 6, 7]]
    """

    flat: NDArray[numpy.int32]
    """All values, row after row: (values,) or (values, width)."""
    starts: NDArray[numpy.int64]
    """Where each row starts, and where the last one ends."""

    @classmethod
    def of(cls, rows: Iterable[Sequence[int] | NDArray[numpy.int32]]) -> "Ragged":
        """From lists, or from arrays of (values,) or (values, width)."""
        arrays = [numpy.asarray(row, dtype=numpy.int32) for row in rows]
        starts = numpy.cumsum([0, *map(len, arrays)], dtype=numpy.int64)
        return cls(numpy.concatenate(arrays) if arrays else numpy.zeros(0, dtype=numpy.int32), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[numpy.int64]:
        """The length of every row."""
        return numpy.diff(self.starts)

    def rows(self) -> list[NDArray[numpy.int32]]:
        """Each row on its own."""
        return [self.flat[start:end] for start, end in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def padded(self, rows: Sequence[int] | NDArray[numpy.int64]) -> Padded:
        """Some rows, padded to the longest of them and to at least one place."""
        chosen = numpy.asarray(rows, dtype=numpy.int64)
        starts = self.starts[chosen]
        lengths = self.starts[chosen + 1] - starts
        places = numpy.arange(max(1, int(lengths.max(initial=0))))
        mask = places < lengths[:, None]  # (rows, longest)
        width = self.flat.shape[1:]
        if not len(self.flat):
            return Padded(numpy.zeros((*mask.shape, *width), dtype=numpy.int64), mask)
        values = self.flat[numpy.where(mask, starts[:, None] + places, 0)].astype(numpy.int64)
        return Padded(values * mask.reshape(*mask.shape, *(1 for _ in width)), mask)
