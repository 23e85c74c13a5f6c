"""Many texts that are parsed at once, step by step: what the parser sees of each."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

Numbers = NDArray[numpy.int64]
Flags = NDArray[numpy.bool_]

AROUND = 5
"""Places before and after a text: up to three are looked at, and two more are in sight of the filters over these."""

PLACES = 12
"""Words that are looked at in a state."""

SIZES, LARGEST = 4, 5
"""Counts that are looked at in a state, and the largest that differs from larger ones."""


class View(NamedTuple):
    """What the parser sees of states."""

    places: Numbers
    """(rows, PLACES): of the last two parts the first word, the first word of the right part and the last word; of the
    one before them the first and the last; and the next four words. Counted with the places around a text."""
    sizes: Numbers
    """(rows, SIZES): words of the last two parts, words that are left, and parts."""


class States:
    """The states of a shift-reduce parser on many texts, of which there are at least one word each."""

    def __init__(self, lengths: Numbers) -> None:
        count, self.width = len(lengths), int(lengths.max(initial=0)) + 2 * AROUND
        self.lengths = lengths
        # Of each part on the stack: its first word, and the first word of its right part. The lowest are not real.
        self.starts = numpy.full((count, self.width + AROUND), -1, dtype=numpy.int64)
        self.splits = self.starts.copy()
        self.depth = numpy.zeros(count, dtype=numpy.int64)
        self.next = numpy.zeros(count, dtype=numpy.int64)

    def open(self, rows: Numbers) -> Numbers:
        """Those of the texts that are not one tree yet."""
        return rows[(self.next[rows] < self.lengths[rows]) | (self.depth[rows] > 1)]

    def must_shift(self, rows: Numbers) -> Flags:
        """Whether there are no two parts to join."""
        return self.depth[rows] < 2

    def must_reduce(self, rows: Numbers) -> Flags:
        """Whether no word is left."""
        return self.next[rows] >= self.lengths[rows]

    def start(self, rows: Numbers, below: int) -> Numbers:
        """The first word of a part of the stack: of the last (0), of the one before it (1), ..."""
        return self.starts[rows, self.depth[rows] - 1 - below + AROUND]

    def step(self, rows: Numbers, reduce: Flags) -> None:
        """Take one step on each text."""
        joined, shifted = rows[reduce], rows[~reduce]
        top = self.depth[joined] - 1 + AROUND
        self.splits[joined, top - 1] = self.starts[joined, top]
        self.depth[joined] -= 1
        top = self.depth[shifted] + AROUND
        self.starts[shifted, top] = self.splits[shifted, top] = self.next[shifted]
        self.depth[shifted] += 1
        self.next[shifted] += 1

    def view(self, rows: Numbers) -> View:
        """What is seen of texts."""
        top, end = self.depth[rows] - 1 + AROUND, self.next[rows]
        first, before, third = (self.starts[rows, top - below] for below in range(3))
        split, split_before = self.splits[rows, top], self.splits[rows, top - 1]
        seen = [
            first,
            split,
            end - 1,
            before,
            split_before,
            first - 1,
            third,
            before - 1,
            end,
            end + 1,
            end + 2,
            end + 3,
        ]
        sizes = [end - first, first - before, self.lengths[rows] - end, self.depth[rows]]
        return View(
            numpy.stack(seen, 1).clip(-1, self.width - AROUND - 1) + AROUND, numpy.stack(sizes, 1).clip(0, LARGEST)
        )
