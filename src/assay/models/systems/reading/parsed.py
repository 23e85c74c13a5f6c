"""Words with the tree that puts them together, for systems that compose texts as their syntax does."""

from collections.abc import Sequence
from typing import ClassVar

import numpy
from numpy.typing import NDArray

from assay.language.trees.binary import REDUCE, SHIFT, Tree, nodes, restricted
from assay.language.trees.finding import trees
from assay.language.trees.parser import parser
from assay.models.systems.config import ParsedConfig
from assay.models.systems.reading.ragged import Padded
from assay.models.systems.reading.vocabulary import END, NOTHING, START, known_words
from assay.models.systems.reading.words import Arrays, Axes, WordReader

_LEFT, _RIGHT, _LEVEL = 1, 2, 3


class ParsedReader(WordReader):
    """Each word has a number; beside all but the last is a part that two parts are joined to, lower parts first.

    Of a batch, a network takes positions: 0 is nothing, then come all words, text after text, then all joined parts,
    level after level, so that it can join the parts of a level at once.
    """

    name = "parsed"
    Config = ParsedConfig
    config: ParsedConfig
    text_axes: ClassVar[Axes] = {
        **WordReader.text_axes,
        "left": ("parts",),
        "right": ("parts",),
        "counts": ("levels",),
        "root": ("rows",),
    }
    """Of each part, the positions of what is joined; the parts of each level; and the position of each text."""

    @property
    def edition(self) -> str:
        return "" if self.config.trees == "right" else parser().digest

    def read(self, texts: Sequence[str], parses: Sequence[str | None] = ()) -> list[NDArray[numpy.int32]]:
        # Which words are left out is only known after a look at all of them.
        longest = 0 if self.config.drop_unknown else self.config.longest
        return list(map(self._rows, trees(texts, parses, origin=self.config.trees, longest=longest)))

    def _rows(self, tree: Tree) -> NDArray[numpy.int32]:
        config, steps = self.config, tree.steps
        words = (word.lower() for word in tree.words) if self.vocabulary.lowercase else tree.words
        numbers = known_words(words, self.vocabulary, config)
        if config.drop_unknown or 0 < config.longest < len(numbers):
            known = [place for place, number in enumerate(numbers) if not config.drop_unknown or number >= START]
            kept = {*known[: config.longest or None]}
            steps = restricted(steps, [place in kept for place in range(len(numbers))])
            numbers = [number for place, number in enumerate(numbers) if place in kept]
        if config.ends:
            joins = [REDUCE] * (2 if steps else 1)
            numbers, steps = [START, *numbers, END], bytes([SHIFT, *steps, SHIFT, *joins])
        if config.nothing:
            numbers, steps = [NOTHING, *numbers], bytes([SHIFT, *steps, *([REDUCE] if steps else [])])
        found = numpy.zeros((len(numbers), 4), dtype=numpy.int32)
        found[:, 0] = numbers
        if parts := nodes(steps):
            found[: len(parts), 1:] = parts
        return found

    def of_text(self, texts: Padded) -> Arrays:
        numbers, levels = texts.values[..., 0], texts.values[..., _LEVEL]
        lengths = texts.mask.sum(1)
        first = 1 + lengths.cumsum() - lengths  # (rows,): the position of each text's first word
        rows, places = numpy.nonzero(levels)
        order = levels[rows, places].argsort(kind="stable")
        rows, places = rows[order], places[order]  # (parts,)
        positions = numpy.zeros(levels.shape, dtype=numpy.int64)
        positions[rows, places] = 1 + lengths.sum() + numpy.arange(len(rows))

        def resolved(side: int) -> NDArray[numpy.int64]:
            children = texts.values[rows, places, side]
            found: NDArray[numpy.int64] = numpy.where(
                children < 0, positions[rows, -children - 1], first[rows] + children
            )
            return found

        several = numpy.arange(len(lengths)), numpy.maximum(lengths - 2, 0)
        root = numpy.where(lengths > 1, positions[several], first * (lengths > 0))
        counts = numpy.bincount(levels[rows, places])[1:]
        return numbers, texts.mask, resolved(_LEFT), resolved(_RIGHT), counts, root
