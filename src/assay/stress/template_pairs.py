"""Pairs from templates, for HANS and the logic families: a corpus of them, and all ways to fill slots, numbered.

The rows of a slot are its words, or several forms of each. Slots that must not get the same word draw from one cell,
and no cell shares a word with another. How many fillings there are is then a product, and the filling of a number is
found by division, so that any number of different ones can be drawn and no draw ever has to be undone.
"""

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import isqrt, prod
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.case import Option, Recipe
from assay.core.edit import Skip
from assay.core.errors import UserError, did_you_mean
from assay.core.manifest import Source
from assay.core.pair import Pair

Numbers = NDArray[np.int64]
Bits = NDArray[np.uint64]

Split = Literal["evaluation", "training"]
SPLITS: tuple[Split, Split] = ("evaluation", "training")

ROUNDS = 4
MOST = 1 << 62
"""Maximum number of fillings that are numbered; of more, only these are used."""
ARTICLE = "the"

_HALF = np.uint64(32)
_ODD = np.uint64(0x9E3779B97F4A7C15)


class TemplatePairs:
    """N pairs of each subcase of a family; the same ones each time it is read."""

    notes: tuple[str, ...] = ()
    """Sentences that go into the manifest."""

    def __init__(self, name: str, n: int, *, split: Split, seed: int, options: Mapping[str, Option]) -> None:
        if split not in SPLITS:
            raise UserError(f"No split {split!r}{did_you_mean(split, SPLITS)} Choose {' or '.join(SPLITS)}.")
        if n < 1:
            raise UserError(f"The number of pairs must be 1 or more, not {n}.")
        self.name = name
        self.n = n
        self.split: Split = split
        self.seed = seed
        self.transform = f"{name}/v1"
        self.options = {name: option for name, option in options.items() if option}
        """The options that its recipe stores."""
        self.problems: list[Skip] = []

    def __iter__(self) -> Iterator[Pair]:
        raise NotImplementedError

    def count_labels(self) -> dict[str, int]:
        """The number of pairs with each label."""
        raise NotImplementedError

    def check_size(self, subcase: str, size: int) -> None:
        """Refuse to make more pairs of a subcase than there are."""
        if self.n > size:
            raise UserError(
                f"{subcase} has {size:,} different pairs in the {self.split} split, but {self.n:,} were requested.\n"
                f"  Request at most {size:,} of each subcase (--per-subcase), or add words with --set grammar=FILE."
            )

    def as_pairs(self, _split: object = None) -> Iterator[Pair]:
        """The pairs; there are no word problems to split."""
        return iter(self)

    def summary(self) -> Source:
        """Its source, for a manifest."""
        labels = self.count_labels()
        return Source(
            name=f"{self.name}, {self.split}, {self.n} per subcase, seed {self.seed}",
            format=self.transform,
            digest="",
            rows=sum(labels.values()),
            pairs=sum(labels.values()),
            labels=labels,
            skipped={},
            notes=tuple(self.notes),
        )

    def recipe(self) -> Recipe:
        """The recipe that makes cases from its pairs."""
        return Recipe(transform=self.transform, options=self.options, seed=self.seed)


def shuffle_range(start: int, stop: int, *, size: int, key: str) -> Numbers:
    """Places `start` to `stop` of the numbers below `size`, in an order that the key decides.

    A Feistel network on the next square; what falls outside is sent through again. Any part of the order can be
    computed without the rest, and only integers are used: the same numbers everywhere.

    >>> sorted(shuffle_range(0, 10, size=10, key="k").tolist()) == list(range(10))
    True
    >>> shuffle_range(2, 5, size=10, key="k").tolist() == shuffle_range(0, 10, size=10, key="k").tolist()[2:5]
    True
    """
    side, above = np.uint64(isqrt(size - 1) + 1), np.uint64(size)  # a side is at most 2**32, as sizes fit into 64 bits
    keys = np.frombuffer(hashlib.blake2b(key.encode(), digest_size=8 * ROUNDS).digest(), dtype="<u8")
    numbers = _permute(np.arange(start, stop, dtype=np.uint64), keys, side)
    while (outside := np.flatnonzero(numbers >= above)).size:
        numbers[outside] = _permute(numbers[outside], keys, side)
    return numbers.view(np.int64)


def _permute(numbers: Bits, keys: Bits, side: np.uint64) -> Bits:
    left = numbers // side
    right = numbers - left * side
    for key in keys:
        added = left + (((right ^ key) * _ODD >> _HALF) * side >> _HALF)  # less than twice the side
        left, right = right, np.minimum(added, added - side)  # below 0 wraps around to the highest numbers
    return left * side + right


def draw_chances(count: int, *, key: str) -> NDArray[np.float64]:
    """Random numbers above 0 and at most 1.

    >>> bool((draw_chances(1000, key="k") > 0).all()), round(float(draw_chances(1000, key="k").mean()), 1)
    (True, 0.5)
    """
    start = np.uint64(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
    numbers = start + np.arange(count, dtype=np.uint64) * _ODD
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)  # after SplitMix64
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((numbers >> np.uint64(11)).astype(np.float64) + 1) / (1 << 53)


