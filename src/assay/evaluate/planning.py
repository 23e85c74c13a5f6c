"""Planning: the number of source pairs that a run needs to detect a loss, before any model is run."""

from collections.abc import Mapping
from math import ceil, sqrt
from statistics import NormalDist

import msgspec
import numpy

from assay.core.errors import UserError
from assay.evaluate.case_columns import Ints
from assay.evaluate.paired import LEVEL, Z_POWER, smallest_difference

CHANGED = 0.2
"""The fraction of cases that are assumed to change between right and wrong, in either direction."""

ALIKE = 0.3
"""How strongly cases that share a premise or a word pair are assumed to change together, from 0 to 1."""


class FamilyPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest loss that a family's cases can show, and the pairs that a wanted loss needs."""

    family: str
    cases: int
    groups: int
    """Groups of cases that share a premise or a word pair."""
    detects: float | None
    """The smallest loss that these cases detect four times out of five; None if none."""
    pairs_needed: int


def check_effect(effect: float) -> float:
    """A loss to detect, as a share.

    >>> check_effect(5)
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: A loss of 5 can't be planned for.
      It is a fraction between 0 and 1: write 0.05 for 5 points.
    """
    if not 0 < effect < 1:
        raise UserError(
            f"A loss of {effect:g} can't be planned for.\n  It is a fraction between 0 and 1: write 0.05 for 5 points."
        )
    return effect


def cases_to_detect(effect: float, *, tests: int = 1, design_effect: float = 1.0) -> int:
    """Cases that detect a loss four times out of five, if a fraction of them changes, with this many tests.

    >>> cases_to_detect(0.05), cases_to_detect(0.05, tests=8)
    (626, 1020)
    """
    changed = max(CHANGED, effect)
    z = NormalDist().inv_cdf(1 - LEVEL / (2 * tests))
    return ceil(((z * sqrt(changed) + Z_POWER * sqrt(changed - effect**2)) / effect) ** 2 * design_effect)


def larger_groups(*kinds: Ints) -> Ints:
    """The sizes of groups of one kind, such as by premise or by word pair: the kind with the larger groups.

    >>> larger_groups(numpy.array([1, 2, 3]), numpy.array([7, 7, 9])).tolist()
    [2, 1]
    """
    sizes = [numpy.unique(kind, return_counts=True)[1] for kind in kinds]
    return max(sizes, key=lambda own: float((own * own).sum()))


def plan_families(groups: Mapping[str, Ints], *, pairs: int, effect: float) -> list[FamilyPlan]:
    """The plan of each family, from the sizes of its groups of cases and the number of source pairs they come from.

    >>> [plan] = plan_families({"negation": numpy.ones(200, dtype=int)}, pairs=200, effect=0.05)
    >>> round(plan.detects, 3), plan.pairs_needed
    (0.088, 626)
    """
    check_effect(effect)
    found = []
    for family, sizes in groups.items():
        cases = int(sizes.sum())
        typical = float((sizes * sizes).sum()) / cases
        inflation = 1 + ALIKE * (typical - 1)
        needed = cases_to_detect(effect, tests=len(groups), design_effect=inflation)
        found.append(
            FamilyPlan(
                family=family,
                cases=cases,
                groups=len(sizes),
                detects=smallest_difference(cases / inflation, CHANGED, tests=len(groups)),
                pairs_needed=ceil(needed / cases * pairs),
            )
        )
    return found
