"""The meaning of the logic families' sentences, in every sense of their words."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.stress.formulas import Every, Formula, Not, Some


class Has(NamedTuple):
    """Somebody has a feature: a noun, a quality or an act."""

    feature: tuple[str, ...]
    who: str = ""
    """A name; empty in a property, which can be anybody's."""


class DoesTo(NamedTuple):
    """Somebody does something to a thing that has all of these features."""

    verb: str
    thing: frozenset[str]
    who: str = ""


Property: TypeAlias = Formula
"""`Has` and `DoesTo` of anybody, joined."""


def attribute(what: Property, who: str) -> Property:
    """The statement that somebody has a property."""
    match what:
        case Not(part):
            return Not(attribute(part, who))
        case Every(parts):
            return Every(tuple(attribute(part, who) for part in parts))
        case Some(parts):
            return Some(tuple(attribute(part, who) for part in parts))
        case _:
            return what._replace(who=who)


class Quantified(NamedTuple):
    """A number or fraction of those who have one property also have another."""

    determiner: str
    number: int
    restrictor: Property
    scope: Property
    presupposed: bool
    """True if "the" presupposes that somebody has the first property."""


class ScaleStatement(NamedTuple):
    """Two named people on a scale: `sign` says who has more, or that they are equal."""

    scale: str
    sign: str
    first: str
    second: str


Fact: TypeAlias = Has | DoesTo | Quantified | ScaleStatement
Statement: TypeAlias = Formula
"""Facts, joined."""


class TextMeaning(NamedTuple):
    """The meaning of a premise or a hypothesis: statements that all hold."""

    asserted: tuple[Statement, ...]
    presupposed: tuple[Statement, ...]


Counts = NDArray[np.int64]
Truths = NDArray[np.bool_]


class Senses(NamedTuple):
    """One combination of senses for the ambiguous words."""

    plural: int = 1
    """The least number that a plural implies: "some of the doctors", "the doctors"."""
    few: int = 2
    """The share from which "few" is false: a half, or a third."""
    number_is_exact: bool = False
    there_are: bool = False
    """True if the determiner implies that somebody exists, even without "the"."""
    as_is_equal: bool = False
    either_is_one: bool = False
    """True if "either A or B" excludes both."""
    unless_is_only: bool = False
    """True if "A unless B" also says that not A if B."""


SENSES: Mapping[str, Senses] = {
    "plain": Senses(),
    "plural: two or more": Senses(plural=2),
    "few: less than a third": Senses(few=3),
    "two: exactly": Senses(number_is_exact=True),
    "every: there are some": Senses(there_are=True),
    "as tall as: equally tall": Senses(as_is_equal=True),
    "either: not both": Senses(either_is_one=True),
    "unless: only unless": Senses(unless_is_only=True),
}
"""Senses by name: the plain one, and each that differs from it in one word."""

NUMBERS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}

_AMOUNTS = frozenset(("every", "all", "most", "few", "no", "none", "some", "at", "exactly", "more", "fewer", *NUMBERS))
_CONCERNS: Mapping[str, frozenset[str]] = {
    "plural: two or more": frozenset(("some", "of")),
    "few: less than a third": frozenset(("few",)),
    "two: exactly": frozenset(NUMBERS),
    "every: there are some": _AMOUNTS,
    "as tall as: equally tall": frozenset(("as",)),
    "either: not both": frozenset(("either",)),
    "unless: only unless": frozenset(("unless",)),
}


def senses_of(words: Iterable[str]) -> list[Senses]:
    """The combinations of senses that can make a difference to sentences with these words."""
    there = frozenset(words)
    return [each for name, each in SENSES.items() if name not in _CONCERNS or _CONCERNS[name] & there]


Meaning = Callable[[Any, Any, int, Senses], Any]
"""True if a determiner holds, given how many have both properties, how many have the first, the number, and the sense.

Counts are numbers, or arrays with one number per world.
"""

DETERMINERS: dict[str, Meaning] = {
    **dict.fromkeys(("a", "an", "several", "another", "enough"), lambda both, _first, _n, _s: both >= 1),
    "some": lambda both, _first, _n, sense: both >= sense.plural,
    **dict.fromkeys(("a few", "not a few", "a couple", "a number"), lambda both, _first, _n, _s: both >= 2),
    **dict.fromkeys(("a lot", "lots", "plenty"), lambda both, _first, _n, _s: both >= 3),
    **dict.fromkeys(("every", "each", "all"), lambda both, first, _n, _s: both == first),
    **dict.fromkeys(("not every", "not all"), lambda both, first, _n, _s: both < first),
    **dict.fromkeys(("no", "none", "not a single", "not one", "not any"), lambda both, _first, _n, _s: both == 0),
    **dict.fromkeys(("hardly any", "scarcely any"), lambda both, _first, _n, _s: both <= 1),
    "almost no": lambda both, first, _n, _s: 10 * both < first,
    **dict.fromkeys(("most", "almost all", "nearly all", "almost every"), lambda both, first, _n, _s: 2 * both > first),
    "half": lambda both, first, _n, _s: 2 * both >= first,
    **dict.fromkeys(("few", "very few"), lambda both, first, _n, sense: sense.few * both < first),
    "both": lambda both, first, _n, _s: (both == first) & (first == 2),
    "neither": lambda both, first, _n, _s: (both == 0) & (first == 2),
    "N": lambda both, _first, n, sense: both == n if sense.number_is_exact else both >= n,
    **dict.fromkeys(
        ("at least N", "no less than N", "no fewer than N", "not less than N"), lambda both, _first, n, _s: both >= n
    ),
    **dict.fromkeys(("more than N", "over N"), lambda both, _first, n, _s: both > n),
    **dict.fromkeys(("fewer than N", "less than N"), lambda both, _first, n, _s: both < n),
    **dict.fromkeys(("at most N", "no more than N", "not more than N"), lambda both, _first, n, _s: both <= n),
    **dict.fromkeys(("exactly N", "only N", "just N"), lambda both, _first, n, _s: both == n),
    **dict.fromkeys(("about N", "around N"), lambda both, _first, n, _s: abs(both - n) <= 1),
}
"""Meanings of determiners by name, where N is a number; the checks of templates and of corpus cases both use them."""

PROPORTIONAL = ("most", "few")
"""Determiners that compare two counts, not a count with a number."""
