"""Whether a study repeats published effects: the sign of each change, and the order of the systems."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from assay.core.study.record import StudyFigure, StudyTest

Place = tuple[tuple[str, str], ...]
Repeats = Literal["repeated", "same sign", "no change", "opposite sign", "contradicted", "none published"]

SAME = 1e-9
"""Differences below this are none."""


class Matched(NamedTuple):
    """A figure of ours and the published one."""

    ours: StudyFigure
    """Ours, over its seeds."""
    theirs: float
    """Theirs, in the same unit."""
    cell: str
    """Where it is published."""
    doubt: str = ""
    """Why not to trust it, if there is a reason."""


class Effect(NamedTuple):
    """What a regime changes, here and in the paper."""

    test: StudyTest
    """Ours, with its test."""
    theirs: float
    """Theirs: the regime's figure minus the baseline's."""
    outcome: Repeats
    """Whether ours repeats it. Repeated and contradicted need a verdict of ours; the others are only signs."""


class Order(NamedTuple):
    """How many pairs of systems are in the same order here and there."""

    same: int
    """Pairs in the same order."""
    pairs: int
    """All pairs that differ in both."""


def effects(matched: Iterable[Matched], tests: Iterable[StudyTest]) -> list[Effect]:
    """Every tested change for which both figures are published."""
    known = {(each.ours.system, each.ours.regime, place_of(each.ours.slice)): each.theirs for each in matched}
    found = []
    for test in tests:
        place = place_of(test.slice)
        after = known.get((test.system, test.regime, place))
        before = known.get((test.system, test.baseline, place))
        if after is not None and before is not None:
            found.append(Effect(test, after - before, _outcome(test, after - before)))
    return found


def order(matched: Sequence[Matched]) -> Order:
    """Pairs of systems under the same regime, on the same slice.

    >>> order([])
    Order(same=0, pairs=0)
    """
    groups: dict[tuple[str, Place], list[Matched]] = {}
    for each in matched:
        groups.setdefault((each.ours.regime, place_of(each.ours.slice)), []).append(each)
    signs = [
        (one.ours.band.mean - other.ours.band.mean) * (one.theirs - other.theirs)
        for group in groups.values()
        for one, other in combinations(group, 2)
    ]
    apart = [sign for sign in signs if abs(sign) > SAME**2]
    return Order(sum(sign > 0 for sign in apart), len(apart))


def place_of(where: Mapping[str, str]) -> Place:
    """A slice as a key."""
    return tuple(sorted(where.items()))


def _outcome(test: StudyTest, theirs: float) -> Repeats:
    if abs(theirs) < SAME:
        return "none published"
    if abs(test.difference) < SAME:
        return "no change"
    if test.difference * theirs > 0:
        return "same sign" if test.verdict == "undecided" else "repeated"
    return "opposite sign" if test.verdict == "undecided" else "contradicted"
