"""Non-inferiority: whether a loss is shown to be below a margin, and how many more source pairs would show it."""

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal

import msgspec
import numpy

from assay.core.errors import UserError
from assay.evaluate.intervals import student_p
from assay.evaluate.paired import PairedShares, tango_score
from assay.evaluate.significance import LEVEL, Z_POWER, holm

MarginOutcome = Literal["within margin", "worse", "inconclusive"]


class MarginTest(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the loss on one slice is shown to be smaller than the margin."""

    margin: float
    p: float
    """How likely a result this good is if the true loss is the margin; corrected for the number of slices."""
    outcome: MarginOutcome
    more_pairs: int | None = None
    """Further source pairs that would show it four times out of five if both models are equally good; None if it is
    shown, or if no number would do."""


def check_margin(margin: float) -> float:
    """A margin as a share, or an error that says what a margin is.

    >>> check_margin(0.02)
    0.02
    >>> check_margin(2)
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: The margin 2 is not between 0 and 1.
      It is a share of the cases: write 0.02 to accept a loss of at most 2 points.
    """
    if not 0 < margin < 1:
        raise UserError(
            f"The margin {margin:g} is not between 0 and 1.\n"
            "  It is a share of the cases: write 0.02 to accept a loss of at most 2 points."
        )
    return margin


def noninferiority_p(shares: PairedShares, margin: float) -> float:
    """The one-sided p of Tango's score test: how likely a result this good is if the loss is exactly the margin.

    The first of the two is the candidate. Cases in clusters count as the independent cases that would carry as much
    information, and p comes from Student's t.

    >>> from assay.evaluate.paired import paired_shares
    >>> alike = paired_shares([[1, 1, 0, 0]] * 300)
    >>> noninferiority_p(alike, 0.02) < 0.05 < noninferiority_p(alike, 0.005)
    True
    """
    if not shares.n:
        return 1.0
    size = _design_effect(shares)
    # Half a case less, because counts are whole numbers and the margin must not be passed by rounding.
    counts = [shares.only_first / size, (shares.only_second + 0.5) / size, shares.n / size]
    first, second, cases = map(numpy.asarray, counts)
    statistic = float(tango_score(first, second, cases, numpy.asarray(-margin)))
    half = student_p(statistic, shares.effect.freedom) / 2
    return half if statistic > 0 else 1 - half


UNSEEN = 3.0
"""Clusters that count as wholly lost besides those that were seen. If losses come by whole clusters and only a few
large ones are lost, chance often spares all of them, and their absence must not look like a small variance."""


def _design_effect(shares: PairedShares) -> float:
    """The design effect of the difference, drawn towards that of clusters whose cases are lost together."""
    if shares.clusters == shares.n or shares.disagreement is None or shares.difference is None:
        return 1.0
    independent = shares.n * (shares.disagreement - shares.difference**2)
    unseen = UNSEEN * shares.typical
    return (shares.effect.size * independent + unseen * shares.typical) / (independent + unseen)


def judge_margin(tests: Sequence[tuple[PairedShares, bool]], margin: float) -> list[MarginTest]:
    """The outcome on each slice, given as its counts and whether the candidate is significantly worse on it.

    Holm's correction is over the slices. A loss that is real and still shown to be below the margin is within it.

    >>> from assay.evaluate.paired import paired_shares
    >>> [test] = judge_margin([(paired_shares([[1, 1, 0, 0]] * 90 + [[1, 0, 1, 0], [1, 0, 0, 1]] * 5), False)], 0.02)
    >>> test.outcome, test.more_pairs
    ('inconclusive', 1442)
    """
    adjusted = holm([noninferiority_p(shares, margin) for shares, _ in tests])
    found = []
    for (shares, is_worse), p in zip(tests, adjusted, strict=True):
        outcome: MarginOutcome = "within margin" if p < LEVEL else "worse" if is_worse else "inconclusive"
        more = more_pairs(shares, margin, tests=len(tests)) if outcome == "inconclusive" else None
        found.append(MarginTest(margin=margin, p=p, outcome=outcome, more_pairs=more))
    return found


def cases_needed(margin: float, disagreement: float, *, tests: int = 1, design_effect: float = 1.0) -> int:
    """Cases that show four times out of five that two equally good models are within the margin.

    >>> cases_needed(0.02, 0.1), cases_needed(0.02, 0.1, tests=8)
    (1542, 2780)
    """
    # Under the margin, cases differ at least as often as the margin says.
    at_margin = max(disagreement, margin) - margin**2
    z = NormalDist().inv_cdf(1 - LEVEL / tests)
    return ceil(((z * sqrt(at_margin) + Z_POWER * sqrt(disagreement)) / margin) ** 2 * design_effect)


def more_pairs(shares: PairedShares, margin: float, *, tests: int = 1) -> int | None:
    """Source pairs, besides those that there are, that would probably show that the loss is below the margin."""
    if not shares.n or shares.disagreement is None:
        return None
    needed = cases_needed(margin, shares.disagreement, tests=tests, design_effect=_design_effect(shares))
    return max(1, ceil((needed / shares.n - 1) * shares.clusters))
