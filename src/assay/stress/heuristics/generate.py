"""Generating pairs: N different ones of each subcase, with parses, drawn as the released code draws them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.pair import Pair, Parses
from assay.core.rng import rng_for
from assay.language.fragment.chart_parser import (
    Leaf,
    PhraseNode,
    Writer,
    binary_leaf,
    capitalise,
    tag_of,
    tag_words,
    write_binary,
    write_penn,
)
from assay.language.fragment.fragment_lexicon import FragmentLexicon
from assay.stress.heuristics.counterexample import DOUBLED_THE, OBJECT_TAG, TOWN_TWICE
from assay.stress.heuristics.grammar import FilledVariant, Grammar, Subcase
from assay.stress.heuristics.template_patterns import ExpandedTemplate, PatternSlot, Piece
from assay.stress.template_pairs import ARTICLE, NumberedFillings, Numbers, SlotColumn, Split, draw_chances, text_bit


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


class FillingBlock(NumberedFillings):
    """Fillings of a variant that are all equally likely."""

    def __init__(self, filled: FilledVariant, columns: Sequence[SlotWords], *, weight: float, parity: int) -> None:
        self.filled = filled
        self.columns = columns
        self.weight = weight
        """The probability that a draw gives one particular filling."""
        super().__init__([SlotColumn(column.cell, _form_bits(column.forms)) for column in columns], parity=parity)


@lru_cache(maxsize=1024)  # blocks share their words
def _form_bits(lemmas: tuple[tuple[str, ...], ...]) -> NDArray[np.int8]:
    return np.array([[text_bit(form) for form in forms] for forms in lemmas], dtype=np.int8)


def make_blocks(filled: FilledVariant, grammar: Grammar, quirks: frozenset[str]) -> Iterator[FillingBlock]:
    """The blocks of a variant, which together contain all its fillings without a repeated word."""
    literals = [piece for piece in filled.variant.premise.pieces if isinstance(piece, str) and piece != ARTICLE]
    if len(set(literals)) < len(literals):
        return
    weights = sum(each.weight for each in filled.subcase.templates)
    share = filled.template.weight / weights * float(filled.variant.weight)
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
        yield FillingBlock(filled, columns, weight=weight, parity=text_bit(" ".join(literals)))


def _by_lemma(slot: PatternSlot, lexicon: FragmentLexicon, literals: set[str]) -> dict[str, tuple[str, ...]]:
    forms_by_lemma: dict[str, list[str]] = {}
    for word in slot.words:
        if literals.isdisjoint(word.split()):
            forms_by_lemma.setdefault(lexicon.lemmas.get(word, word), []).append(word)
    return {lemma: tuple(forms) for lemma, forms in forms_by_lemma.items()}


def _group_lemmas(
    by_slot: Sequence[dict[str, tuple[str, ...]]], twice: Sequence[list[str]]
) -> dict[tuple[tuple[int, ...], ...], list[str]]:
    """Lemmas grouped by what they offer each slot: the number of forms, and whether they are drawn twice as often."""
    cells: dict[tuple[tuple[int, ...], ...], list[str]] = {}
    for lemma in dict.fromkeys(lemma for forms in by_slot for lemma in forms):
        signature = tuple(
            (len(forms[lemma]), lemma in often) if lemma in forms else ()
            for forms, often in zip(by_slot, twice, strict=True)
        )
        cells.setdefault(signature, []).append(lemma)
    return cells


END = "\n"
"""The separator after each text."""

TEXTS = 6

AT_ONCE = 500

HOLE = "\0"
"""The placeholder for a word in a text."""

Speller = Callable[[Leaf, str, int], str]
"""A function that writes a word as a leaf, at a position."""


WordTexts = tuple[int, list[str]]
"""A column, and for each of its words the text before it with the word; at the end also the text after it."""


class BlockTexts:
    """Writes the six texts of a block's pairs: premise, hypothesis, their trees and their binary trees."""

    def __init__(self, block: FillingBlock, lexicon: FragmentLexicon, quirks: frozenset[str]) -> None:
        parts = [part for text in _write_texts(block, lexicon, quirks) for part in text]
        self._texts = np.array([text for _, texts in parts for text in texts], dtype=np.object_)
        self._columns = np.array([column for column, _ in parts])
        sizes = [0, *(len(texts) for _, texts in parts[:-1])]
        self._starts = np.cumsum(sizes)[:, np.newaxis]  # the index of each part's first text

    def write(self, drawn: Numbers) -> Iterator[tuple[str, ...]]:
        """The six texts of each drawn filling."""
        count = drawn.shape[1]
        return chain.from_iterable(self._write_batch(drawn[:, at : at + AT_ONCE]) for at in range(0, count, AT_ONCE))

    def _write_batch(self, drawn: Numbers) -> Iterator[tuple[str, ...]]:
        numbers = drawn.take(self._columns, axis=0) + self._starts
        # One join and one split for all texts together are much faster than a join for each.
        texts = iter("".join(self._texts[numbers.T].ravel().tolist()).split(END))
        return zip(*[texts] * TEXTS, strict=False)  # after the last end there is one more, empty text


