"""All worlds that matter to some sentences, and where each sentence holds.

A world says how many people there are of each kind, what those who are named do, and who has more on a scale. Kinds are
told apart only by what the sentences can see: two people who have the same of the properties that are spoken of are of
one kind. So it is enough to count, and to count as far as the words can tell numbers apart (`most_of_a_kind`):

- "every", "some" and "no" can't tell one person of a kind from several: 0 or 1 of each decide;
- a number n is told from n + 1, but no word tells n + 2 from n + 1: a larger crowd can be thinned out to that;
- "most" and "few" compare two sums. A world where they hold stays one if as many are taken away on both sides, down to
  the numbers that other words ask for: twice those, and one more to tip the balance, decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from assay.stress.logic.proof.statements import (
    DETERMINERS,
    PROPORTIONAL,
    Amount,
    Counts,
    Denied,
    DoesTo,
    Either,
    Fact,
    Has,
    HasAll,
    HasAny,
    Lacks,
    Property,
    ScaleStatement,
    Senses,
    Statement,
    Together,
    Truths,
    Unless,
)

MOST_WORLDS = 4_000_000
MOST_FEATURES = 14
"""Maximum number of features that kinds of people may differ in."""

Feature = tuple[str, ...]
Kind = tuple[tuple[bool, bool], ...]
"""For each amount that is spoken of, whether somebody is in its restrictor, and in its scope."""


class TooManyError(Exception):
    """There are too many worlds to go through."""


class NounHierarchy(NamedTuple):
    """Pairs of a specific noun and one that covers it."""

    covered: frozenset[tuple[str, str]]

    def allows(self, features: Iterable[str]) -> bool:
        """True if somebody or something can have these features and no others."""
        has = frozenset(features)
        return all(general in has for specific, general in self.covered if specific in has)


class Worlds:
    """The worlds that matter to some statements, in one sense of their words."""

    def __init__(
        self, statements: Sequence[Statement], lexical: NounHierarchy, senses: Senses, *, spare: int = 0
    ) -> None:
        self._senses = senses
        self._lexical = lexical
        every = [each for statement in statements for each in _walk_statements(statement)]
        self._things = self._kinds_of_things(every)
        self._amounts = list(dict.fromkeys(each for each in every if isinstance(each, Amount)))
        kinds = self._kinds_of_people()
        facts = dict.fromkeys(
            (each.who, *feature) for each in every if isinstance(each, Fact) for feature in self._features(each.what)
        )
        compared = [each for each in every if isinstance(each, ScaleStatement)]
        places = dict.fromkeys((each.scale, who) for each in compared for who in (each.first, each.second))
        steps = {scale: sum(each == scale for each, _ in places) for scale, _ in places}
        most = most_of_a_kind(self._amounts, senses) + spare
        sizes = [*([most + 1] * len(kinds)), *([2] * len(facts)), *(steps[scale] for scale, _ in places)]
        if prod(sizes) > MOST_WORLDS:
            raise TooManyError
        self.count = prod(sizes)
        columns = iter(self._columns(sizes))
        self._counts = [(kind, next(columns)) for kind in kinds]
        self._facts: dict[Feature, Truths] = {fact: next(columns) == 1 for fact in facts}
        self._heights = {place: next(columns) for place in places}

    def where(self, statement: Statement) -> Truths:
        """The worlds where a statement holds."""
        match statement:
            case Fact(who, what):
                return self._of(who, what)
            case Amount():
                return self._amount(statement)
            case ScaleStatement(scale, sign, first, second):
                one, other = self._heights[scale, first], self._heights[scale, second]
                if sign == ">=":
                    return one == other if self._senses.as_is_equal else one >= other
                return one > other if sign == ">" else one < other
            case Denied(part):
                return ~self.where(part)
            case Together(parts):
                return self._all(map(self.where, parts))
            case Either(parts, stressed):
                some = ~self._all(~self.where(part) for part in parts)
                not_all = stressed and self._senses.either_is_one
                return some & ~self._all(map(self.where, parts)) if not_all else some
            case Unless(main, exception):
                holds, excepted = self.where(main), self.where(exception)
                return holds != excepted if self._senses.unless_is_only else holds | excepted

    def given(self) -> Truths:
        """The worlds in which everybody exists who is presupposed."""
        asked = [each for each in self._amounts if each.presupposed or self._senses.there_are]
        return self._all(self._sum(self._amounts.index(each), scope=False) >= self._fewest(each) for each in asked)

    def _fewest(self, said: Amount) -> int:
        return self._senses.plural if said.presupposed else 1

    def _columns(self, sizes: Sequence[int]) -> Iterator[Counts]:
        number, stride = np.arange(self.count), 1
        for size in sizes:
            yield number // stride % size
            stride *= size

    def _all(self, truths: Iterable[Truths]) -> Truths:
        holds = np.ones(self.count, dtype=np.bool_)
        for each in truths:
            holds &= each
        return holds

    def _of(self, who: str, what: Property) -> Truths:
        match what:
            case Has(feature):
                return self._facts[(who, *feature)]
            case DoesTo():
                return ~self._all(~self._facts[(who, *feature)] for feature in self._features(what))
            case Lacks(part):
                return ~self._of(who, part)
            case HasAll(parts):
                return self._all(self._of(who, part) for part in parts)
            case HasAny(parts):
                return ~self._all(~self._of(who, part) for part in parts)

    def _amount(self, said: Amount) -> Truths:
        place = self._amounts.index(said)
        both, first = self._sum(place, scope=True), self._sum(place, scope=False)
        return DETERMINERS[said.determiner](both, first, said.number, self._senses)

    def _sum(self, place: int, *, scope: bool) -> Counts:
        total = np.zeros(self.count, dtype=np.int64)
        for kind, counts in self._counts:
            restricted, scoped = kind[place]
            if restricted and (scoped or not scope):
                total += counts
        return total

    def _kinds_of_people(self) -> list[Kind]:
        """Kinds of people that the amounts distinguish, without those that none of them mentions."""
        features = list(
            dict.fromkeys(
                feature
                for each in self._amounts
                for part in (each.restrictor, each.scope)
                for feature in self._features(part)
            )
        )
        if len(features) > MOST_FEATURES:
            raise TooManyError
        kinds: dict[Kind, None] = {}
        for has in product((False, True), repeat=len(features)):
            person = {feature for feature, yes in zip(features, has, strict=True) if yes}
            if self._lexical.allows(feature[0] for feature in person if len(feature) == 1):
                kind = tuple(
                    (self._is(each.restrictor, person), self._is(each.scope, person)) for each in self._amounts
                )
                if any(restricted for restricted, _ in kind):
                    kinds[kind] = None
        return list(kinds)

    def _is(self, what: Property, person: set[Feature]) -> bool:
        match what:
            case Has(feature):
                return feature in person
            case DoesTo():
                return any(feature in person for feature in self._features(what))
            case Lacks(part):
                return not self._is(part, person)
            case HasAll(parts):
                return all(self._is(part, person) for part in parts)
            case HasAny(parts):
                return any(self._is(part, person) for part in parts)

    def _kinds_of_things(self, statements: Iterable[Statement]) -> list[frozenset[str]]:
        """All kinds of things that there can be: nobody counts things, so one of each kind is enough."""
        spoken = {
            name
            for each in statements
            for what in _walk_properties(each)
            if isinstance(what, DoesTo)
            for name in what.thing
        }
        names = sorted(spoken)
        kinds = (
            frozenset(name for name, yes in zip(names, has, strict=True) if yes)
            for has in product((False, True), repeat=len(names))
        )
        return [kind for kind in kinds if kind and self._lexical.allows(kind)]

    def _features(self, what: Property) -> Iterator[Feature]:
        """Features that a property depends on; an act on a thing depends on all kinds of things that would do."""
        match what:
            case Has(feature):
                yield feature
            case DoesTo(verb, thing):
                for number, kind in enumerate(self._things):
                    if thing <= kind:
                        yield verb, f"thing {number}"
            case Lacks(part):
                yield from self._features(part)
            case HasAll(parts) | HasAny(parts):
                for part in parts:
                    yield from self._features(part)


def most_of_a_kind(amounts: Iterable[Amount], senses: Senses) -> int:
    """The number of people of one kind that can make a difference to these amounts."""
    listed = list(amounts)
    counted = [each.number for each in listed]
    counted += [senses.plural for each in listed if each.determiner == "some" or each.presupposed]
    highest = max(counted, default=0)
    if any(each.determiner in PROPORTIONAL for each in listed):
        return 2 * (highest + 1) + 1
    return highest + 1 if highest > 1 else 1


def words_of(statement: Statement) -> Iterator[str]:
    """The names, nouns, verbs and scales of a statement."""
    for part in _walk_statements(statement):
        if isinstance(part, ScaleStatement):
            yield from (part.scale, part.first, part.second)
        if isinstance(part, Fact):
            yield part.who
        for what in _walk_properties(part):
            if isinstance(what, Has):
                yield from what.feature
            elif isinstance(what, DoesTo):
                yield from (what.verb, *what.thing)


def _walk_statements(statement: Statement) -> Iterator[Statement]:
    match statement:
        case Fact() | Amount() | ScaleStatement():
            yield statement
        case Denied(part):
            yield from _walk_statements(part)
        case Together(parts) | Either(parts):
            for part in parts:
                yield from _walk_statements(part)
        case Unless(main, exception):
            yield from _walk_statements(main)
            yield from _walk_statements(exception)


def _walk_properties(statement: Statement) -> Iterator[Property]:
    if isinstance(statement, Fact):
        yield from _walk_within(statement.what)
    elif isinstance(statement, Amount):
        yield from _walk_within(statement.restrictor)
        yield from _walk_within(statement.scope)


def _walk_within(what: Property) -> Iterator[Property]:
    yield what
    match what:
        case Lacks(part):
            yield from _walk_within(part)
        case HasAll(parts) | HasAny(parts):
            for part in parts:
                yield from _walk_within(part)
        case _:
            pass
