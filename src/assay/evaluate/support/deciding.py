"""Figures at a threshold, from four counts: what is right and wrong among supported cases and the others."""

from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats


class Decided(NamedTuple):
    """Cases by what they are and what the score says at a threshold; each (...)."""

    hits: Floats
    """Supported cases from the threshold on."""
    false: Floats
    """Other cases from the threshold on: false support."""
    supported: Floats
    """All supported cases."""
    others: Floats
    """All other cases."""


def decided(score: Floats, supported: Bools, thresholds: Floats) -> Decided:
    """The counts at each threshold: (thresholds,).

    >>> found = decided(numpy.array([0.2, 0.6, 0.8]), numpy.array([False, False, True]), numpy.array([0.5, 0.7]))
    >>> found.hits.tolist(), found.false.tolist()
    ([1.0, 1.0], [1.0, 0.0])
    """
    parts = [numpy.sort(score[supported]), numpy.sort(score[~supported])]
    from_on = [len(part) - numpy.searchsorted(part, thresholds, side="left") for part in parts]
    totals = [numpy.full(len(thresholds), float(len(part))) for part in parts]
    return Decided(from_on[0].astype(float), from_on[1].astype(float), *totals)


def recall(counts: Decided) -> Floats:
    """The share of supported cases that are called supported."""
    return _share(counts.hits, counts.supported)


def false_support(counts: Decided) -> Floats:
    """The share of the other cases that are called supported."""
    return _share(counts.false, counts.others)


def precision(counts: Decided) -> Floats:
    """The share of what is called supported that is."""
    return _share(counts.hits, counts.hits + counts.false)


def f1(counts: Decided) -> Floats:
    """The harmonic mean of precision and recall."""
    return _share(2 * counts.hits, counts.hits + counts.false + counts.supported)


def balanced_accuracy(counts: Decided) -> Floats:
    """The mean of the accuracies on supported cases and on the others.

    >>> float(balanced_accuracy(Decided(*map(numpy.array, (3.0, 1.0, 4.0, 2.0)))))
    0.625
    """
    return (recall(counts) + 1 - false_support(counts)) / 2


def choose(score: Floats, supported: Bools) -> float | None:
    """The threshold with the highest balanced accuracy; None if there is only one kind of case.

    It lies halfway between two scores, so that it does not depend on the last digit of one. Of several that are equally
    good, the one nearest to one half is taken.

    >>> choose(numpy.array([0.1, 0.3, 0.8]), numpy.array([False, True, True]))
    0.2
    """
    distinct = numpy.unique(score)
    if supported.all() or not supported.any() or len(distinct) < 2:
        return None
    between = (distinct[1:] + distinct[:-1]) / 2
    found = balanced_accuracy(decided(score, supported, between))
    best = between[found >= found.max() - 1e-12]
    return float(best[numpy.abs(best - 0.5).argmin()].round(6))


def _share(part: Floats, whole: Floats) -> Floats:
    """A share; NaN of nothing."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.asarray(numpy.where(whole > 0, part / whole, numpy.nan))
