"""Blocks: groups of equally likely fillings of a variant, without repeated words."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.language.fragment.fragment_lexicon import FragmentLexicon
from assay.stress.heuristics.counterexample import TOWN_TWICE
from assay.stress.heuristics.grammar import FilledVariant, Grammar
from assay.stress.heuristics.template_patterns import PatternSlot
from assay.stress.template_pairs import ARTICLE, NumberedFillings, SlotColumn, text_bit


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
    share = (
        filled.template.weight / sum(each.weight for each in filled.subcase.templates) * float(filled.variant.weight)
    )
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
