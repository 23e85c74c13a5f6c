"""Formulas and the worlds where they hold: a truth table is one integer, with a bit for each world."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

MOST_ATOMS = 18
"""The most atoms: a table has 2 to this many bits."""


class Atom(NamedTuple):
    """A fact: a predicate with individuals, or with formulas that are not evaluated."""

    predicate: str
    arguments: "tuple[str | Formula | None, ...]"


class Not(NamedTuple):
    """The part does not hold."""

    part: "Formula"


class Every(NamedTuple):
    """All parts hold."""

    parts: "tuple[Formula, ...]"


class Some(NamedTuple):
    """At least one part holds."""

    alternatives: "tuple[Formula, ...]"


Formula: TypeAlias = Atom | Not | Every | Some


def if_then(condition: Formula, result: Formula) -> Formula:
    """The result holds whenever the condition does."""
    return Some((Not(condition), result))


def atoms_of(formula: Formula) -> Iterator[Atom]:
    """Every atom that the truth of a formula depends on."""
    match formula:
        case Atom():
            yield formula
        case Not(part):
            yield from atoms_of(part)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from atoms_of(part)


def find_world(true: Iterable[Formula], *, false: Formula) -> frozenset[Atom] | None:
    """The atoms that are true in a world where some formulas hold and one does not; None if there is no such world.

    >>> rain, wet = Atom("rains", ()), Atom("wet", ())
    >>> find_world([rain, if_then(rain, wet)], false=wet)
    >>> sorted(atom.predicate for atom in find_world([wet], false=rain))
    ['wet']
    """
    formulas = [*true, Not(false)]
    atoms = list(dict.fromkeys(atom for formula in formulas for atom in atoms_of(formula)))
    if len(atoms) > MOST_ATOMS:
        raise OverflowError(f"{len(atoms)} atoms make too many worlds")
    columns = dict(zip(atoms, _columns(len(atoms)), strict=True))
    every = (1 << (1 << len(atoms))) - 1
    worlds = every
    for formula in formulas:
        worlds &= _table(formula, columns, every)
    if not worlds:
        return None
    first = (worlds & -worlds).bit_length() - 1
    return frozenset(atom for number, atom in enumerate(atoms) if first >> number & 1)


def _columns(count: int) -> Sequence[int]:
    """The table of each atom: in world number w the atom number k is true if w has bit k."""
    worlds = 1 << count
    made = []
    for number in range(count):
        block = 1 << number
        column, width = ((1 << block) - 1) << block, 2 * block
        while width < worlds:
            column |= column << width
            width *= 2
        made.append(column)
    return made


def _table(formula: Formula, columns: dict[Atom, int], every: int) -> int:
    match formula:
        case Atom():
            return columns[formula]
        case Not(part):
            return every & ~_table(part, columns, every)
        case Every(parts):
            table = every
            for part in parts:
                table &= _table(part, columns, every)
            return table
        case Some(parts):
            table = 0
            for part in parts:
                table |= _table(part, columns, every)
            return table
