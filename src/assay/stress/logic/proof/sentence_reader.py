"""Reading: from the words of a sentence to what it says, in every way in which it can be read.

Words come as codes: a letter for the class, a number, and a letter for the form. `p0m` is the first noun of a person,
in the plural. Nothing here knows a template or a polarity.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from assay.stress.formulas import Every, Not, Some, if_then
from assay.stress.logic.proof.statements import (
    NUMBERS,
    DoesTo,
    Has,
    Property,
    Quantified,
    ScaleStatement,
    Senses,
    Statement,
    TextMeaning,
    attribute,
)

T = TypeVar("T")
Ways = Iterator[tuple[T, int]]
"""Readings at a position, each with the position after it."""

PLURAL = ("all", "not all", "some", "no", "most", "few", "none")
SINGULAR = ("every", "not every", "no", "some")
COUNTING = ("at least N", "at most N", "exactly N", "more than N", "fewer than N", "N")

ANYBODY: Property = Every(())

LITERALS = frozenset(
    (
        *("it", "is", "not", "true", "that", "there", "was", "no", "who", "if", "unless", "only", "and", "or", "but"),
        *("either", "neither", "both", "nor", "did", "never", "without", "a", "an", "any", "the", "of", "than", "as"),
        *("nobody", "everybody", "somebody", "all", "some", "most", "few", "none", "every", "at", "least", "exactly"),
        *("more", "fewer", "in", "near", ",", ".", "isn't", "didn't", *NUMBERS),
    )
)
"""Words that are what they are; all others must be in the lexicon."""

SHORT = {"isn't": ("is", "not"), "didn't": ("did", "not")}


def read_text(codes: Sequence[str], senses: Senses) -> list[TextMeaning]:
    """All readings of one or more sentences, each ended by a full stop; none if one of them can't be read.

    Words that can be taken in several ways are taken in one sense.
    """
    sentences: list[list[str]] = [[]]
    for code in (full for each in codes for full in SHORT.get(each, (each,))):
        if code == ".":
            sentences.append([])
        else:
            sentences[-1].append(code)
    if sentences.pop():
        return []
    # Senses of amounts make no difference to how a sentence is read.
    senses = senses._replace(plural=1, few=2, number_is_exact=False, there_are=False)
    readings = [TextMeaning((), ())]
    for sentence in sentences:
        readings = [
            TextMeaning((*before.asserted, *more.asserted), (*before.presupposed, *more.presupposed))
            for before in readings
            for more in _read_sentence(tuple(sentence), senses)
        ]
    return readings


@lru_cache(maxsize=10_000)  # the forms of a template share their sentences
def _read_sentence(codes: tuple[str, ...], senses: Senses) -> list[TextMeaning]:
    return _WordSentence(codes, senses).readings()


class _WordSentence:
    """The words of one sentence."""

    def __init__(self, codes: Sequence[str], senses: Senses) -> None:
        self.codes = codes
        self._senses = senses
        self._presupposed: dict[str, Statement] = {}

    def readings(self) -> list[TextMeaning]:
        texts = [text for text, end in self._read_clauses(0) if end == len(self.codes)]
        return [TextMeaning((text,), tuple(self._presupposed.values())) for text in dict.fromkeys(texts)]

    def _is(self, at: int, *words: str) -> bool:
        return tuple(self.codes[at : at + len(words)]) == words

    def _code_at(self, at: int, pattern: str) -> str:
        """The lemma's code at a position, if the word fits; empty if not."""
        if at < len(self.codes) and (found := re.fullmatch(pattern, self.codes[at])):
            return found[1]
        return ""

    # --- Clauses. ---

    def _read_clauses(self, at: int) -> Ways[Statement]:
        if self._is(at, "if"):
            for (condition, result), end in self._read_two_clauses(at + 1):
                yield if_then(condition, result), end
        elif self._is(at, "unless"):
            for (exception, main), end in self._read_two_clauses(at + 1):
                yield self._join_unless(main, exception), end
        else:
            for first, end in self._read_clause(at):
                yield first, end
                yield from self._read_more_clauses(first, end)

    def _read_two_clauses(self, at: int) -> Ways[tuple[Statement, Statement]]:
        for first, comma in self._read_clause(at):
            if self._is(comma, ","):
                for second, end in self._read_clause(comma + 1):
                    yield (first, second), end

    def _join_unless(self, main: Statement, exception: Statement) -> Statement:
        """The first holds if the second does not, and perhaps only then."""
        either: Statement = Some((main, exception))
        return Every((either, Not(Every((main, exception))))) if self._senses.unless_is_only else either

    def _read_more_clauses(self, first: Statement, at: int) -> Ways[Statement]:
        if self._is(at, "if"):
            for condition, end in self._read_clause(at + 1):
                yield if_then(condition, first), end
        if self._is(at, "only", "if"):
            for needed, end in self._read_clause(at + 2):
                yield if_then(first, needed), end
        if self._is(at, "unless"):
            for exception, end in self._read_clause(at + 1):
                yield self._join_unless(first, exception), end
        if self._is(at, ","):
            for last in ("and", "but"):
                if self._is(at + 1, last):
                    for second, end in self._read_clause(at + 2):
                        yield Every((first, second)), end
            for second, end in self._read_clause(at + 1):
                yield from self._read_more_clauses(Every((first, second)), end)

    def _read_clause(self, at: int) -> Ways[Statement]:
        if self._is(at, "it", "is", "not", "true", "that"):
            for said, end in self._read_clause(at + 5):
                yield Not(said), end
        elif self._is(at, "there", "was", "no"):
            for noun, who in self._read_noun(at + 3, "s"):
                if self._is(who, "who"):
                    for done, end in self._read_predicates(who + 1):
                        yield Quantified("no", 0, noun, done, False), end
        else:
            yield from self._read_comparison(at)
            for subject, verb in self._read_subjects(at):
                for done, end in self._read_predicates(verb):
                    yield subject(done), end

    def _read_comparison(self, at: int) -> Ways[Statement]:
        first = self._code_at(at, r"(n\d+)")
        if not first or not self._is(at + 1, "is"):
            return
        denied = self._is(at + 2, "not")
        place = at + 2 + denied
        for form, sign in (("\\+", ">"), ("-", "<")):
            scale = self._code_at(place, rf"(d\d+){form}")
            second = self._code_at(place + 2, r"(n\d+)")
            if scale and second and self._is(place + 1, "than"):
                statement = ScaleStatement(scale, sign, first, second)
                yield (Not(statement) if denied else statement), place + 3
        scale, second = self._code_at(place + 1, r"(d\d+)a"), self._code_at(place + 3, r"(n\d+)")
        if scale and second and self._is(place, "as") and self._is(place + 2, "as"):
            equal = "=" if self._senses.as_is_equal else ">="
            yield ScaleStatement(scale, "<" if denied else equal, first, second), place + 4

    # --- Who: what is said of a property, given the property. ---

    def _read_subjects(self, at: int) -> Ways[Callable[[Property], Statement]]:
        yield from self._read_names(at)
        if self._is(at, "the"):
            for noun, end in self._read_noun(at + 1, "s"):
                who = " ".join(self.codes[at:end])
                self._presupposed.setdefault(who, attribute(noun, who))
                yield _for_each([who]), end
        for word, determiner in (("nobody", "no"), ("everybody", "every"), ("somebody", "some")):
            if self._is(at, word):
                yield _for_amount(determiner, 0, ANYBODY, False), at + 1
        for determiner, number, end in self._read_determiners(at):
            counted = number if number is not None else 0
            plural = number != 1 and (number is not None or determiner in PLURAL)
            singular = number == 1 or (number is None and determiner in SINGULAR)
            if self._is(end, "of", "the"):
                for noun, last in (
                    self._read_noun(end + 2, "m") if determiner not in ("every", "not every", "no") else ()
                ):
                    yield _for_amount(determiner.replace("none", "no"), counted, noun, True), last
            elif determiner != "none":
                for form in "m" * plural + "s" * singular:
                    for noun, last in self._read_noun(end, form):
                        yield _for_amount(determiner, counted, noun, False), last

    def _read_names(self, at: int) -> Ways[Callable[[Property], Statement]]:
        names, end = self._list_names(at)
        if names:
            yield _for_each(names[:1]), at + 1
        either = _for_one_only if self._senses.either_is_one else _for_any
        for opening, joint, whole in (
            ("both", "and", _for_each),
            ("either", "or", either),
            ("neither", "nor", _for_none),
        ):
            if self._is(at, opening):
                first, second = self._code_at(at + 1, r"(n\d+)"), self._code_at(at + 3, r"(n\d+)")
                if first and second and self._is(at + 2, joint):
                    yield whole([first, second]), at + 4
        for joint, whole in (("and", _for_each), ("or", _for_any)):
            last = self._code_at(end + 1, r"(n\d+)")
            if names and last and self._is(end, joint):
                yield whole([*names, last]), end + 2

    def _list_names(self, at: int) -> tuple[list[str], int]:
        """Names that are separated by commas."""
        names = [name] if (name := self._code_at(at, r"(n\d+)")) else []
        end = at + 1
        while names and self._is(end, ",") and (name := self._code_at(end + 1, r"(n\d+)")):
            names.append(name)
            end += 2
        return names, end

    def _read_determiners(self, at: int) -> Iterator[tuple[str, int | None, int]]:
        for determiner in dict.fromkeys((*PLURAL, *SINGULAR)):
            words = determiner.split()
            if self._is(at, *words):
                yield determiner, None, at + len(words)
        for determiner in COUNTING:
            words = determiner.split()[:-1]
            if self._is(at, *words) and at + len(words) < len(self.codes):
                number = NUMBERS.get(self.codes[at + len(words)])
                if number:
                    yield determiner, number, at + len(words) + 1

    def _read_noun(self, at: int, form: str) -> Ways[Property]:
        """A noun of a person with what describes it."""
        quality = self._code_at(at, r"(q\d+)")
        place = at + bool(quality)
        noun = self._code_at(place, rf"(p\d+){form}")
        if not noun:
            return
        described = [Has((noun,)), *([Has((quality,))] if quality else [])]
        end = place + 1
        if where := self._read_place(end):
            described.append(Has(("at", where)))
            end += 3
        yield Every(tuple(described)), end
        if self._is(end, "who"):
            for done, last in self._read_predicates(end + 1):
                yield Every((*described, done)), last

    def _read_place(self, at: int) -> str:
        """A preposition, "the" and a place."""
        where = self._code_at(at + 2, r"(l\d+)")
        return where if where and self.codes[at] in ("in", "at", "near") and self._is(at + 1, "the") else ""

    # --- What they do. ---

    def _read_predicates(self, at: int) -> Ways[Property]:
        for first, end in self._read_predicate(at):
            yield first, end
            for joint, whole in (("and", Every), ("but", Every), ("or", Some)):
                if self._is(end, joint):
                    for second, last in self._read_predicates(end + 1):
                        yield whole((first, second)), last

    def _read_predicate(self, at: int) -> Ways[Property]:
        if self._is(at, "did", "not"):
            for done, end in self._read_joined_verbs(at + 2, "b"):
                yield Not(done), end
        elif self._is(at, "never"):
            for done, end in self._read_joined_verbs(at + 1, "d"):
                yield Not(done), end
        elif self._is(at, "is"):
            denied = self._is(at + 1, "not")
            if quality := self._code_at(at + 1 + denied, r"(q\d+)"):
                statement = Has((quality,))
                yield (Not(statement) if denied else statement), at + 2 + denied
        else:
            yield from self._read_verb_phrase(at, "d")

    def _read_joined_verbs(self, at: int, form: str) -> Ways[Property]:
        """Verbs in one form, joined: all of it is under one negation."""
        for first, end in self._read_verb_phrase(at, form):
            yield first, end
            for joint, whole in (("and", Every), ("or", Some)):
                if self._is(end, joint):
                    for second, last in self._read_joined_verbs(end + 1, form):
                        yield whole((first, second)), last

    def _read_verb_phrase(self, at: int, form: str) -> Ways[Property]:
        for done, end in self._read_verb(at, form):
            yield done, end
            if self._is(end, "without"):
                for other, last in self._read_verb(end + 1, "g"):
                    yield Every((done, Not(other))), last

    def _read_verb(self, at: int, form: str) -> Ways[Property]:
        if verb := self._code_at(at, rf"(v\d+){form}"):
            yield Has((verb,)), at + 1
            if where := self._read_place(at + 1):
                yield Every((Has((verb,)), Has((verb, where)))), at + 4
        if verb := self._code_at(at, rf"(w\d+){form}"):
            for things, end, joint in self._read_things(at + 1):
                done = tuple(DoesTo(verb, thing) for thing in things)
                yield (Some(done) if joint == "or" else Every(done)), end

    def _read_things(self, at: int) -> Iterator[tuple[list[frozenset[str]], int, str]]:
        """Things that are joined, and by which word."""
        things: list[frozenset[str]] = []
        while (found := self._read_thing(at)) is not None:
            thing, end = found
            things.append(thing)
            if len(things) == 1:
                yield things, end, ""
            for joint in ("and", "or"):
                if self._is(end, joint) and (last := self._read_thing(end + 1)) is not None:
                    yield [*things, last[0]], last[1], joint
            if not self._is(end, ","):
                return
            at = end + 1

    def _read_thing(self, at: int) -> tuple[frozenset[str], int] | None:
        if at >= len(self.codes) or self.codes[at] not in ("a", "an", "any"):
            return None
        quality = self._code_at(at + 1, r"(q\d+)")
        place = at + 1 + bool(quality)
        noun = self._code_at(place, r"(t\d+)m" if self.codes[at] == "any" else r"(t\d+)s")
        return (frozenset([noun, quality] if quality else [noun]), place + 1) if noun else None


def _for_each(names: Sequence[str]) -> Callable[[Property], Statement]:
    return lambda what: Every(tuple(attribute(what, who) for who in names))


def _for_any(names: Sequence[str]) -> Callable[[Property], Statement]:
    return lambda what: Some(tuple(attribute(what, who) for who in names))


def _for_one_only(names: Sequence[str]) -> Callable[[Property], Statement]:
    return lambda what: Every((_for_any(names)(what), Not(_for_each(names)(what))))


def _for_none(names: Sequence[str]) -> Callable[[Property], Statement]:
    return lambda what: Not(_for_any(names)(what))


def _for_amount(determiner: str, number: int, noun: Property, presupposed: bool) -> Callable[[Property], Statement]:
    return lambda done: Quantified(determiner, number, noun, done, presupposed)
