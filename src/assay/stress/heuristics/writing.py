"""Writing sentences and trees: once for a whole block, as a text with holes, or for one filling."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.pair import Parses
from assay.language.fragment.lexicon import Lexicon
from assay.language.fragment.trees import Leaf, Node, Writer, binary, binary_leaf, capital, penn, tag_of, tagged
from assay.stress.heuristics.blocks import Block, Numbers
from assay.stress.heuristics.patterns import Piece, Slot, Variant
from assay.stress.heuristics.quirks import DOUBLED_THE, OBJECT_TAG

HOLE = "%s"


class Writing(NamedTuple):
    """How one text of a block's pairs is written: a text with holes, and the words for each."""

    text: str
    holes: tuple["Hole", ...]

    def write(self, drawn: Sequence[Numbers]) -> Iterator[str]:
        """The texts of all fillings."""
        columns = (hole.words[drawn[hole.column]].tolist() for hole in self.holes)
        return map(self.text.__mod__, zip(*columns, strict=True))


class Hole(NamedTuple):
    """A place that a word is written to."""

    column: int
    """The number of the word's column."""
    words: NDArray[np.object_]
    """How each word of the column is written there."""


def writings(block: Block, lexicon: Lexicon, quirks: frozenset[str]) -> tuple[Writing, ...]:
    """Premise, hypothesis, their trees, their binary trees."""
    variant, released = block.filled.variant, block.filled.released
    sides = (variant.premise, variant.hypothesis)
    pieces = released if released and DOUBLED_THE in quirks else tuple(side.pieces for side in sides)
    columns = {column.slot.name: (number, column.words) for number, column in enumerate(block.columns)}
    slots = {slot.name: slot for slot in variant.slots}
    penn_word = _penn_word(slots, lexicon, quirks)

    def with_holes(tree: Node, write: Callable[[Node, Writer], str], word: Callable[[Leaf, str, int], str]) -> Writing:
        holes: list[Hole] = []

        def hole(leaf: Leaf, position: int) -> str:
            if leaf.token.text not in columns:
                return word(leaf, leaf.token.text, position)
            column, words = columns[leaf.token.text]
            holes.append(Hole(column, _array(word(leaf, each, position) for each in words)))
            return HOLE

        text = write(tree, hole)
        return Writing(text, tuple(holes))

    return (
        *(_sentence(each, columns) for each in pieces),
        *(with_holes(side.tree, penn, penn_word) for side in sides),
        *(with_holes(side.tree, binary, _binary_word) for side in sides),
    )


def parses(variant: Variant, words: Mapping[str, str], lexicon: Lexicon, quirks: frozenset[str]) -> Parses:
    """The trees of one filling."""
    penn_word = _penn_word({slot.name: slot for slot in variant.slots}, lexicon, quirks)

    def write_penn(leaf: Leaf, position: int) -> str:
        return penn_word(leaf, words.get(leaf.token.text, leaf.token.text), position)

    def write_binary(leaf: Leaf, position: int) -> str:
        return _binary_word(leaf, words.get(leaf.token.text, leaf.token.text), position)

    premise, hypothesis = variant.premise.tree, variant.hypothesis.tree
    return Parses(
        premise=penn(premise, write_penn),
        hypothesis=penn(hypothesis, write_penn),
        premise_binary=binary(premise, write_binary),
        hypothesis_binary=binary(hypothesis, write_binary),
    )


def _sentence(pieces: Sequence[Piece], columns: Mapping[str, tuple[int, list[str]]]) -> Writing:
    texts: list[str] = []
    holes: list[Hole] = []
    for position, piece in enumerate(pieces):
        if isinstance(piece, Slot):
            column, words = columns[piece.name]
            holes.append(Hole(column, _array(capital(word, position) for word in words)))
            texts.append(HOLE)
        else:
            texts.append(capital(piece, position))
    return Writing(" ".join(texts), tuple(holes))


def _penn_word(
    slots: Mapping[str, Slot], lexicon: Lexicon, quirks: frozenset[str]
) -> Callable[[Leaf, str, int], str]:
    """How a word is written under a leaf of a pattern."""

    def write(leaf: Leaf, word: str, position: int) -> str:
        slot = slots.get(leaf.token.text)
        quirky = slot is not None and slot.of_vp and OBJECT_TAG in quirks
        tag = "NN" if quirky else tag_of(Leaf(leaf.symbol, lexicon.tokens[word]))
        return tagged(tag, capital(word, position))

    return write


def _binary_word(leaf: Leaf, word: str, position: int) -> str:
    return binary_leaf(Leaf(leaf.symbol, leaf.token._replace(text=word)), position)


def _array(words: Iterable[str]) -> NDArray[np.object_]:
    return np.array(list(words), dtype=np.object_)
