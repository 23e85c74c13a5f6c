"""Non-inferiority: whether a loss is shown to be below a margin, and how many more source pairs would show it."""

from collections.abc import Sequence
from math import ceil, inf, sqrt
from statistics import NormalDist

import msgspec
import numpy

from assay.core.comparison import ComparedSlice, MarginOutcome, MarginTest
from assay.core.errors import UserError
from assay.evaluate.intervals import student_p
from assay.evaluate.paired import LEVEL, Z_POWER, tango_score


def check_margin(margin: float) -> float:
    """A margin as a share, or an error that says what a margin is.

    >>> check_margin(0.02)
    0.02
    >>> check_margin(2)
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: The margin 2 is not between 0 and 1.
      It is a fraction of the cases: write 0.02 to accept a loss of at most 2 points.
    """
    if not 0 < margin < 1:
        raise UserError(
            f"The margin {margin:g} is not between 0 and 1.\n"
            "  It is a fraction of the cases: write 0.02 to accept a loss of at most 2 points."
        )
    return margin


def upper_tail(statistic: float, freedom: float = inf) -> float:
    """The chance that Student's t is at least this large.

    >>> round(upper_tail(1.645), 3), round(upper_tail(-1.645), 3), round(upper_tail(2.353, 3), 3)
    (0.05, 0.95, 0.05)
    """
    half = student_p(statistic, freedom) / 2
    return half if statistic > 0 else 1 - half


def noninferiority_p(row: ComparedSlice, margin: float) -> float:
    """The one-sided p of Tango's score test: how likely a result this good is if the loss is exactly the margin.

    Cases that share a premise or a word pair count as the independent cases that would carry as much information.
    """
    size = _design_effect(row)
    # Half a case less, because counts are whole numbers and the margin must not be passed by rounding.
    counts = [row.only_candidate / size, (row.only_baseline + 0.5) / size, row.n / size]
    first, second, cases = map(numpy.asarray, counts)
    return upper_tail(float(tango_score(first, second, cases, numpy.asarray(-margin))))


UNSEEN = 3.0
"""Number of unseen groups of cases that are assumed to be completely lost. If losses come by whole groups and only a
few are large, chance often spares all of those, and their absence must not look like a small variance."""


def _design_effect(row: ComparedSlice) -> float:
    """The design effect of the difference, shrunk towards that of clusters whose cases are all lost together."""
    if row.clusters == row.n or row.independent is None:
        return 1.0
    independent = row.only_candidate + row.only_baseline - row.n * row.difference**2
    unseen = UNSEEN * row.typical
    return (row.n / row.independent * independent + unseen * row.typical) / (independent + unseen)


def hommel(p_values: Sequence[float]) -> list[float]:
    """Each p, corrected by Hommel's method (1988), the closed test of Simes's: all are below 0.05 if all were before.

    It never gives a larger p than Holm's, and needs tests that do not depend negatively on each other. Those of
    one model on families of the same pairs do not.

    >>> hommel([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.04, 0.04, 0.02]
    """
    n, order = len(p_values), numpy.argsort(p_values, kind="stable")
    p = numpy.asarray(p_values, dtype=float)[order]
    found = numpy.maximum(p, (n * p / numpy.arange(1, n + 1)).min(initial=1.0))
    for m in range(n - 1, 1, -1):
        last = (m * p[n - m + 1 :] / numpy.arange(2, m + 1)).min()
        first = numpy.minimum(m * p[: n - m + 1], last)
        found = numpy.maximum(found, numpy.append(first, numpy.full(m - 1, first[-1])))
    adjusted = numpy.empty(n)
    adjusted[order] = found
    return [round(each, 12) for each in adjusted.tolist()]


def smallest_margin(row: ComparedSlice) -> float:
    """The smallest margin that the cases of a row could show to be kept, if no answer had changed."""
    if row.clusters is None:
        return 0.0
    unchanged = msgspec.structs.replace(row, difference=0.0, only_candidate=0, only_baseline=0)
    low, high = 0.0, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if noninferiority_p(unchanged, middle) < LEVEL else (middle, high)
    return high


def judge_margin(rows: Sequence[ComparedSlice], ps: Sequence[float], margin: float) -> list[ComparedSlice]:
    """Rows with the outcome of their margin tests, given as p values, which are corrected by Hommel's method.

    A loss that is real and still shown to be below the margin is within it. Rows that are too small to ever be within
    it would make the others pay for nothing, so they are not part of the correction.
    """
    smallest = [smallest_margin(row) for row in rows]
    able = [place for place, size in enumerate(smallest) if size <= margin]
    adjusted = dict(zip(able, hommel([ps[place] for place in able]), strict=True))
    found = []
    for place, row in enumerate(rows):
        p = adjusted.get(place, 1.0)
        if row.verdict == "better" and row.adjusted is not None:  # it has lost nothing, however few cases there are
            p = min(p, row.adjusted)
        outcome: MarginOutcome = "inconclusive"
        if p < LEVEL:
            outcome = "within margin"
        elif row.verdict == "worse":
            outcome = "worse"
        more = more_pairs(row, margin) if outcome == "inconclusive" else None
        least = smallest[place] if place not in able and outcome == "inconclusive" else None
        tests = len(able) if place in adjusted else 0
        test = MarginTest(
            margin=margin, p=p, outcome=outcome, more_pairs=more, smallest=least, uncorrected=ps[place], tests=tests
        )
        found.append(msgspec.structs.replace(row, margin=test))
    return found


def cases_needed(margin: float, disagreement: float, *, tests: int = 1, design_effect: float = 1.0) -> int:
    """Cases that show four times out of five that two equally good models are within the margin.

    >>> cases_needed(0.02, 0.1), cases_needed(0.02, 0.1, tests=8)
    (1603, 2877)
    """
    half = numpy.asarray(disagreement / 2)
    score = float(tango_score(half, half, numpy.asarray(1.0), numpy.asarray(-margin)))
    z = NormalDist().inv_cdf(1 - LEVEL / tests)
    cases = ((z * margin / score + Z_POWER * sqrt(disagreement)) / margin) ** 2  # margin / score: its standard error
    return ceil((cases + 0.5 / margin) * design_effect)


def more_pairs(row: ComparedSlice, margin: float) -> int | None:
    """The number of additional source pairs that would probably show a loss below the margin."""
    if row.clusters is None:
        return None
    disagreement = (row.only_candidate + row.only_baseline) / row.n
    needed = cases_needed(margin, disagreement, design_effect=_design_effect(row))
    return max(1, ceil((needed / row.n - 1) * row.clusters))
