"""What sentences of the logic families say: properties of somebody, and statements about who has them."""

from typing import NamedTuple, TypeAlias


class Has(NamedTuple):
    """Somebody has a feature: a noun, a quality, or something done."""

    feature: tuple[str, ...]


class DoesTo(NamedTuple):
    """Somebody does something to a thing that has all of these features."""

    verb: str
    thing: frozenset[str]


class Lacks(NamedTuple):
    """Somebody does not have a property."""

    part: "Property"


class HasAll(NamedTuple):
    """Somebody has all of these properties; everybody does if there are none."""

    parts: "tuple[Property, ...]"


class HasAny(NamedTuple):
    """Somebody has one of these properties."""

    parts: "tuple[Property, ...]"


Property: TypeAlias = Has | DoesTo | Lacks | HasAll | HasAny


class Fact(NamedTuple):
    """Somebody who is named has a property."""

    who: str
    what: Property


class Amount(NamedTuple):
    """So many of those with one property also have another."""

    determiner: str
    number: int
    restrictor: Property
    scope: Property
    presupposed: bool
    """Whether there must be some with the first property, because of "the"."""


class Compared(NamedTuple):
    """Two who are named, on a scale: `sign` says which of the two has more, and whether they may be equal."""

    scale: str
    sign: str
    first: str
    second: str


class Denied(NamedTuple):
    """The statement does not hold."""

    part: "Statement"


class Together(NamedTuple):
    """All statements hold."""

    parts: "tuple[Statement, ...]"


class Either(NamedTuple):
    """At least one statement holds."""

    parts: "tuple[Statement, ...]"
    stressed: bool = False
    """Whether it is said with "either", which may mean that not all of them hold."""


class Unless(NamedTuple):
    """The first holds if the second does not."""

    main: "Statement"
    exception: "Statement"


Statement: TypeAlias = Fact | Amount | Compared | Denied | Together | Either | Unless


def if_then(condition: Statement, result: Statement) -> Statement:
    """The second holds wherever the first does."""
    return Either((Denied(condition), result))


class Text(NamedTuple):
    """What a premise or a hypothesis says."""

    asserted: Statement
    """What it claims."""
    presupposed: tuple[Statement, ...]
    """What its definite descriptions take for granted."""
