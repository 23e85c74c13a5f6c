"""Writing sentences and trees: for a whole block at once, as columns of text, or for one filling."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from assay.core.pair import Parses
from assay.language.fragment.lexicon import Lexicon
from assay.language.fragment.trees import Leaf, Node, Writer, binary, binary_leaf, capital, penn, tag_of, tagged
from assay.stress.heuristics.blocks import Block
from assay.stress.heuristics.patterns import Piece, Slot, Variant
from assay.stress.heuristics.quirks import DOUBLED_THE, OBJECT_TAG
from assay.stress.heuristics.shuffle import Numbers

END = "\n"
"""The separator after each text."""

TEXTS = 6
"""How many texts a pair has."""

AT_ONCE = 500
"""How many fillings are written together."""

HOLE = "\0"
"""The placeholder for a word in a text."""

Speller = Callable[[Leaf, str, int], str]
"""How a word is written as a leaf, at a position."""


class Part(NamedTuple):
    """A word of a text with the text before it; the last one also with the text after it."""

    column: int
    """The number of the word's column."""
    texts: list[str]
    """What is written for each word of the column."""


class Sheet:
    """How all texts of a block's pairs are written: premise, hypothesis, their trees, their binary trees."""

    def __init__(self, block: Block, lexicon: Lexicon, quirks: frozenset[str]) -> None:
        parts = [part for text in _texts(block, lexicon, quirks) for part in text]
        self._texts = np.array([text for part in parts for text in part.texts], dtype=np.object_)
        self._columns = np.array([part.column for part in parts])
        sizes = [0, *(len(part.texts) for part in parts[:-1])]
        self._starts = np.cumsum(sizes)[:, np.newaxis]  # the index of each part's first text

    def write(self, drawn: Numbers) -> Iterator[tuple[str, ...]]:
        """The six texts of each filling."""
        count = drawn.shape[1]
        return chain.from_iterable(self._written(drawn[:, at : at + AT_ONCE]) for at in range(0, count, AT_ONCE))

    def _written(self, drawn: Numbers) -> Iterator[tuple[str, ...]]:
        numbers = drawn.take(self._columns, axis=0) + self._starts
        # One join and one split for all texts together are much faster than a join for each.
        texts = iter("".join(self._texts[numbers.T].ravel().tolist()).split(END))
        return zip(*[texts] * TEXTS, strict=False)  # after the last end there is one more, empty text


def _texts(block: Block, lexicon: Lexicon, quirks: frozenset[str]) -> Iterator[list[Part]]:
    variant, released = block.filled.variant, block.filled.released
    sides = (variant.premise, variant.hypothesis)
    for pieces in released if released and DOUBLED_THE in quirks else [side.pieces for side in sides]:
        yield _sentence(pieces, block)
    for side in sides:
        yield _tree(side.tree, penn, _penn_speller(variant, lexicon, quirks), block)
    for side in sides:
        yield _tree(side.tree, binary, _spell_binary, block)


def parses(variant: Variant, words: Mapping[str, str], lexicon: Lexicon, quirks: frozenset[str]) -> Parses:
    """The trees of one filling."""

    def writer(spell: Speller) -> Writer:
        return lambda leaf, position: spell(leaf, words.get(leaf.token.text, leaf.token.text), position)

    labelled, plain = writer(_penn_speller(variant, lexicon, quirks)), writer(_spell_binary)
    return Parses(
        premise=penn(variant.premise.tree, labelled),
        hypothesis=penn(variant.hypothesis.tree, labelled),
        premise_binary=binary(variant.premise.tree, plain),
        hypothesis_binary=binary(variant.hypothesis.tree, plain),
    )


def _sentence(pieces: Sequence[Piece], block: Block) -> list[Part]:
    text = " ".join(HOLE if isinstance(piece, Slot) else capital(piece, at) for at, piece in enumerate(pieces))
    holes = [(piece.name, partial(capital, position=at)) for at, piece in enumerate(pieces) if isinstance(piece, Slot)]
    return _parts(text, holes, block)


def _tree(tree: Node, write: Callable[[Node, Writer], str], spell: Speller, block: Block) -> list[Part]:
    names = {column.slot.name for column in block.columns}
    holes: list[tuple[str, Callable[[str], str]]] = []

    def leaf_text(leaf: Leaf, position: int) -> str:
        if leaf.token.text not in names:
            return spell(leaf, leaf.token.text, position)
        holes.append((leaf.token.text, lambda word: spell(leaf, word, position)))
        return HOLE

    return _parts(write(tree, leaf_text), holes, block)


def _parts(text: str, holes: Sequence[tuple[str, Callable[[str], str]]], block: Block) -> list[Part]:
    """Write every word of every hole once, together with the text around it: only joining is left to do."""
    *before, after = text.split(HOLE)
    if not holes:
        return [Part(0, [text + END] * len(block.columns[0].words))]
    numbers = {column.slot.name: number for number, column in enumerate(block.columns)}
    parts = []
    for at, (start, (name, spell)) in enumerate(zip(before, holes, strict=True)):
        end = after + END if at == len(holes) - 1 else ""
        texts = [f"{start}{spell(word)}{end}" for word in block.columns[numbers[name]].words]
        parts.append(Part(numbers[name], texts))
    return parts


def _penn_speller(variant: Variant, lexicon: Lexicon, quirks: frozenset[str]) -> Speller:
    always_nn = {slot.name for slot in variant.slots if slot.of_vp} if OBJECT_TAG in quirks else set()

    def spell(leaf: Leaf, word: str, position: int) -> str:
        tag = "NN" if leaf.token.text in always_nn else tag_of(Leaf(leaf.symbol, lexicon.tokens[word]))
        return tagged(tag, capital(word, position))

    return spell


def _spell_binary(leaf: Leaf, word: str, position: int) -> str:
    return binary_leaf(Leaf(leaf.symbol, leaf.token._replace(text=word)), position)
