"""Words and their numbers, and which of them have a vector from elsewhere."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec

from assay.language.text.tokens import tokens
from assay.models.systems.config import WordConfig

Token = TypeVar("Token")
"""A number, or a row of them."""

PAD, UNKNOWN, START, END, NOTHING = range(5)
"""Numbers that are not words: padding, an unknown word, both ends of a text, and a partner for unaligned words."""

SPECIAL = 5
"""How many of these there are."""

NUMERAL = "<number>"
"""The word for all numbers, if they are treated as one."""

IN_DIGITS = re.compile(r"[0-9]+([.,:/-][0-9]+)*")


class Vocabulary(msgspec.Struct, frozen=True, dict=True):
    """Numbers for words: the special ones, words whose vectors are learned, then words with a ready vector.

    >>> words = Vocabulary(learned=("the",), ready=("dog", "runs"))
    >>> words.numbers(["the", "dog", "barks"])
    [5, 6, 1]
    """

    learned: tuple[str, ...]
    """Words of the training texts that have no ready vector."""
    ready: tuple[str, ...]
    """Words with a vector."""
    lowercase: bool = True
    """Whether capitals are ignored."""

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate((*self.learned, *self.ready), SPECIAL)}

    def __len__(self) -> int:
        return SPECIAL + len(self.learned) + len(self.ready)

    def words(self, text: str) -> Iterator[str]:
        """The words of a text, in the form in which they are looked up."""
        return (token.text for token in tokens(text.lower() if self.lowercase else text))

    def numbers(self, words: Iterable[str]) -> list[int]:
        """Numbers of words; UNKNOWN for a word that is not there."""
        known = self._numbers
        return [known.get(word, UNKNOWN) for word in words]


def numbers_of(text: str, vocabulary: Vocabulary, config: WordConfig) -> list[int]:
    """A text as a system over words reads it.

    >>> numbers_of("The dog barks", Vocabulary(learned=("the",), ready=("dog",)), WordConfig(ends=True))
    [2, 5, 6, 1, 3]
    """
    numbers = known_words(vocabulary.words(text), vocabulary, config)
    return framed(numbers, config, number=lambda number: number, special=lambda number: number)


def known_words(words: Iterable[str], vocabulary: Vocabulary, config: WordConfig) -> list[int]:
    """The numbers of words as a system takes them."""
    if config.numerals != "words":
        # No word is empty, so an empty one is unknown.
        words = with_one_numeral(words, NUMERAL if config.numerals == "one" else "")
    return vocabulary.numbers(words)


def framed(
    tokens: list[Token], config: WordConfig, *, number: Callable[[Token], int], special: Callable[[int], Token]
) -> list[Token]:
    """A text without the words that a system leaves out, and with the signs that it puts around it."""
    if config.drop_unknown:
        tokens = [token for token in tokens if number(token) >= START]
    if config.longest:
        tokens = tokens[: config.longest]
    if config.ends:
        tokens = [special(START), *tokens, special(END)]
    return [special(NOTHING), *tokens] if config.nothing else tokens


def with_one_numeral(words: Iterable[str], numeral: str) -> Iterator[str]:
    """Words, with one in place of all numbers in digits.

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
