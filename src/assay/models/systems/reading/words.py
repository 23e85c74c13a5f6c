"""How a system over words reads texts: the same with PyTorch and without."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy
from numpy.typing import NDArray

from assay.models.systems.config import WordConfig
from assay.models.systems.reading.ragged import Padded
from assay.models.systems.reading.vocabulary import Vocabulary, framed, known_words, numbers_of

ReaderName = Literal["words", "spelled", "related", "parsed"]
Tokens = Sequence[int] | NDArray[numpy.int32]
Arrays = tuple[NDArray[Any], ...]
Axes = dict[str, tuple[str, ...]]
"""What a network takes, by name, and what each dimension of it counts."""


class WordReader:
    """A text is the numbers of its words."""

    name: ClassVar[ReaderName] = "words"
    Config: ClassVar[type[WordConfig]] = WordConfig
    text_axes: ClassVar[Axes] = {"": ("rows", "words"), "mask": ("rows", "words")}
    """What a network takes of each text; numbers come first, and vectors take their place once they are looked up."""
    pair_axes: ClassVar[Axes] = {}
    """What it takes beside both texts."""

    def __init__(self, vocabulary: Vocabulary, config: WordConfig) -> None:
        self.vocabulary = vocabulary
        self.config = config

    @classmethod
    def names(cls, side: str = "") -> list[str]:
        """The names of a network's inputs: what it takes of premises or hypotheses, or of texts alone.

        >>> WordReader.names("premise"), WordReader.names()
        (['premise', 'premise_mask'], ['text', 'mask'])
        """
        if side:
            return [f"{side}_{what}" if what else side for what in cls.text_axes]
        return [what or "text" for what in cls.text_axes]

    @property
    def edition(self) -> str:
        """Of the resources that decide what is read; empty where there are none."""
        return ""

    def tokens(self, text: str) -> Tokens:
        """A text as numbers: one for each word, or a row of them."""
        return numbers_of(text, self.vocabulary, self.config)

    def read(self, texts: Sequence[str], parses: Sequence[str | None] = ()) -> Sequence[Tokens]:  # noqa: ARG002
        """Texts as numbers; `parses` are the trees that they bring, for readers that want any."""
        return list(map(self.tokens, texts))

    def of_text(self, texts: Padded) -> Arrays:
        """What a network takes of texts, as in `text_axes`."""
        return tuple(texts)

    def of_pair(self, premises: Padded, hypotheses: Padded) -> Arrays:  # noqa: ARG002 - nothing is taken of both
        """What a network takes of texts together, as in `pair_axes`."""
        return ()


class RowReader(WordReader):
    """A text is a row of numbers for each word: the word's own, and more."""

    width: int
    """How many more."""

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:
        """What is read of each word beside its number."""
        raise NotImplementedError

    def tokens(self, text: str) -> NDArray[numpy.int32]:
        words = list(self.vocabulary.words(text))
        numbers = known_words(words, self.vocabulary, self.config)
        rows = [[number, *more] for number, more in zip(numbers, self.more(text, words, numbers), strict=True)]
        nothing = [0] * self.width
        found = framed(rows, self.config, number=lambda row: row[0], special=lambda number: [number, *nothing])
        return numpy.array(found, dtype=numpy.int32).reshape(-1, 1 + self.width)

    def of_text(self, texts: Padded) -> Arrays:
        return texts.values[..., 0], texts.mask
