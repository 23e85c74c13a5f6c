"""A shift-reduce parser that builds binary trees like the parses of SNLI."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile
from zlib import crc32

import numpy
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError
from assay.language.trees.binary_trees import REDUCE, SHIFT, Steps

Numbers = NDArray[numpy.int64]
Flags = NDArray[numpy.bool_]

AROUND = 5
"""Places before and after a text: up to three are looked at, and two more are in sight of the filters over these."""

PLACES = 12

SIZES, LARGEST = 4, 5
"""Counts that are looked at in a state, and the largest that differs from larger ones."""


class States:
    """The states of a shift-reduce parser on many texts at once; each text has at least one word."""

    def __init__(self, lengths: Numbers) -> None:
        count, self.width = len(lengths), int(lengths.max(initial=0)) + 2 * AROUND
        self.lengths = lengths
        # Of each part on the stack: its first word, and the first word of its right part. The lowest are not real.
        self.starts = numpy.full((count, self.width + AROUND), -1, dtype=numpy.int64)
        self.splits = self.starts.copy()
        self.depth = numpy.zeros(count, dtype=numpy.int64)
        self.next = numpy.zeros(count, dtype=numpy.int64)

    def open(self, rows: Numbers) -> Numbers:
        """The texts whose tree is not yet complete."""
        return rows[(self.next[rows] < self.lengths[rows]) | (self.depth[rows] > 1)]

    def must_shift(self, rows: Numbers) -> Flags:
        """True where fewer than two parts are on the stack."""
        return self.depth[rows] < 2

    def must_reduce(self, rows: Numbers) -> Flags:
        """True where no word is left to shift."""
        return self.next[rows] >= self.lengths[rows]

    def start(self, rows: Numbers, below: int) -> Numbers:
        """The first word of a part on the stack: 0 is the top, 1 the part below it, ..."""
        return self.starts[rows, self.depth[rows] - 1 - below + AROUND]

    def step(self, rows: Numbers, reduce: Flags) -> None:
        """Shift or reduce once in each text."""
        joined, shifted = rows[reduce], rows[~reduce]
        top = self.depth[joined] - 1 + AROUND
        self.splits[joined, top - 1] = self.starts[joined, top]
        self.depth[joined] -= 1
        top = self.depth[shifted] + AROUND
        self.starts[shifted, top] = self.splits[shifted, top] = self.next[shifted]
        self.depth[shifted] += 1
        self.next[shifted] += 1

    def view(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """The features of the next decision in each text: positions of words, and sizes."""
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
        return (numpy.stack(seen, 1).clip(-1, self.width - AROUND - 1) + AROUND, numpy.stack(sizes, 1).clip(0, LARGEST))


DATA = Path(__file__).parent / "data" / "parser.npz"

AT_ONCE = 8_192
"""Places of words that are parsed together: texts times the longest of them. One text may have more."""

Values = NDArray[numpy.float64]
"""Twice the usual precision: with less, the texts that are parsed together could change a close decision."""


class Parser:
    """A small network decides in each state whether the last two parts are joined or a word comes in.

    Words are looked up by hashes of their spelling, of their ending and of the kinds of letters in them. Two layers of
    filters over neighbouring words follow, then a hidden layer over the words that a state shows.
    """

    def __init__(self, weights: dict[str, NDArray[numpy.float32]], *, digest: str = "") -> None:
        self.tables = [weights[name].astype(numpy.float64) for name in ("words", "endings", "shapes")]
        self.filters = [
            (weights[f"filter{n}"].astype(numpy.float64), weights[f"filter{n}_bias"].astype(numpy.float64))
            for n in (1, 2)
        ]
        self.sizes = weights["sizes"].astype(numpy.float64)  # (SIZES, LARGEST + 1, hidden)
        self.hidden = weights["hidden"].astype(numpy.float64)  # (PLACES * filters, hidden)
        self.hidden_bias = weights["hidden_bias"].astype(numpy.float64)
        self.output = weights["output"].astype(numpy.float64)  # (hidden,)
        self.output_bias = float(weights["output_bias"][0])
        self.digest = digest
        """The SHA-256 of the file that it was read from."""

    def parse(self, texts: Sequence[Sequence[str]]) -> list[Steps]:
        """The trees of texts that are split into words; a tree does not depend on the other texts.

        >>> from assay.language.trees.binary_trees import Tree, write_tree
        >>> words = "A man is playing a guitar .".split()
        >>> write_tree(Tree(tuple(words), load_parser().parse([words])[0]))
        '( ( A man ) ( ( is ( playing ( a guitar ) ) ) . ) )'
        """
        steps_of_texts: list[Steps] = [b""] * len(texts)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and (end + 1 - start) * (len(texts[order[end]]) + 2 * AROUND) <= AT_ONCE:
                end += 1
            chosen, start = order[start:end], end
            for place, steps in zip(chosen, self._parse_batch([texts[place] for place in chosen]), strict=True):
                steps_of_texts[place] = steps
        return steps_of_texts

    def _parse_batch(self, texts: Sequence[Sequence[str]]) -> list[Steps]:
        states = States(numpy.array([len(words) for words in texts], dtype=numpy.int64))
        decide = self.decisions(texts, states)
        taken: list[bytearray] = [bytearray() for _ in texts]
        rows = states.open(numpy.arange(len(texts)))
        while len(rows):
            reduce = ~states.must_shift(rows)
            undecided = reduce & ~states.must_reduce(rows)
            reduce[undecided] = decide(rows[undecided])
            states.step(rows, reduce)
            for row, joins in zip(rows.tolist(), reduce.tolist(), strict=True):
                taken[row].append(REDUCE if joins else SHIFT)
            rows = states.open(rows)
        return [bytes(steps) for steps in taken]

    def decisions(self, texts: Sequence[Sequence[str]], states: States) -> Callable[[Numbers], Flags]:
        """A function that decides for each row of `states` whether to reduce."""
        numbers = numbers_of(texts, [len(table) for table in self.tables])
        read = self._read(numbers).reshape(len(texts) * states.width, -1)  # (texts * places, filters)

        def reduces(rows: Numbers) -> Flags:
            places, sizes = states.view(rows)
            words = read[places + rows[:, None] * states.width]  # (rows, PLACES, filters)
            hidden = words.reshape(len(rows), len(self.hidden)) @ self.hidden + self.hidden_bias  # (rows, hidden)
            for kind, table in enumerate(self.sizes):
                hidden += table[sizes[:, kind]]
            reduce: Flags = numpy.maximum(hidden, 0) @ self.output + self.output_bias > 0
            return reduce

        return reduces

    def _read(self, numbers: Numbers) -> Values:
        """The vector of each word in its context, as an array (texts, positions, filters)."""
        words = numpy.concatenate([table[numbers[..., kind]] for kind, table in enumerate(self.tables)], -1)
        first = _filter_places(words, *self.filters[0])
        return first + _filter_places(first, *self.filters[1])


def _filter_places(states: Values, weights: Values, bias: Values) -> Values:
    """Apply a filter of width 3, `weights` of shape (3 * size, filters), at every position."""
    around = numpy.pad(states, ((0, 0), (1, 1), (0, 0)))
    three = numpy.concatenate([around[:, :-2], around[:, 1:-1], around[:, 2:]], -1)  # (texts, places, 3 * size)
    return numpy.maximum(three @ weights + bias, 0)


def numbers_of(texts: Sequence[Sequence[str]], sizes: Sequence[int]) -> Numbers:
    """Table rows of the words, as an array (texts, positions, kinds) for tables of these sizes; 0 means no word."""
    width = max(map(len, texts), default=0) + 2 * AROUND
    numbers = numpy.zeros((len(texts), width, len(sizes)), dtype=numpy.int64)
    for row, words in enumerate(texts):
        if words:
            numbers[row, AROUND : AROUND + len(words)] = [*map(word_hashes, words)]
    there = numbers[..., :1] != 0
    places: Numbers = (numbers % (numpy.array(sizes) - 1) + 1) * there
    return places


@lru_cache(maxsize=1 << 16)
def word_hashes(word: str) -> tuple[int, int, int]:
    """Hashes of a word in lower case, of its ending, and of its letter shapes; never 0."""
    folded = word.lower()
    kinds = {"0" if sign.isdigit() else "a" if sign.islower() else "A" if sign.isupper() else sign for sign in word}
    known = folded, f"-{folded[-3:]}", f"#{''.join(sorted(kinds))}{word[:1].isupper():d}"
    first, second, third = (crc32(each.encode("utf-8", "surrogatepass")) + 1 for each in known)
    return first, second, third


@cache
def load_parser() -> Parser:
    """The parser that comes with Assay, loaded once per process."""
    try:
        data = DATA.read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            f"These texts bring no parses, and the parser that finds them is not there: {DATA}\n"
            "  Install Assay again, or train the parser on the parses of SNLI's dev file with tools/parser.py."
        ) from error
    try:
        with numpy.load(BytesIO(data), allow_pickle=False) as stored:
            weights = {name: _load_weights(stored, name) for name in stored.files if not name.endswith(SCALE)}
            return Parser(weights, digest=sha256(data).hexdigest())
    except (BadZipFile, EOFError, KeyError, OSError, ValueError) as error:
        raise BadInputError(f"damaged: {error}", where=str(DATA), hint="Install Assay again.") from error


SCALE = ".scale"


def _load_weights(stored: "numpy.lib.npyio.NpzFile", name: str) -> NDArray[numpy.float32]:
    values: NDArray[numpy.float32] = stored[name].astype(numpy.float32)
    return values * stored[name + SCALE] if name + SCALE in stored.files else values


def pack_weights(weights: dict[str, NDArray[numpy.float32]]) -> dict[str, NDArray[numpy.generic]]:
    """Weights as stored: 8-bit integers with a scale for each column; biases in full precision."""
    packed: dict[str, NDArray[numpy.generic]] = {}
    for name, values in weights.items():
        if values.ndim < 2:
            packed[name] = values
            continue
        scale = (numpy.abs(values).max(0, keepdims=True).clip(min=1e-12) / 127).astype(numpy.float32)
        packed[name] = numpy.rint(values / scale).astype(numpy.int8)
        packed[name + SCALE] = scale
    return packed
