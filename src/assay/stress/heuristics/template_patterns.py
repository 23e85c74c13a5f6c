"""Patterns of a template: slots, expanded phrases, trees with holes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from assay.core.errors import UserError, did_you_mean
from assay.language.fragment.chart_parser import FragmentToken, PhraseNode, parse_fragment
from assay.language.fragment.fragment_lexicon import FragmentLexicon

ARROW = "=>"

Phrases = Mapping[str, Mapping[str, Sequence[str]]]
"""For each phrase and each class of words in it: the patterns that a word of the class can be in."""

_SLOT = re.compile(r"(?P<kind>[A-Z][A-Za-z]*)(?P<number>\d*)(?:\((?P<of>[A-Z][A-Za-z]*\d*)\))?")


class PatternSlot(NamedTuple):
    """A hole in a pattern."""

    name: str
    """Its name; slots with the same name have the same word."""
    kind: str
    words: tuple[str, ...]
    of_vp: bool = False
    """True if it is the object of a VP: the released code tags those differently."""


Piece = PatternSlot | str


class SentencePattern(NamedTuple):
    """A sentence with holes."""

    pieces: tuple[Piece, ...]
    """Words and slots, with the final full stop."""
    tree: PhraseNode
    """Its only tree; slots are leaves under their names."""


class ExpandedTemplate(NamedTuple):
    """A template with every phrase expanded."""

    weight: Fraction
    premise: SentencePattern
    hypothesis: SentencePattern
    slots: tuple[PatternSlot, ...]
    """Slots, each once, in the order of the premise."""


Choice = tuple[Fraction, Mapping[str, Sequence[Piece]]]
"""One way to expand a part of a template: its weight, and the pieces of each name."""


def expand_template(pair: str, lexicon: FragmentLexicon, phrases: Phrases) -> list[ExpandedTemplate]:
    """All ways to expand a template's phrases; `UserError` if the pair is invalid."""
    sides = [side.split() for side in pair.split(ARROW)]
    if len(sides) != 2 or not all(sides):
        raise UserError(f"{pair!r} is not a pair of patterns: PREMISE {ARROW} HYPOTHESIS.")
    names = [name for name in dict.fromkeys(sides[0] + sides[1]) if name[0].isupper()]
    options = [list(_expand_choices(name, names, lexicon, phrases)) for name in names]
    variants = []
    for chosen in product(*options):
        pieces: dict[str, Sequence[Piece]] = {}
        weight = Fraction(1)
        for part, expanded in chosen:
            weight *= part
            pieces |= expanded
        variants.append(_make_variant(weight, [_spell_pieces(side, pieces) for side in sides], lexicon))
    return variants


def spelt_out(pair: str, variant: ExpandedTemplate) -> tuple[tuple[Piece, ...], ...]:
    """Another pair of patterns with the same slots (such as one with a released error), expanded in the same way."""
    slots: dict[str, Sequence[Piece]] = {slot.name: [slot] for slot in variant.slots}
    return tuple(_spell_pieces(side.split(), slots) for side in pair.split(ARROW))


def _spell_pieces(words: Sequence[str], pieces: Mapping[str, Sequence[Piece]]) -> tuple[Piece, ...]:
    return (*(piece for word in words for piece in pieces.get(word, [word])), ".")


def _expand_choices(name: str, names: Sequence[str], lexicon: FragmentLexicon, phrases: Phrases) -> Iterator[Choice]:
    match = _SLOT.fullmatch(name)
    if not match:
        raise UserError(f"{name!r} is neither a word in lower case nor a slot.")
    kind, of = match["kind"], match["of"]
    if of:
        if of not in names or kind != "O":
            raise UserError(f"{name!r}: only O(VERB) may name another slot, and that verb must be in the same pattern.")
        yield from _expand_objects(name, of, lexicon)
    elif f"O({name})" in names:
        yield Fraction(1), {}  # its object decides
    elif kind in phrases:
        yield from _expand_phrase(name, phrases[kind], lexicon, of_vp=kind == "VP")
    else:
        yield Fraction(1), {name: [_make_slot(name, kind, lexicon)]}


def _make_slot(name: str, kind: str, lexicon: FragmentLexicon, *, of_vp: bool = False) -> PatternSlot:
    if kind not in lexicon.names:
        raise UserError(f"no class {kind!r}{did_you_mean(kind, lexicon.names)}")
    return PatternSlot(name, kind, lexicon.words(kind), of_vp)


def _expand_objects(name: str, verb: str, lexicon: FragmentLexicon) -> Iterator[Choice]:
    """One choice for each class of objects that the verbs take."""
    kind = verb.rstrip("0123456789")
    verbs = _make_slot(verb, kind, lexicon).words
    for word in verbs:
        if word not in lexicon.objects:
            raise UserError(f"objects.{word}: {name} needs the class of objects that {word!r} takes.")
    for objects in dict.fromkeys(lexicon.objects[word] for word in verbs):
        takers = tuple(word for word in verbs if lexicon.objects[word] == objects)
        pieces = {name: [_make_slot(name, objects, lexicon)], verb: [PatternSlot(verb, kind, takers)]}
        yield Fraction(len(takers), len(verbs)), pieces


def _expand_phrase(
    name: str, patterns: Mapping[str, Sequence[str]], lexicon: FragmentLexicon, *, of_vp: bool
) -> Iterator[Choice]:
    sizes = {kind: len(lexicon.words(kind)) if kind in lexicon.names else 1 for kind in patterns}
    for kind, ways in patterns.items():
        for way in ways:
            pieces = [
                _make_slot(f"{word}@{name}", word, lexicon, of_vp=of_vp and word == "N") if word[0].isupper() else word
                for word in way.split()
            ]
            yield Fraction(sizes[kind], sum(sizes.values()) * len(ways)), {name: pieces}


def _make_variant(weight: Fraction, sides: Sequence[tuple[Piece, ...]], lexicon: FragmentLexicon) -> ExpandedTemplate:
    premise, hypothesis = (SentencePattern(pieces, _make_tree(pieces, lexicon)) for pieces in sides)
    slots = tuple(dict.fromkeys(piece for piece in premise.pieces if isinstance(piece, PatternSlot)))
    for piece in hypothesis.pieces:
        if isinstance(piece, PatternSlot) and piece not in slots:
            raise UserError(f"{piece.name} occurs only in the hypothesis; every slot must also be in the premise.")
    return ExpandedTemplate(weight, premise, hypothesis, slots)


def _make_tree(pieces: Sequence[Piece], lexicon: FragmentLexicon) -> PhraseNode:
    written = " ".join(piece.name.partition("@")[0] if isinstance(piece, PatternSlot) else piece for piece in pieces)
    trees = parse_fragment([_make_token(piece, lexicon) for piece in pieces])
    if not trees:
        raise UserError(f"no rule of the fragment makes {written!r}; look at word order, and at agreement in number.")
    if len(trees) > 1:
        raise UserError(f"{written!r} can be read in {len(trees)} ways.")
    return trees[0]


def _make_token(piece: Piece, lexicon: FragmentLexicon) -> FragmentToken:
    if isinstance(piece, PatternSlot):
        return lexicon.slot(piece.name, piece.kind)
    if piece not in lexicon.tokens:
        raise UserError(f"{piece!r} is not a word of the lexicon{did_you_mean(piece, lexicon.tokens)}")
    return lexicon.tokens[piece]
