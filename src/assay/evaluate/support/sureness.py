"""What scores say about their own reliability: risk against coverage, and scores against what is supported."""

from typing import NamedTuple

import numpy

from assay.core.results.support import ScoreBin
from assay.evaluate.calibration import BINS, bins_of
from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.interval import ClusteredShare
from assay.evaluate.support.shares import clustered

DECIMALS = 9

STEPS = 20
"""How many points of a risk-coverage curve are stored."""


class RiskCoverage(NamedTuple):
    """Wrong answers among the surest cases."""

    coverage: Floats
    """(points,) Shares of the cases that are answered."""
    risk: list[ClusteredShare]
    """The share of wrong answers among them, at each point."""


def sureness(score: Floats, threshold: float) -> Floats:
    """How far a score is from the threshold, on its side of it: 0 at the threshold, 1 at the end of the scale.

    It is rounded, so that scores as far above the threshold as others are below it are equally sure.

    >>> sureness(numpy.array([0.0, 0.4, 0.8, 0.9]), 0.8).round(2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    above, below = 1 - threshold or 1.0, threshold or 1.0
    found = numpy.where(score >= threshold, (score - threshold) / above, (threshold - score) / below)
    return numpy.asarray(found.round(DECIMALS))


def risk_coverage(score: Floats, supported: Bools, cluster: Ints, threshold: float) -> RiskCoverage:
    """The risk when only the surest answers are given; answers that are equally sure are given together.

    >>> cases = (numpy.array([0.9, 0.2, 0.6]), numpy.array([True, False, False]), numpy.array([0, 1, 2]))
    >>> [share.value for share in risk_coverage(*cases, 0.5).risk]
    [0.0, 0.0, 0.3333333333333333]
    """
    sure, wrong = sureness(score, threshold), (score >= threshold) != supported
    steps = numpy.unique(sure)[::-1]
    coverage = 1 - numpy.searchsorted(numpy.sort(sure), steps) / len(sure)  # (steps,)
    wanted = numpy.arange(1, STEPS + 1) / STEPS
    at = numpy.unique(numpy.searchsorted(coverage, wanted - 1e-12))
    given = [sure >= step for step in steps[at]]
    return RiskCoverage(coverage[at], [clustered(wrong[each], cluster[each]) for each in given])


def mean_risk(wrong: Floats, right: Floats) -> Floats:
    """The mean risk over all coverages, from counts by sureness, the lowest first: each (..., steps).

    >>> float(mean_risk(numpy.array([0.0, 1.0, 0.0]), numpy.array([1.0, 0.0, 1.0])).round(4))
    0.2778
    """
    errors, n = numpy.flip(wrong, axis=-1), numpy.flip(wrong + right, axis=-1)
    with numpy.errstate(invalid="ignore"):  # a draw may have no case down to here; such a step adds nothing
        risk = numpy.nan_to_num(numpy.cumsum(errors, axis=-1) / numpy.cumsum(n, axis=-1))
    return numpy.asarray((risk * n).sum(axis=-1) / n.sum(axis=-1))


def reliability(score: Floats, supported: Bools, cluster: Ints) -> tuple[ScoreBin, ...]:
    """Mean score and share of supported cases in bins of equal width; empty bins are left out."""
    bins = bins_of(score)
    found = []
    for number in range(BINS):
        here = bins == number
        if here.any():
            share = clustered(supported[here], cluster[here])
            low, high = share.interval or (None, None)
            mean, value = float(score[here].mean()), float(supported[here].mean())
            found.append(ScoreBin(score=mean, supported=value, low=low, high=high, n=int(here.sum())))
    return tuple(found)
