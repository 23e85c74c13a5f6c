"""Blocks: all fillings of a variant without a repeated word, numbered, so that no draw ever has to be undone.

The words of a variant's slots are sorted into cells, such that two slots of a block draw from the same cell or from
cells without a common word. How many fillings there are is then a product, and the filling of a number is found by
division.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import product
from math import isqrt, prod
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.language.fragment.fragment_lexicon import FragmentLexicon
from assay.stress.heuristics.counterexample import TOWN_TWICE
from assay.stress.heuristics.grammar import FilledVariant, Grammar
from assay.stress.heuristics.template_patterns import ARTICLE, PatternSlot

Numbers = NDArray[np.int64]
Bits = NDArray[np.uint64]

ROUNDS = 4

_HALF = np.uint64(32)
_ODD = np.uint64(0x9E3779B97F4A7C15)


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
    numbers = _sent_through(np.arange(start, stop, dtype=np.uint64), keys, side)
    while (outside := np.flatnonzero(numbers >= above)).size:
        numbers[outside] = _sent_through(numbers[outside], keys, side)
    return numbers.view(np.int64)


def _sent_through(numbers: Bits, keys: Bits, side: np.uint64) -> Bits:
    left = numbers // side
    right = numbers - left * side
    for key in keys:
        added = left + (((right ^ key) * _ODD >> _HALF) * side >> _HALF)  # less than twice the side
        left, right = (
            right,
            np.minimum(added, added - side),
        )  # what would be below 0 wraps around to the highest numbers
    return left * side + right


def draw_chances(count: int, *, key: str) -> NDArray[np.float64]:
    """Random numbers above 0 and at most 1.

    >>> bool((draw_chances(1000, key="k") > 0).all()), round(float(draw_chances(1000, key="k").mean()), 1)
    (True, 0.5)
    """
    start = np.uint64(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
    numbers = start + np.arange(count, dtype=np.uint64) * _ODD
    return ((_mix_bits(numbers) >> np.uint64(11)).astype(np.float64) + 1) / (1 << 53)


def _mix_bits(numbers: Bits) -> Bits:
    """Bits that look random, the higher ones most (after SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)


Split = Literal["evaluation", "training"]
SPLITS: tuple[Split, Split] = ("evaluation", "training")


@cache
def word_bit(word: str) -> int:
    """0 or 1, by the word alone; articles are ignored, so that a doubled one changes nothing."""
    return 0 if word == ARTICLE else hashlib.blake2b(word.encode(), digest_size=1).digest()[0] & 1


class SlotWords(NamedTuple):
    """One slot of a block: the words that it draws from."""

    slot: PatternSlot
    cell: int
    """The cell; columns of the same cell never draw the same lemma."""
    forms: tuple[tuple[str, ...], ...]
    """The forms of each lemma; every lemma of a cell has the same number."""

    @property
    def words(self) -> list[str]:
        """All forms, lemma by lemma."""
        return [form for forms in self.forms for form in forms]


