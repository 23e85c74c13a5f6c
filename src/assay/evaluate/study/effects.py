"""Whether a study has the same effects as a paper: the direction of each change, and the order of the systems."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from math import factorial
from statistics import fmean
from typing import Literal, NamedTuple

from assay.core.chance import rng_for
from assay.core.results.comparison import Outcome
from assay.core.study.record import StudyFigure, StudyTest

Place = tuple[tuple[str, str], ...]
Direction = Literal["same direction", "opposite direction", "none published"] | Outcome

FEWEST_SYSTEMS = 5
"""With fewer systems, no order is rarer than one exchange in twenty, so nothing is said about it."""

MOST_EXCHANGES = 5040
"""How many ways to exchange systems are tried; if there are more, this many are drawn."""

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
    """What a condition changes, here and in the paper."""

    test: StudyTest
    """Ours, with its test."""
    theirs: float
    """Theirs: the condition's figure minus the baseline's."""
    outcome: Direction
    """Whether ours has the same direction, if it is significant; otherwise why there is no verdict."""


class Order(NamedTuple):
    """How many pairs of systems are in the same order here and there."""

    same: int
    """Pairs in the same order."""
    pairs: int
    """All pairs that differ in both."""
    by_chance: float
    """Pairs in the same order if systems are exchanged at random, on average."""
    share: float
    """Share of such exchanges that are as far from the average as ours, in either direction."""


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


def order(matched: Sequence[Matched]) -> Order | None:
    """Pairs of systems under the same condition, on the same slice; None if there are too few systems to say anything.

    >>> order([]) is None
    True
    """
    groups: dict[tuple[str, Place], dict[str, Matched]] = {}
    for each in matched:
        groups.setdefault((each.ours.regime, place_of(each.ours.slice)), {})[each.ours.system] = each
    systems = sorted({each.ours.system for each in matched})
    same, pairs = _same_order(groups.values(), dict(zip(systems, systems, strict=True)))
    if not pairs or len(systems) < FEWEST_SYSTEMS:
        return None
    counts = []
    for exchanged in _exchanges(systems):
        count, there = _same_order(groups.values(), dict(zip(systems, exchanged, strict=True)))
        counts.append(count * pairs / there if there else pairs / 2)
    middle = fmean(counts)
    far = abs(same - middle) - 1e-9
    return Order(same, pairs, middle, fmean(abs(count - middle) >= far for count in counts))


def _same_order(groups: Iterable[Mapping[str, Matched]], exchanged: Mapping[str, str]) -> tuple[int, int]:
    """Pairs in the same order, and all pairs, if each system had the published figures of another."""
    signs = [
        (group[one].ours.band.mean - group[other].ours.band.mean)
        * (group[exchanged[one]].theirs - group[exchanged[other]].theirs)
        for group in groups
        for one, other in combinations(group, 2)
        if exchanged[one] in group and exchanged[other] in group
    ]
    apart = [sign for sign in signs if abs(sign) > SAME**2]
    return sum(sign > 0 for sign in apart), len(apart)


def _exchanges(systems: Sequence[str]) -> Iterable[Sequence[str]]:
    if factorial(len(systems)) <= MOST_EXCHANGES:
        return permutations(systems)
    rng = rng_for(0, transform="order/v1", pair=" ".join(systems))
    return (rng.sample(systems, len(systems)) for _ in range(MOST_EXCHANGES))


def place_of(where: Mapping[str, str]) -> Place:
    """A slice as a key."""
    return tuple(sorted(where.items()))


def _outcome(test: StudyTest, theirs: float) -> Direction:
    if abs(theirs) < SAME:
        return "none published"
    if test.verdict not in ("better", "worse"):
        return test.verdict
    return "same direction" if test.difference * theirs > 0 else "opposite direction"
