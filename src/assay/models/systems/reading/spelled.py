"""Words with their letters, for systems that look into words."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

import numpy
from numpy.typing import NDArray

from assay.models.systems.config import SpelledConfig
from assay.models.systems.reading.ragged import Padded
from assay.models.systems.reading.vocabulary import UNKNOWN, Vocabulary
from assay.models.systems.reading.words import Arrays, Axes, RowReader

ALPHABET = "".join(map(chr, range(ord(" "), ord("~") + 1)))
NO_LETTER, STRANGE_LETTER, FIRST_LETTER = range(3)
LETTERS = FIRST_LETTER + len(ALPHABET)
"""Numbers of letters: none, one that is not in the alphabet, and the alphabet's."""

_EACH, _BITS = 4, 7
"""Letters that are kept in one number, and what each takes: letters of a whole corpus would fill the memory."""


class SpelledReader(RowReader):
    """Each word has a number, and letters of its own also where it is unknown."""

    name = "spelled"
    Config = SpelledConfig
    config: SpelledConfig
    text_axes: ClassVar[Axes] = {**RowReader.text_axes, "letters": ("rows", "words", "letters")}

    def __init__(self, vocabulary: Vocabulary, config: SpelledConfig) -> None:
        super().__init__(vocabulary, config)
        self.width = -(-config.letters // _EACH)

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:  # noqa: ARG002
        if self.config.spell_unknown:
            return [packed(word, self.config.letters) for word in words]
        spelled = ("UNK" if number == UNKNOWN else word for word, number in zip(words, numbers, strict=True))
        return [packed(word, self.config.letters) for word in spelled]

    def of_text(self, texts: Padded) -> Arrays:
        return *super().of_text(texts), unpacked(texts.values[..., 1:])


@cache
def packed(word: str, longest: int) -> tuple[int, ...]:
    """The letters of a word, four to a number.

    >>> packed("a!", 8)
    (451, 0)
    """
    places = (ALPHABET.find(letter) for letter in word[:longest])
    numbers = [STRANGE_LETTER if place < 0 else FIRST_LETTER + place for place in places]
    numbers += [NO_LETTER] * (-longest % _EACH + longest - len(numbers))
    return tuple(
        sum(number << _BITS * place for place, number in enumerate(numbers[start : start + _EACH]))
        for start in range(0, len(numbers), _EACH)
    )


def unpacked(numbers: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """(..., letters): up to the last letter of the longest word, and one at the least.

    >>> [letter and ALPHABET[letter - FIRST_LETTER] for letter in unpacked(numpy.array(packed("a!", 8)))]
    ['a', '!']
    """
    letters = numbers[..., None] >> _BITS * numpy.arange(_EACH) & (1 << _BITS) - 1  # (..., numbers, 4)
    letters = letters.reshape(*numbers.shape[:-1], -1)
    used = numpy.flatnonzero(letters.reshape(-1, letters.shape[-1]).any(0))
    return letters[..., : used[-1] + 1 if len(used) else 1]
