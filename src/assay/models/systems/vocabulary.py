"""Words and their numbers, and which of them have pretrained vectors."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

import msgspec
import numpy
from numpy.typing import NDArray

from assay.language.text.tokens import tokens
from assay.models.systems.system_card import WordConfig

Token = TypeVar("Token")  # a number, or a row of them

PAD, UNKNOWN, START, END, NOTHING = range(5)
"""Numbers that are not words: padding, an unknown word, both ends of a text, and a partner for unaligned words."""

SPECIAL = 5

NUMERAL = "<number>"  # the word for all numbers, if they are treated as one

IN_DIGITS = re.compile(r"[0-9]+([.,:/-][0-9]+)*")


class Vocabulary(msgspec.Struct, frozen=True, dict=True):
    """Numbers for words: the special ones, words whose vectors are learned, then words with a ready vector.

    >>> words = Vocabulary(learned=("the",), ready=("dog", "runs"))
    >>> words.numbers(["the", "dog", "barks"])
    [5, 6, 1]
    """

    learned: tuple[str, ...]  # words of the training texts that have no ready vector
    ready: tuple[str, ...]
    lowercase: bool = True

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate((*self.learned, *self.ready), SPECIAL)}

    def __len__(self) -> int:
        return SPECIAL + len(self.learned) + len(self.ready)

    def words(self, text: str) -> Iterator[str]:
        """The words of a text, in the form in which they are looked up."""
        return (token.text for token in tokens(text.lower() if self.lowercase else text))

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The index of each word; UNKNOWN for words that are not in the vocabulary."""
        known = self._numbers
        return [known.get(word, UNKNOWN) for word in words]


def numbers_of(text: str, vocabulary: Vocabulary, config: WordConfig) -> list[int]:
    """A text as numbers, as a system over words reads it.

    >>> numbers_of("The dog barks", Vocabulary(learned=("the",), ready=("dog",)), WordConfig(ends=True))
    [2, 5, 6, 1, 3]
    """
    numbers = known_words(vocabulary.words(text), vocabulary, config)
    return frame_text(numbers, config, number=lambda number: number, special=lambda number: number)


def known_words(words: Iterable[str], vocabulary: Vocabulary, config: WordConfig) -> list[int]:
    """The indices of words, with numerals as the system reads them."""
    if config.numerals != "words":
        # No word is empty, so an empty one is unknown.
        words = with_one_numeral(words, NUMERAL if config.numerals == "one" else "")
    return vocabulary.numbers(words)


def frame_text(
    tokens: list[Token], config: WordConfig, *, number: Callable[[Token], int], special: Callable[[int], Token]
) -> list[Token]:
    """A text without the words that a system ignores, between the start and end tokens that it adds."""
    if config.drop_unknown:
        tokens = [token for token in tokens if number(token) >= START]
    if config.longest:
        tokens = tokens[: config.longest]
    if config.ends:
        tokens = [special(START), *tokens, special(END)]
    return [special(NOTHING), *tokens] if config.nothing else tokens


def with_one_numeral(words: Iterable[str], numeral: str) -> Iterator[str]:
    """The words, with `numeral` in place of all numbers in digits.

    >>> list(with_one_numeral(["in", "1,200", "3.5", "2nd"], "#"))
    ['in', '#', '#', '2nd']
    """
    return (numeral if IN_DIGITS.fullmatch(word) else word for word in words)


def vocabulary_of(
    texts: Iterable[str],
    *,
    ready: Collection[str],
    lowercase: bool,
    at_least: int,
    keep_unseen: bool,
    one_numeral: bool = False,
) -> Vocabulary:
    """The vocabulary for training texts and the words that have vectors.

    A word without a vector gets a learned one if it occurs at least this often in the texts; with 0, no word does.
    Words with a vector stay even if training never saw them (`keep_unseen`), since a frozen vector works for new texts
    too. With `one_numeral`, all numbers in digits are one word.
    """
    empty = Vocabulary((), (), lowercase)
    found = (word for text in texts for word in empty.words(text))
    counts = Counter(with_one_numeral(found, NUMERAL) if one_numeral else found)
    learned = sorted(word for word, count in counts.items() if 0 < at_least <= count and word not in ready)
    kept: Sequence[str] = sorted(word for word in ready if keep_unseen or word in counts)
    return Vocabulary(tuple(learned), tuple(kept), lowercase)


class Padded(NamedTuple):
    values: NDArray[numpy.int64]
    """(rows, longest), or (rows, longest, width) where each value is a row itself; 0 where a row has ended."""
    mask: NDArray[numpy.bool_]
    """(rows, longest); True where there is a value."""


class Ragged(msgspec.Struct, frozen=True):
    """Rows of different lengths.

    >>> rows = Ragged.of([[5, 6, 7], [], [8]])
    >>> len(rows), rows.lengths.tolist()
    (3, [3, 0, 1])
    >>> rows.pad_rows([2, 0]).values.tolist()
    [[8, 0, 0], [5, 6, 7]]
    """

    flat: NDArray[numpy.int32]  # all values, row after row: (values,) or (values, width)
    starts: NDArray[numpy.int64]  # start of each row, and the end of the last one

    @classmethod
    def of(cls, rows: Iterable[Sequence[int] | NDArray[numpy.int32]]) -> "Ragged":
        arrays = [numpy.asarray(row, dtype=numpy.int32) for row in rows]
        starts = numpy.cumsum([0, *map(len, arrays)], dtype=numpy.int64)
        return cls(numpy.concatenate(arrays) if arrays else numpy.zeros(0, dtype=numpy.int32), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[numpy.int64]:
        return numpy.diff(self.starts)

    def rows(self) -> list[NDArray[numpy.int32]]:
        return [self.flat[start:end] for start, end in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def pad_rows(self, rows: Sequence[int] | NDArray[numpy.int64]) -> Padded:
        """Rows padded to the longest of them, and to at least one position."""
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