def _write_texts(block: FillingBlock, lexicon: FragmentLexicon, quirks: frozenset[str]) -> Iterator[list[WordTexts]]:
    variant, released = block.filled.variant, block.filled.released
    sides = (variant.premise, variant.hypothesis)
    for pieces in released if released and DOUBLED_THE in quirks else [side.pieces for side in sides]:
        yield _write_sentence(pieces, block)
    for side in sides:
        yield _write_tree(side.tree, write_penn, _penn_speller(variant, lexicon, quirks), block)
    for side in sides:
        yield _write_tree(side.tree, write_binary, _spell_binary, block)


def write_parses(
    variant: ExpandedTemplate, words: Mapping[str, str], lexicon: FragmentLexicon, quirks: frozenset[str]
) -> Parses:
    """The trees of one filling."""

    def writer(spell: Speller) -> Writer:
        return lambda leaf, position: spell(leaf, words.get(leaf.token.text, leaf.token.text), position)

    labelled, plain = writer(_penn_speller(variant, lexicon, quirks)), writer(_spell_binary)
    return Parses(
        premise=write_penn(variant.premise.tree, labelled),
        hypothesis=write_penn(variant.hypothesis.tree, labelled),
        premise_binary=write_binary(variant.premise.tree, plain),
        hypothesis_binary=write_binary(variant.hypothesis.tree, plain),
    )


def _write_sentence(pieces: Sequence[Piece], block: FillingBlock) -> list[WordTexts]:
    text = " ".join(
        HOLE if isinstance(piece, PatternSlot) else capitalise(piece, at) for at, piece in enumerate(pieces)
    )
    holes = [
        (piece.name, partial(capitalise, position=at))
        for at, piece in enumerate(pieces)
        if isinstance(piece, PatternSlot)
    ]
    return _write_parts(text, holes, block)


def _write_tree(
    tree: PhraseNode, write: Callable[[PhraseNode, Writer], str], spell: Speller, block: FillingBlock
) -> list[WordTexts]:
    names = {column.slot.name for column in block.columns}
    holes: list[tuple[str, Callable[[str], str]]] = []

    def leaf_text(leaf: Leaf, position: int) -> str:
        if leaf.token.text not in names:
            return spell(leaf, leaf.token.text, position)
        holes.append((leaf.token.text, lambda word: spell(leaf, word, position)))
        return HOLE

    return _write_parts(write(tree, leaf_text), holes, block)


def _write_parts(text: str, holes: Sequence[tuple[str, Callable[[str], str]]], block: FillingBlock) -> list[WordTexts]:
    """Write every word of every slot once, with the text around it, so that only joining is left to do."""
    *before, after = text.split(HOLE)
    if not holes:
        return [(0, [text + END] * len(block.columns[0].words))]
    numbers = {column.slot.name: number for number, column in enumerate(block.columns)}
    parts = []
    for at, (start, (name, spell)) in enumerate(zip(before, holes, strict=True)):
        end = after + END if at == len(holes) - 1 else ""
        texts = [f"{start}{spell(word)}{end}" for word in block.columns[numbers[name]].words]
        parts.append((numbers[name], texts))
    return parts


def _penn_speller(variant: ExpandedTemplate, lexicon: FragmentLexicon, quirks: frozenset[str]) -> Speller:
    always_nn = {slot.name for slot in variant.slots if slot.of_vp} if OBJECT_TAG in quirks else set()

    def spell(leaf: Leaf, word: str, position: int) -> str:
        tag = "NN" if leaf.token.text in always_nn else tag_of(Leaf(leaf.symbol, lexicon.tokens[word]))
        return tag_words(tag, capitalise(word, position))

    return spell