class FillingBlock:
    """Fillings of a variant that are all equally likely."""

    def __init__(self, filled: FilledVariant, columns: Sequence[SlotWords], *, weight: float, parity: int) -> None:
        self.filled = filled
        self.columns = columns
        self.weight = weight
        """The probability that a draw gives one particular filling."""
        self._parity = parity
        before = [sum(other.cell == column.cell for other in columns[:n]) for n, column in enumerate(columns)]
        self._lemmas = [len(column.forms) - taken for column, taken in zip(columns, before, strict=True)]
        self._forms = [len(column.forms[0]) for column in columns]
        self._last = set({column.cell: row for row, column in enumerate(columns)}.values())  # of its cell
        self.size = prod(self._lemmas) * prod(self._forms)

    @cached_property
    def sizes(self) -> dict[Split, int]:
        """The number of fillings in each half: all fillings, counted with a sign for their half."""
        signed = (-1) ** self._parity
        for cell in {column.cell for column in self.columns}:
            signed *= _signed_count([column for column in self.columns if column.cell == cell])
        return dict(zip(SPLITS, ((self.size + signed) // 2, (self.size - signed) // 2), strict=True))

    def draw(self, count: int, split: Split, key: str) -> Numbers:
        """`count` different fillings of a half: the number of each column's word, one row per column."""
        drawn: list[Numbers] = []
        start, missing = 0, count
        while missing > 0:
            stop = min(start + 2 * missing + 3 * isqrt(missing) + 8, self.size)  # half of them, and a margin
            filling = self._fillings(shuffle_range(start, stop, size=self.size, key=key))
            kept = np.flatnonzero(self._parities(filling) == SPLITS.index(split))[:missing]
            drawn.append(filling.take(kept, axis=1))
            missing -= len(kept)
            start = stop
        return drawn[0] if len(drawn) == 1 else np.concatenate(drawn, axis=1)

    def _fillings(self, ranks: Numbers) -> Numbers:
        taken: dict[int, list[Numbers]] = {column.cell: [] for column in self.columns}
        words = np.empty((len(self.columns), len(ranks)), dtype=np.int64)
        for row, (column, left, forms) in enumerate(zip(self.columns, self._lemmas, self._forms, strict=True)):
            ranks, lemma = _divide(ranks, left)
            for other in taken[column.cell]:  # it is an index among the lemmas that are left
                lemma = lemma + (lemma >= other)
            if row not in self._last:
                _insert_numbers(lemma, taken[column.cell])
            if forms > 1:
                ranks, form = _divide(ranks, forms)
                lemma = lemma * forms + form
            words[row] = lemma
        return words

    def _parities(self, filling: Numbers) -> NDArray[np.int8]:
        total = np.full(filling.shape[1], self._parity, dtype=np.int8)
        for bits, numbers in zip(self._bits, filling, strict=True):
            total ^= bits.take(numbers)
        return total

    @cached_property
    def _bits(self) -> list[NDArray[np.int8]]:
        return [np.array([_count_bits(word) for word in column.words], dtype=np.int8) for column in self.columns]


def make_blocks(filled: FilledVariant, grammar: Grammar, quirks: frozenset[str]) -> Iterator[FillingBlock]:
    """The blocks of a variant; together they are all its fillings without a repeated word."""
    literals = [piece for piece in filled.variant.premise.pieces if isinstance(piece, str) and piece != ARTICLE]
    if len(set(literals)) < len(literals):
        return
    share = (
        filled.template.weight / sum(each.weight for each in filled.subcase.templates) * float(filled.variant.weight)
    )
    by_slot = [_by_lemma(slot, grammar.lexicon, set(literals)) for slot in filled.variant.slots]
    twice = [grammar.twice.get(slot.kind, []) if TOWN_TWICE in quirks else [] for slot in filled.variant.slots]
    cells = _group_lemmas(by_slot, twice)
    signatures = list(cells)
    able = [[n for n, signature in enumerate(signatures) if signature[slot]] for slot in range(len(by_slot))]
    for chosen in product(*able):
        if any(chosen.count(cell) > len(cells[signatures[cell]]) for cell in chosen):
            continue
        weight, columns = share, []
        for number, (slot, cell) in enumerate(zip(filled.variant.slots, chosen, strict=True)):
            lemmas = cells[signatures[cell]]
            weight *= (2 if lemmas[0] in twice[number] else 1) / (len(slot.words) + len(twice[number]))
            columns.append(SlotWords(slot, cell, tuple(by_slot[number][lemma] for lemma in lemmas)))
        yield FillingBlock(filled, columns, weight=weight, parity=sum(map(word_bit, literals)) % 2)


def _divide(numbers: Numbers, by: int) -> tuple[Numbers, Numbers]:
    """Quotient and remainder: dividing by one number is much faster than `divmod` of arrays."""
    quotient = numbers // by
    return quotient, numbers - quotient * by


def _insert_numbers(numbers: Numbers, ordered: list[Numbers]) -> None:
    """Add numbers to columns that are in order, row by row."""
    for place, each in enumerate(ordered):
        ordered[place], numbers = np.minimum(each, numbers), np.maximum(each, numbers)
    ordered.append(numbers)


def _by_lemma(slot: PatternSlot, lexicon: FragmentLexicon, literals: set[str]) -> dict[str, tuple[str, ...]]:
    forms_by_lemma: dict[str, list[str]] = {}
    for word in slot.words:
        if literals.isdisjoint(word.split()):
            forms_by_lemma.setdefault(lexicon.lemmas.get(word, word), []).append(word)
    return {lemma: tuple(forms) for lemma, forms in forms_by_lemma.items()}


def _group_lemmas(
    by_slot: Sequence[dict[str, tuple[str, ...]]], twice: Sequence[list[str]]
) -> dict[tuple[tuple[int, ...], ...], list[str]]:
    """Lemmas by what they offer each slot: how many forms, and whether they are drawn twice as often."""
    cells: dict[tuple[tuple[int, ...], ...], list[str]] = {}
    for lemma in dict.fromkeys(lemma for forms in by_slot for lemma in forms):
        signature = tuple(
            (len(forms[lemma]), lemma in often) if lemma in forms else ()
            for forms, often in zip(by_slot, twice, strict=True)
        )
        cells.setdefault(signature, []).append(lemma)
    return cells


def _signed_count(columns: Sequence[SlotWords]) -> int:
    """All ways to give columns of one cell different lemmas, each way counted 1 or -1 by its half."""
    ways = {0: 1}
    for number in range(len(columns[0].forms)):
        signs = [sum((-1) ** _count_bits(form) for form in column.forms[number]) for column in columns]
        for done, count in list(ways.items()):
            for index, sign in enumerate(signs):
                if not done >> index & 1:
                    ways[done | 1 << index] = ways.get(done | 1 << index, 0) + count * sign
    return ways.get((1 << len(columns)) - 1, 0)


def _count_bits(word: str) -> int:
    return sum(map(word_bit, word.split())) % 2
