"""All worlds that matter to some sentences, and where each sentence holds.

A world says how many people there are of each kind, what those who are named do, and who has more on a scale. Kinds are
told apart only by what the sentences can see: two people who have the same of the properties that are spoken of are of
one kind. So it is enough to count, and to count as far as the words can tell numbers apart (`most_of_a_kind`):

- "every", "some" and "no" can't tell one person of a kind from several: 0 or 1 of each decide;
- a number n is told from n + 1, but no word tells n + 2 from n + 1: a larger crowd can be thinned out to that;
- "most" and "few" compare two sums. A world where they hold stays one if as many are taken away on both sides, down to
  the numbers that other words ask for: twice those, and one more to tip the balance, decide.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from operator import eq, ge, gt, lt
from typing import NamedTuple

import numpy as np

from assay.stress.formulas import Every, evaluate, facts_of
from assay.stress.logic.proof.statements import (
    DETERMINERS,
    PROPORTIONAL,
    Counts,
    DoesTo,
    Fact,
    Has,
    Property,
    Quantified,
    ScaleStatement,
    Senses,
    Statement,
    Truths,
)

MOST_WORLDS = 4_000_000
MOST_FEATURES = 14
"""Maximum number of features that kinds of people may differ in."""

Feature = tuple[str, ...]
Kind = tuple[tuple[bool, bool], ...]
"""For each quantified statement, whether a person has its first property, and its second."""


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
    """The worlds that matter to the statements, in one sense of their words."""

    def __init__(
        self, statements: Sequence[Statement], lexical: NounHierarchy, senses: Senses, *, spare: int = 0
    ) -> None:
        self._senses = senses
        self._lexical = lexical
        facts = list(facts_of(Every(tuple(statements))))
        self._amounts = list(dict.fromkeys(each for each in facts if isinstance(each, Quantified)))
        counted = [fact for each in self._amounts for fact in _properties_of(each)]
        self._things = self._kinds_of_things([*facts, *counted])
        kinds = self._kinds_of_people(counted)
        features = dict.fromkeys(
            (each.who, *feature) for each in facts if isinstance(each, Has | DoesTo) for feature in self._features(each)
        )
        compared = [each for each in facts if isinstance(each, ScaleStatement)]
        places = dict.fromkeys((each.scale, who) for each in compared for who in (each.first, each.second))
        steps = {scale: sum(each == scale for each, _ in places) for scale, _ in places}
        most = most_of_a_kind(self._amounts, senses) + spare
        sizes = [*([most + 1] * len(kinds)), *([2] * len(features)), *(steps[scale] for scale, _ in places)]
        if prod(sizes) > MOST_WORLDS:
            raise TooManyError
        self.count = prod(sizes)
        columns = iter(self._make_columns(sizes))
        self._counts = [(kind, next(columns)) for kind in kinds]
        self._facts: dict[Feature, Truths] = {fact: next(columns) == 1 for fact in features}
        self._heights = {place: next(columns) for place in places}

    def where(self, *statements: Statement) -> Truths:
        """The worlds where all the statements hold."""
        truths: Truths = evaluate(Every(statements), self._evaluate_fact, np.ones(self.count, dtype=np.bool_))
        return truths

    def _evaluate_fact(self, fact: Fact) -> Truths:
        match fact:
            case Quantified(determiner, number):
                place = self._amounts.index(fact)
                both, first = self._count_people(place, scope=True), self._count_people(place, scope=False)
                truth: Truths = DETERMINERS[determiner](both, first, number, self._senses)
                return truth
            case ScaleStatement(scale, sign, first, second):
                return SIGNS[sign](self._heights[scale, first], self._heights[scale, second])
            case Has() | DoesTo():
                truth = np.zeros(self.count, dtype=np.bool_)
                for feature in self._features(fact):
                    truth |= self._facts[(fact.who, *feature)]
                return truth

    def given(self) -> Truths:
        """The worlds in which all presupposed people exist."""
        truths = np.ones(self.count, dtype=np.bool_)
        for place, amount in enumerate(self._amounts):
            if amount.presupposed or self._senses.there_are:
                truths &= self._count_people(place, scope=False) >= (self._senses.plural if amount.presupposed else 1)
        return truths

    def _make_columns(self, sizes: Sequence[int]) -> Iterator[Counts]:
        number, stride = np.arange(self.count), 1
        for size in sizes:
            yield number // stride % size
            stride *= size

    def _count_people(self, place: int, *, scope: bool) -> Counts:
        total = np.zeros(self.count, dtype=np.int64)
        for kind, counts in self._counts:
            restricted, scoped = kind[place]
            if restricted and (scoped or not scope):
                total += counts
        return total

    def _kinds_of_people(self, facts: Iterable[Has | DoesTo]) -> list[Kind]:
        """The kinds of people that the quantified statements distinguish, without those that none mentions."""
        features = list(dict.fromkeys(feature for fact in facts for feature in self._features(fact)))
        if len(features) > MOST_FEATURES:
            raise TooManyError
        kinds: dict[Kind, None] = {}
        for has in product((False, True), repeat=len(features)):
            person = {feature for feature, yes in zip(features, has, strict=True) if yes}
            if self._lexical.allows(feature[0] for feature in person if len(feature) == 1):
                kind = tuple(
                    (self._has_property(each.restrictor, person), self._has_property(each.scope, person))
                    for each in self._amounts
                )
                if any(restricted for restricted, _ in kind):
                    kinds[kind] = None
        return list(kinds)

    def _has_property(self, what: Property, person: set[Feature]) -> bool:
        return bool(evaluate(what, lambda fact: not person.isdisjoint(self._features(fact)), True))

    def _kinds_of_things(self, facts: Iterable[Fact]) -> list[frozenset[str]]:
        """All possible kinds of things; nobody counts things, so one of each kind is enough."""
        names = sorted({name for each in facts if isinstance(each, DoesTo) for name in each.thing})
        kinds = (
            frozenset(name for name, yes in zip(names, has, strict=True) if yes)
            for has in product((False, True), repeat=len(names))
        )
        return [kind for kind in kinds if kind and self._lexical.allows(kind)]

    def _features(self, fact: Has | DoesTo) -> list[Feature]:
        """Features that need one witness each; an act on a thing can involve any suitable kind of thing."""
        if isinstance(fact, Has):
            return [fact.feature]
        return [(fact.verb, f"thing {number}") for number, kind in enumerate(self._things) if fact.thing <= kind]


SIGNS: dict[str, Callable[[Counts, Counts], Truths]] = {">": gt, "<": lt, ">=": ge, "=": eq}


def _properties_of(amount: Quantified) -> list[Has | DoesTo]:
    """The facts in both properties of a quantified statement."""
    return [*facts_of(amount.restrictor), *facts_of(amount.scope)]


def most_of_a_kind(amounts: Iterable[Quantified], senses: Senses) -> int:
    """The number of people of one kind that can make a difference to these statements."""
    listed = list(amounts)
    counted = [each.number for each in listed]
    counted += [senses.plural for each in listed if each.determiner == "some" or each.presupposed]
    highest = max(counted, default=0)
    if any(each.determiner in PROPORTIONAL for each in listed):
        return 2 * (highest + 1) + 1
    return highest + 1 if highest > 1 else 1


def words_of(*statements: Statement) -> Iterator[str]:
    """The names, nouns, verbs and scales in the statements."""
    for fact in facts_of(Every(statements)):
        match fact:
            case ScaleStatement(scale, _, first, second):
                yield from (scale, first, second)
            case Quantified():
                yield from words_of(*_properties_of(fact))
            case Has(feature, who):
                yield from filter(None, (who, *feature))
            case DoesTo(verb, thing, who):
                yield from filter(None, (who, verb, *thing))