def _spell_binary(leaf: Leaf, word: str, position: int) -> str:
    return binary_leaf(Leaf(leaf.symbol, leaf.token._replace(text=word)), position)


NAME = "heuristics/v1"


class Pool(NamedTuple):
    """All possible pairs of a subcase."""

    subcase: Subcase
    blocks: tuple[FillingBlock, ...]
    sheets: tuple[BlockTexts, ...]

    def size(self, split: Split) -> int:
        """The number of different pairs."""
        return sum(block.sizes[split] for block in self.blocks)


@lru_cache(maxsize=8)
def pools_of(grammar: Grammar, quirks: frozenset[str]) -> tuple[Pool, ...]:
    """The pools of all subcases."""
    pools = []
    for subcase in grammar.subcases:
        blocks = [block for filled in grammar.filled[subcase.name] for block in make_blocks(filled, grammar, quirks)]
        sheets = tuple(BlockTexts(block, grammar.lexicon, quirks) for block in blocks)
        pools.append(Pool(subcase, tuple(blocks), sheets))
    return tuple(pools)


def generate_subcase(pool: Pool, n: int, split: Split, seed: int, first: int) -> Iterator[Pair]:
    """The pairs of a subcase; `first` is the number of the first one's id."""
    key = f"{rng_for(seed, transform=NAME, pair=f'{split} {pool.subcase.name}').getrandbits(64):x}"
    order = _draw_blocks(pool.blocks, n, split, key)
    shared = {"heuristic": pool.subcase.heuristic, "subcase": pool.subcase.name}
    groups = [{**shared, "template": block.filled.template.id} for block in pool.blocks]
    texts = {}
    for block, wanted in enumerate(np.bincount(order).tolist()):
        if wanted:
            drawn = pool.blocks[block].draw_numbers(wanted, split, f"{key} {block}")
            texts[block] = pool.sheets[block].write(drawn)  # written one at a time, while the pair is made
    label = pool.subcase.label
    for number, block in enumerate(order.tolist(), first):
        premise, hypothesis, premise_tree, hypothesis_tree, premise_binary, hypothesis_binary = next(texts[block])
        yield Pair(
            id=f"ex{number}",
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            group=groups[block],
            parses=Parses(
                premise=premise_tree,
                hypothesis=hypothesis_tree,
                premise_binary=premise_binary,
                hypothesis_binary=hypothesis_binary,
            ),
        )


def _draw_blocks(pool: Sequence[FillingBlock], n: int, split: Split, key: str) -> Numbers:
    """The blocks that n different pairs come from, in order.

    Drawing until n different ones are found is a race: each pair arrives after an exponential time at the rate of its
    weight, and the first n win. In a block with k pairs left, the next one arrives at k times the rate of one, so the
    outcome is found without drawing any pair in vain, however small the pool.
    """
    sizes = [block.sizes[split] for block in pool]
    rates = [size * block.weight for size, block in zip(sizes, pool, strict=True)]
    likely = [n * rate / sum(rates) for rate in rates]
    for slack in (8, None):  # more of a block than it is likely to get is only looked at if needed
        most = [n if slack is None else int(each + slack * each**0.5 + 20) for each in likely]
        runners = [min(size, n, limit) for size, limit in zip(sizes, most, strict=True)]
        times = np.concatenate(
            [
                _draw_arrivals(block, size, count, f"race {key} {number}")
                for number, (block, size, count) in enumerate(zip(pool, sizes, runners, strict=True))
            ]
        )
        if len(times) < n:
            continue
        order = np.repeat(np.arange(len(pool)), runners)[np.argsort(times, kind="stable")[:n]]
        won = np.bincount(order, minlength=len(pool)).tolist()
        if all(w < count or count == min(size, n) for w, count, size in zip(won, runners, sizes, strict=True)):
            break
    return order


def _draw_arrivals(block: FillingBlock, size: int, count: int, key: str) -> NDArray[np.float64]:
    left = np.arange(size, size - count, -1, dtype=np.float64)
    return np.cumsum(-np.log(draw_chances(count, key=key)) / (left * block.weight))
