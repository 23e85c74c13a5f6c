"""What scores say about their own reliability: risk against coverage, and scores against what is supported."""

from typing import NamedTuple

import numpy

from assay.core.results.support import ScoreBin
from assay.evaluate.calibration import BINS, bins_of
from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.support.shares import clustered

STEPS = 20
"""How many points of a risk-coverage curve are stored."""


class RiskCoverage(NamedTuple):
    """Wrong answers among the surest cases."""

    coverage: Floats
    """(points,) Shares of the cases that are answered."""
    risk: Floats
    """(points,) The share of wrong answers among them."""
    area: float
    """The mean risk over all coverages."""


def sureness(score: Floats, threshold: float) -> Floats:
    """How far a score is from the threshold, on its side of it: 0 at the threshold, 1 at the end of the scale.

    >>> sureness(numpy.array([0.0, 0.4, 0.8, 0.9]), 0.8).round(2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    above, below = 1 - threshold or 1.0, threshold or 1.0
    return numpy.where(score >= threshold, (score - threshold) / above, (threshold - score) / below)


def risk_coverage(score: Floats, supported: Bools, threshold: float) -> RiskCoverage:
    """The risk when only the surest answers are given; answers that are equally sure are given together.

    >>> found = risk_coverage(numpy.array([0.9, 0.2, 0.6]), numpy.array([True, False, False]), 0.5)
    >>> found.risk[-1].round(4), round(found.area, 4)
    (np.float64(0.3333), 0.1111)
    """
    wrong = (score >= threshold) != supported
    steps, places = numpy.unique(-sureness(score, threshold), return_inverse=True)  # the surest first
    n = numpy.bincount(places, minlength=len(steps))
    errors = numpy.bincount(places, weights=wrong, minlength=len(steps))
    risk = numpy.cumsum(errors) / numpy.cumsum(n)  # (steps,)
    coverage = numpy.cumsum(n) / len(score)
    wanted = numpy.arange(1, STEPS + 1) / STEPS
    at = numpy.unique(numpy.searchsorted(coverage, wanted - 1e-12))
    return RiskCoverage(coverage[at], risk[at], float((risk * n).sum() / len(score)))


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