@cache
def word_bit(word: str) -> int:
    """0 or 1, by the word alone; articles are ignored, so that a doubled one changes nothing."""
    return 0 if word == ARTICLE else hashlib.blake2b(word.encode(), digest_size=1).digest()[0] & 1


@cache
def text_bit(text: str) -> int:
    """The bits of a text's words, added up: they decide to which split a filling belongs."""
    return sum(map(word_bit, text.split())) % 2


class SlotColumn(NamedTuple):
    """What one slot can be filled with."""

    cell: Hashable
    """Columns of the same cell have as many rows, and never draw the same one."""
    bits: NDArray[np.int8]
    """(rows, forms) The bit of each form of each row."""


class NumberedFillings:
    """All fillings of the columns; those with an even sum of bits are for evaluation."""

    def __init__(self, columns: Sequence[SlotColumn], *, parity: int = 0) -> None:
        self._columns = columns
        self._parity = parity
        before = [sum(other.cell == column.cell for other in columns[:n]) for n, column in enumerate(columns)]
        self._left = [len(column.bits) - taken for column, taken in zip(columns, before, strict=True)]
        self._last = set({column.cell: row for row, column in enumerate(columns)}.values())  # of its cell
        self.size = min(prod(max(0, left) for left in self._left) * prod(each.bits.shape[1] for each in columns), MOST)

    @cached_property
    def sizes(self) -> dict[Split, int]:
        """The number of fillings in each split: all fillings, counted with a sign for their split."""
        signed = (-1) ** self._parity
        for cell in dict.fromkeys(column.cell for column in self._columns):
            signed *= _count_signed([1 - 2 * each.bits.astype(int) for each in self._columns if each.cell == cell])
        return dict(zip(SPLITS, ((self.size + signed) // 2, (self.size - signed) // 2), strict=True))

    def draw_numbers(self, count: int, split: Split, key: str) -> Numbers:
        """(columns, fillings) The indices of the words of different fillings; fewer if there are not enough."""
        drawn: list[Numbers] = [np.empty((len(self._columns), 0), dtype=np.int64)]
        start, missing = 0, count
        while missing > 0 and start < self.size:
            stop = min(start + 2 * missing + 3 * isqrt(missing) + 8, self.size)  # half of them, and a margin
            filling = self.fillings_at(shuffle_range(start, stop, size=self.size, key=key))
            kept = np.flatnonzero(self._parities(filling) == SPLITS.index(split))[:missing]
            drawn.append(filling.take(kept, axis=1))
            missing -= len(kept)
            start = stop
        return drawn[1] if len(drawn) == 2 else np.concatenate(drawn, axis=1)

    def fillings_at(self, ranks: Numbers) -> Numbers:
        """(columns, fillings) The indices of the words of fillings."""
        taken: dict[Hashable, list[Numbers]] = {column.cell: [] for column in self._columns}
        words = np.empty((len(self._columns), len(ranks)), dtype=np.int64)
        for number, (column, left) in enumerate(zip(self._columns, self._left, strict=True)):
            ranks, row = _divide(ranks, left)
            for other in taken[column.cell]:  # it is an index among the rows that are left
                row = row + (row >= other)
            if number not in self._last:
                _insert_numbers(row, taken[column.cell])
            if (forms := column.bits.shape[1]) > 1:
                ranks, form = _divide(ranks, forms)
                row = row * forms + form
            words[number] = row
        return words

    def _parities(self, filling: Numbers) -> NDArray[np.int8]:
        total = np.full(filling.shape[1], self._parity, dtype=np.int8)
        for column, numbers in zip(self._columns, filling, strict=True):
            total ^= column.bits.reshape(-1).take(numbers)
        return total


def _divide(numbers: Numbers, by: int) -> tuple[Numbers, Numbers]:
    """Quotient and remainder: dividing by one number is much faster than `divmod` of arrays."""
    quotient = numbers // by
    return quotient, numbers - quotient * by


def _insert_numbers(numbers: Numbers, ordered: list[Numbers]) -> None:
    """Add numbers to columns that are in order, row by row."""
    for place, each in enumerate(ordered):
        ordered[place], numbers = np.minimum(each, numbers), np.maximum(each, numbers)
    ordered.append(numbers)


def _count_signed(columns: Sequence[Numbers]) -> int:
    """All ways to give columns of one cell different rows, each way counted 1 or -1 by its split."""
    by_row = np.stack([signs.sum(axis=1) for signs in columns], axis=1)  # (rows, columns)
    if len(columns) == 1:
        return int(by_row.sum())
    ways = {0: 1}
    for signs in by_row.tolist():
        for done, count in list(ways.items()):
            for index, sign in enumerate(signs):
                if not done >> index & 1:
                    ways[done | 1 << index] = ways.get(done | 1 << index, 0) + count * sign
    return ways.get((1 << len(columns)) - 1, 0)
