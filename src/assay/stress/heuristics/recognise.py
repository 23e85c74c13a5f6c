"""Recognising a pair: the template that makes it, and the parses that its file lacks."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from assay.core.label import Label
from assay.core.pair import Pair, Parses
from assay.core.protocols import Fidelity
from assay.stress.heuristics.counterexample import OBJECT_TAG, quirks_of
from assay.stress.heuristics.generate import write_parses
from assay.stress.heuristics.grammar import FilledVariant, Grammar, load_grammar
from assay.stress.heuristics.template_patterns import PatternSlot, Piece

Index = dict[tuple[int, int], list[tuple[FilledVariant, tuple[tuple[Piece, ...], ...], bool]]]
"""Variants by the length of both sides; the flag says whether the pieces have the released error."""


class Recognition(NamedTuple):
    """The template that makes a pair."""

    heuristic: str
    subcase: str
    template: str
    label: Label
    parses: Parses
    """The trees of both sentences, as the released code writes them unless told otherwise."""
    quirks: tuple[str, ...]
    """Errors of the released code that show up in the pair or in its parses."""
    others: tuple[tuple[str, str], ...]
    """Further subcases and templates that make the pair; empty unless it is ambiguous."""


def recognise(
    premise: str,
    hypothesis: str,
    *,
    fidelity: Fidelity = "code",
    quirks: Collection[str] | None = None,
    grammar: Grammar | None = None,
) -> Recognition | None:
    """The HANS template of a pair; None if no template of the family heuristics makes it.

    >>> found = recognise("The doctor near the actors slept .", "The actors slept .")
    >>> found.subcase, found.template, found.parses.hypothesis
    ('sn_PP_on_subject', 'temp38', '(ROOT (S (NP (DT The) (NNS actors)) (VP (VBD slept)) (. .)))')
    >>> recognise("The doctor slept .", "The actor slept .")
    """
    grammar = grammar or load_grammar()
    active = quirks_of(fidelity, quirks)
    matches = _match_variants(premise, hypothesis, grammar)
    if not matches:
        return None
    (filled, chosen, wrong), *rest = matches
    shown = [filled.template.quirk] if wrong else []
    plural_object = any(slot.of_vp and chosen[slot.name] in grammar.lexicon.lemmas for slot in filled.variant.slots)
    if plural_object and OBJECT_TAG in active:
        shown.append(OBJECT_TAG)
    return Recognition(
        heuristic=filled.subcase.heuristic,
        subcase=filled.subcase.name,
        template=filled.template.id,
        label=filled.subcase.label,
        parses=write_parses(filled.variant, chosen, grammar.lexicon, active),
        quirks=tuple(shown),
        others=tuple((other.subcase.name, other.template.id) for other, _, _ in rest),
    )


def template_of(pair: Pair) -> str:
    """The template of a HANS pair whose file does not name it; empty if no template of its subcase makes the pair.

    >>> pair = Pair(id="ex0", premise="The doctor near the actors slept .", hypothesis="The actors slept .",
    ...             label=Label.NON_ENTAILMENT, group={"subcase": "sn_PP_on_subject"})
    >>> template_of(pair)
    'temp38'
    """
    matches = (filled for filled, _, _ in _match_variants(pair.premise, pair.hypothesis, load_grammar()))
    return next((filled.template.id for filled in matches if filled.subcase.name == pair.group["subcase"]), "")


def complete_pair(
    pair: Pair, *, fidelity: Fidelity = "code", quirks: Collection[str] | None = None, grammar: Grammar | None = None
) -> Pair | None:
    """The pair with its template and parses added if its source lacks them; None if no template makes it."""
    recognition = recognise(pair.premise, pair.hypothesis, fidelity=fidelity, quirks=quirks, grammar=grammar)
    if not recognition:
        return None
    group = {"heuristic": recognition.heuristic, "subcase": recognition.subcase, "template": recognition.template}
    return msgspec.structs.replace(pair, group={**pair.group, **group}, parses=recognition.parses)


def _match_variants(
    premise: str, hypothesis: str, grammar: Grammar
) -> list[tuple[FilledVariant, dict[str, str], bool]]:
    """The template variants that match a pair, with their words, and whether each has the released error."""
    sides = [grammar.lexicon.split(side) for side in (premise, hypothesis)]
    words = [[token.text for token in side] for side in sides if side]
    if len(words) < 2:
        return []
    return [
        (filled, chosen, wrong)
        for filled, pieces, wrong in _build_index(grammar).get((len(words[0]), len(words[1])), ())
        if (chosen := _match_slots(pieces, words)) is not None
    ]


@lru_cache(maxsize=8)
def _build_index(grammar: Grammar) -> Index:
    index: Index = defaultdict(list)
    for every in grammar.filled.values():
        for filled in every:
            variant = filled.variant
            ways = [((variant.premise.pieces, variant.hypothesis.pieces), False)]
            if filled.released:
                ways.append((filled.released, True))  # type: ignore[arg-type]
            for pieces, wrong in ways:
                index[len(pieces[0]), len(pieces[1])].append((filled, pieces, wrong))
    return dict(index)


def _match_slots(pieces: Sequence[Sequence[Piece]], words: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """The words of each slot, if the sentences match the patterns."""
    chosen: dict[str, str] = {}
    for side, spoken in zip(pieces, words, strict=True):
        for piece, word in zip(side, spoken, strict=True):
            if isinstance(piece, PatternSlot):
                if chosen.setdefault(piece.name, word) != word or word not in piece.words:
                    return None
            elif piece != word:
                return None
    return chosen
