"""The grammar: lexicon, phrases, subcases and templates, extended by a user's own file."""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import BadInputError, UserError, did_you_mean
from assay.core.label import Label
from assay.language.fragment.chart_parser import Leaf, binary_leaf, write_binary
from assay.language.fragment.fragment_lexicon import (
    AddedClass,
    FragmentLexicon,
    FragmentWords,
    extend_lexicon,
    standard_fragment_lexicon,
)
from assay.language.fragment.syntactic_heuristics import HEURISTICS, holds_by_tokens
from assay.language.resources.data import load_toml
from assay.stress.heuristics.controls import find_misfits
from assay.stress.heuristics.counterexample import prove
from assay.stress.heuristics.template_patterns import ExpandedTemplate, PatternSlot, Piece, expand_template, spelt_out


class HeuristicsTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pair of patterns."""

    id: str
    """Its name in the released file; several templates may share one."""
    pair: str
    """`premise => hypothesis`."""
    weight: int = 1
    """Its weight within the subcase, relative to the others."""
    quirk: str = ""
    """The error that changes this template in the released file."""
    as_released: str = ""


class Subcase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Templates that test the same thing."""

    name: str
    """Its name in the released file."""
    heuristic: str
    label: Label
    templates: tuple[HeuristicsTemplate, ...]


class GrammarFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's grammar file: any part may be missing."""

    nouns: dict[str, str] = {}
    classes: dict[str, AddedClass] = {}
    objects: dict[str, str] = {}
    phrases: dict[str, dict[str, list[str]]] = {}
    subcases: tuple[Subcase, ...] = ()


