"""Figures that need no threshold: how well scores rank supported cases above the others."""

from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats


class Counts(NamedTuple):
    """Cases of two kinds by score, from the lowest distinct score to the highest."""

    chosen: Floats
    """(..., scores) How many are of the kind that is looked for, such as supported ones."""
    others: Floats
    """(..., scores) How many are not."""


def counts_of(score: Floats, chosen: Bools) -> Counts:
    """The cases at each distinct score.

    >>> counts_of(numpy.array([0.5, 0.1, 0.5]), numpy.array([True, False, False]))
    Counts(chosen=array([0., 1.]), others=array([1., 1.]))
    """
    _, places = numpy.unique(score, return_inverse=True)
    width = int(places.max()) + 1 if len(places) else 0
    split = [numpy.bincount(places[kind], minlength=width).astype(float) for kind in (chosen, ~chosen)]
    return Counts(*split)


def roc_auc(counts: Counts) -> Floats:
    """The area under the ROC curve: how often a supported case has the higher score; half if the scores are equal.

    >>> float(roc_auc(counts_of(numpy.array([0.1, 0.4, 0.35, 0.8]), numpy.array([False, False, True, True]))))
    0.75
    """
    supported, others = counts
    below = numpy.cumsum(others, axis=-1) - others / 2
    return numpy.asarray((supported * below).sum(axis=-1) / (supported.sum(axis=-1) * others.sum(axis=-1)))


def ranked_pairs(supported: int, others: int) -> float:
    """How many independent trials the area under the ROC curve is worth at least (Hanley and McNeil 1982).

    >>> round(ranked_pairs(3, 12), 2), round(ranked_pairs(100, 100), 1)
    (6.75, 149.3)
    """
    return supported * others / (1 + ((supported + others) / 2 - 1) * 2 / 3)


def average_precision(counts: Counts) -> Floats:
    """The mean precision over the supported cases, each taken at its own score as the threshold.

    >>> counts = counts_of(numpy.array([0.1, 0.4, 0.35, 0.8]), numpy.array([False, False, True, True]))
    >>> round(float(average_precision(counts)), 4)
    0.8333
    """
    supported, others = (numpy.flip(each, axis=-1) for each in counts)
    hits, misses = numpy.cumsum(supported, axis=-1), numpy.cumsum(others, axis=-1)
    with numpy.errstate(invalid="ignore"):  # a draw may have no case down to here; such a score adds nothing
        precision = numpy.nan_to_num(hits / (hits + misses))
    return numpy.asarray((supported * precision).sum(axis=-1) / supported.sum(axis=-1))
