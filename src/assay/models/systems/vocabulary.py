"""Words and their numbers, and which of them have a vector from elsewhere."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

import msgspec

from assay.language.text.tokens import tokens
from assay.models.systems.config import WordConfig

PAD, UNKNOWN, START, END, NOTHING = range(5)
"""Numbers that are not words: padding, an unknown word, both ends of a text, and a partner for unaligned words."""

SPECIAL = 5
"""How many of these there are."""


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
    numbers = vocabulary.numbers(vocabulary.words(text))
    if config.drop_unknown:
        numbers = [number for number in numbers if number >= START]
    if config.longest:
        numbers = numbers[: config.longest]
    if config.ends:
        numbers = [START, *numbers, END]
    return [NOTHING, *numbers] if config.nothing else numbers


def vocabulary_of(
    texts: Iterable[str], *, ready: Collection[str], lowercase: bool, at_least: int, keep_unseen: bool
) -> Vocabulary:
    """The vocabulary for training texts and the words that have vectors.

    A word without a vector gets a learned one if it occurs often enough in the texts; with 0, none does. Words with a
    vector stay even if training never saw them (`keep_unseen`), since a frozen vector works for new texts too.
    """
    empty = Vocabulary((), (), lowercase)
    counts = Counter(word for text in texts for word in empty.words(text))
    learned = sorted(word for word, count in counts.items() if 0 < at_least <= count and word not in ready)
    kept: Sequence[str] = sorted(word for word in ready if keep_unseen or word in counts)
    return Vocabulary(tuple(learned), tuple(kept), lowercase)