class OwnGrammarFile(GrammarFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The grammar file that comes with Assay; it also knows the errors of the released code."""

    quirks: dict[str, str]
    twice: dict[str, list[str]]


class FilledVariant(NamedTuple):
    """A variant, with its template and subcase."""

    subcase: Subcase
    template: HeuristicsTemplate
    variant: ExpandedTemplate
    released: tuple[tuple[Piece, ...], ...] | None
    """The pieces of both sides with the released error, if there is one."""


class TemplateSample(NamedTuple):
    """A pair of a variant."""

    premise: str
    hypothesis: str
    words: dict[str, str]


class Grammar(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """Everything that sentences are made from.

    >>> grammar = load_grammar()
    >>> len(grammar.subcases), len({template.id for each in grammar.subcases for template in each.templates})
    (30, 60)
    """

    lexicon: FragmentLexicon
    phrases: dict[str, dict[str, list[str]]]
    """Named parts of patterns, which are patterns themselves."""
    subcases: tuple[Subcase, ...]
    """Subcases, in the order of the released file; a user's own come after."""
    quirks: dict[str, str]
    twice: dict[str, list[str]]
    """Words that are listed twice in their class, by the quirk that causes this."""

    @cached_property
    def filled(self) -> dict[str, list[FilledVariant]]:
        """Every variant of every template, grouped by subcase."""
        return {each.name: list(self._expand_subcase(each)) for each in self.subcases}

    def _expand_subcase(self, subcase: Subcase) -> Iterator[FilledVariant]:
        for template in subcase.templates:
            try:
                for variant in expand_template(template.pair, self.lexicon, self.phrases):
                    released = spelt_out(template.as_released, variant) if template.as_released else None
                    yield FilledVariant(subcase, template, variant, released)
            except UserError as error:
                raise UserError(f"subcases.{subcase.name}.{template.id}: {error}") from error


def load_grammar(text: str = "", *, name: str = "grammar") -> Grammar:
    """The grammar of the paper, extended by a user's TOML text; `name` is what errors call the text.

    A new word, template or subcase is checked: classes exist, sentences parse in one way and agree, no pair is made
    twice, and every new template has the label and the heuristic that it claims.
    """
    try:
        return _load_text(text)
    except UserError as error:
        raise BadInputError(
            str(error),
            where=name + _line_of_entry(text, str(error)),
            hint="docs/how-to/custom-templates.md explains grammar files.",
        ) from error


def read_text(path: str | Path) -> str:
    """A user's grammar file as text; a recipe stores this text."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"the grammar can't be read: {error}", where=str(path)) from error


@cache
def _load_text(text: str) -> Grammar:
    if text:
        return _extend_grammar(_load_text(""), text)
    read = load_toml(__file__, "grammar", OwnGrammarFile)
    return Grammar(
        lexicon=standard_fragment_lexicon(),
        phrases=read.phrases,
        subcases=read.subcases,
        quirks=read.quirks,
        twice=read.twice,
    )


def _extend_grammar(base: Grammar, text: str) -> Grammar:
    try:
        added = msgspec.toml.decode(text, type=GrammarFile)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise UserError(str(error)) from error
    grammar = Grammar(
        lexicon=extend_lexicon(
            base.lexicon, FragmentWords(nouns=added.nouns, classes=added.classes, objects=added.objects)
        ),
        phrases=base.phrases | added.phrases,
        subcases=tuple(_merge_subcases(base.subcases, added.subcases)),
        quirks=base.quirks,
        twice=base.twice,
    )
    _check_phrases(added.phrases, grammar.lexicon)
    _check_grammar(grammar, base)
    return grammar


def _line_of_entry(text: str, message: str) -> str:
    """The line of the entry that a message is about, to put after a file's name; empty if it is not known."""
    lines = text.splitlines()
    if at := re.search(r"at line (\d+)", message):
        return f":{at[1]}"
    if at := re.search(r"\$\.subcases\[(\d+)\]", message):
        starts = [number for number, line in enumerate(lines, 1) if line.lstrip().startswith("[[subcases]]")]
        return f":{starts[int(at[1])]}" if int(at[1]) < len(starts) else ""
    if at := re.match(r"(?:nouns|classes|objects|phrases|subcases)\.(?:[^:]*\.)?([^.:]+): ", message):
        entry = re.compile(rf"(?<![\w/]){re.escape(at[1])}(?![\w/])")
        return next((f":{number}" for number, line in enumerate(lines, 1) if entry.search(line)), "")
    return ""


def _merge_subcases(ours: tuple[Subcase, ...], theirs: tuple[Subcase, ...]) -> Iterator[Subcase]:
    added = {subcase.name: subcase for subcase in theirs}
    if len(added) < len(theirs):
        twice = next(subcase.name for subcase in theirs if subcase is not added[subcase.name])
        raise UserError(f"subcases.{twice}: the name is given twice.")
    _check_names(ours, theirs)
    for subcase in ours:
        more = added.pop(subcase.name, None)
        if more and (more.heuristic, more.label) != (subcase.heuristic, subcase.label):
            raise UserError(
                f"subcases.{subcase.name}: it is {subcase.heuristic}, {subcase.label}; a template can't change that."
            )
        yield msgspec.structs.replace(subcase, templates=subcase.templates + more.templates) if more else subcase
    yield from added.values()


def _check_names(ours: tuple[Subcase, ...], theirs: tuple[Subcase, ...]) -> None:
    homes = {template.id: subcase.name for subcase in ours for template in subcase.templates}
    for subcase in theirs:
        if subcase.heuristic not in HEURISTICS:
            guess = did_you_mean(subcase.heuristic, HEURISTICS)
            raise UserError(
                f"subcases.{subcase.name}: no heuristic {subcase.heuristic!r}{guess} "
                f"Choose from {', '.join(HEURISTICS)}."
            )
        for template in subcase.templates:
            name = f"subcases.{subcase.name}.{template.id}"
            if not all(text and text == "".join(text.split()) for text in (subcase.name, template.id)):
                raise UserError(f"{name}: names of subcases and templates have no blanks, and are not empty.")
            if homes.setdefault(template.id, subcase.name) != subcase.name:
                raise UserError(f"{name}: {template.id} is already a template of {homes[template.id]}.")
            if template.quirk or template.as_released:
                raise UserError(f"{name}: only templates of the released file can have quirks.")


def _check_phrases(phrases: dict[str, dict[str, list[str]]], lexicon: FragmentLexicon) -> None:
    for name, patterns in phrases.items():
        if not patterns or not all(patterns.values()):
            raise UserError(f"phrases.{name}: a phrase must have patterns, by the class of their word.")
        for word in [*patterns, *(word for ways in patterns.values() for way in ways for word in way.split())]:
            if word[:1].isupper() and word not in lexicon.names:
                raise UserError(f"phrases.{name}: no class {word!r}{did_you_mean(word, lexicon.names)}")


def _check_grammar(made: Grammar, base: Grammar) -> None:
    """Refuse parts that can't be generated or verified; unchanged parts were verified before."""
    same_phrases = base.phrases.items() <= made.phrases.items()
    for subcase in made.subcases:
        if not subcase.templates or subcase.label not in (Label.ENTAILMENT, Label.NON_ENTAILMENT):
            raise UserError(
                f"subcases.{subcase.name}: a subcase must have templates, and the label entailment or non-entailment."
            )
        for filled in made.filled[subcase.name]:
            if filled.template.weight < 1:
                raise UserError(f"subcases.{subcase.name}.{filled.template.id}: a weight must be 1 or more.")
            ours = any(filled.template in each.templates for each in base.subcases if each.name == filled.subcase.name)
            for sample in sample_pairs(filled, made.lexicon):
                if not (ours and same_phrases and _was_there(filled, sample, made.lexicon, base.lexicon)):
                    _check_sample(filled, sample, made.lexicon)
                if not ours:
                    _check_claim(filled, sample)
    _check_different(made)


def _check_different(made: Grammar) -> None:
    """Refuse two templates that could make the same pair: pools would be miscounted, and pairs would be missing."""
    by_length: dict[tuple[int, int], list[FilledVariant]] = {}
    for every in made.filled.values():
        for filled in every:
            sides = filled.variant.premise.pieces, filled.variant.hypothesis.pieces
            by_length.setdefault((len(sides[0]), len(sides[1])), []).append(filled)
    for alike in by_length.values():
        for one, other in combinations(alike, 2):
            if _could_be_same(one.variant, other.variant):
                raise UserError(
                    f"subcases.{other.subcase.name}.{other.template.id}: it makes some of the same pairs as "
                    f"{one.template.id} of {one.subcase.name}."
                )


def _could_be_same(one: ExpandedTemplate, other: ExpandedTemplate) -> bool:
    if not all(map(_pieces_overlap, one.premise.pieces, other.premise.pieces)):
        return False
    return all(
        one.premise.pieces.index(ours) == other.premise.pieces.index(theirs)  # no word is in a premise twice
        if isinstance(ours, PatternSlot) and isinstance(theirs, PatternSlot)
        else _pieces_overlap(ours, theirs)
        for ours, theirs in zip(one.hypothesis.pieces, other.hypothesis.pieces, strict=True)
    )


def _pieces_overlap(one: Piece, other: Piece) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    words = [piece.words if isinstance(piece, PatternSlot) else (piece,) for piece in (one, other)]
    return words[0] == words[1] or not set(words[0]).isdisjoint(words[1])


def _was_there(filled: FilledVariant, sample: TemplateSample, ours: FragmentLexicon, before: FragmentLexicon) -> bool:
    """True if the base grammar could already make the pair, from words with the same meaning."""
    return all(
        sample.words[slot.name] in before.words(slot.kind)
        and _kind_of_word(sample.words[slot.name], ours) == _kind_of_word(sample.words[slot.name], before)
        for slot in filled.variant.slots
    )


def _check_sample(filled: FilledVariant, sample: TemplateSample, lexicon: FragmentLexicon) -> None:
    proof = prove(sample.premise, sample.hypothesis, lexicon=lexicon)
    if proof.label is not filled.subcase.label:
        shown = f"it is {proof.label}" if proof.label else proof.reason
        why = "" if proof.world is None else f", as in a world of {' and '.join(proof.world) or 'nothing'}"
        raise UserError(
            f"subcases.{filled.subcase.name}.{filled.template.id}: {filled.subcase.label} can't be verified for "
            f"{sample.premise!r} and {sample.hypothesis!r}: {shown}{why}."
        )


def _check_claim(filled: FilledVariant, sample: TemplateSample) -> None:
    """Refuse a pair that is not a case of its heuristic, or is also one of a narrower heuristic."""

    def leaf_text(leaf: Leaf, position: int) -> str:
        word = sample.words.get(leaf.token.text, leaf.token.text)
        return binary_leaf(Leaf(leaf.symbol, leaf.token._replace(text=word)), position)

    tree = write_binary(filled.variant.premise.tree, leaf_text)
    if wrong := find_misfits(filled.subcase.heuristic, holds_by_tokens(sample.premise, sample.hypothesis, tree)):
        raise UserError(
            f"subcases.{filled.subcase.name}.{filled.template.id}: not a case of {filled.subcase.heuristic}: "
            f"{sample.hypothesis!r} {' and '.join(wrong)} of {sample.premise!r}."
        )


def sample_pairs(filled: FilledVariant, lexicon: FragmentLexicon) -> Iterator[TemplateSample]:
    """Pairs of a variant in which every word with a distinct meaning occurs once."""
    slots = filled.variant.slots
    for changed in slots:
        kinds: dict[tuple[object, ...], str] = {}
        for word in changed.words:
            kinds.setdefault(_kind_of_word(word, lexicon), word)
        for word in kinds.values():
            chosen = {changed.name: word}
            for slot in slots:
                if slot.name not in chosen:
                    used = {lexicon.lemmas.get(each, each) for each in chosen.values()}
                    free = (each for each in slot.words if lexicon.lemmas.get(each, each) not in used)
                    chosen[slot.name] = next(free, slot.words[0])
            premise, hypothesis = filled.variant.premise.pieces, filled.variant.hypothesis.pieces
            yield TemplateSample(join_sentence(premise, chosen), join_sentence(hypothesis, chosen), chosen)


def _kind_of_word(word: str, lexicon: FragmentLexicon) -> tuple[object, ...]:
    """The meaning of a word as far as a proof needs it: words of one kind differ only in whom or what they name."""
    token = lexicon.tokens[word]
    return token.can, token.number, lexicon.factive(word), lexicon.understood(word), lexicon.means(word)


def join_sentence(pieces: tuple[Piece, ...], words: dict[str, str]) -> str:
    """A sentence from its pieces."""
    text = " ".join(words[piece.name] if isinstance(piece, PatternSlot) else piece for piece in pieces)
    return text[:1].upper() + text[1:]
