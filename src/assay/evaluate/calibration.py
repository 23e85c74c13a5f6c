"""Calibration: whether a model that says 80 % is right four times out of five."""

from typing import NamedTuple

import numpy

from assay.evaluate.collapse import ENTAILMENT, TWO_WAY, Collapse, totals
from assay.evaluate.count.columns import LABELS, Bools, Floats, Ints

BINS = 15
"""How many bins there are, of equal width as in most of the literature."""

THREE_WAY = [code for code in range(len(LABELS)) if code != TWO_WAY]


class Judged(NamedTuple):
    """What answers say about a model's calibration."""

    confidence: Floats
    """(answers,) The probability of the answer."""
    right: Bools
    """(answers,) Whether it was right."""
    squares: Floats
    """(answers,) The squared distances from certainty: over all labels, or of entailment alone if there are two."""


def judge(gold: Ints, probabilities: Floats, collapse: Collapse | None = None) -> Judged:
    """What answers, (answers, labels), say in three labels, or in two with a collapse.

    Ties go to the first label, as everywhere. With two labels, the answer is the best of three labels or of two sums,
    depending on the collapse. Its confidence is all the probability that would make it right: for non-entailment, that
    of neutral and contradiction together. With a collapse, all answers are read as two labels, because gold labels must
    not decide this case by case.

    >>> shares = numpy.array([[0.5, 0.25, 0.25, numpy.nan]])
    >>> confidence, right, squares = judge(numpy.array([TWO_WAY]), shares, "sum")
    >>> confidence.tolist(), right.tolist(), squares.tolist()
    ([0.5], [False], [0.25])
    """
    best = numpy.argmax(numpy.where(numpy.isnan(probabilities), -numpy.inf, probabilities), axis=1)  # (answers,)
    shares = numpy.nan_to_num(probabilities, nan=0.0)
    three = _in_three(gold, shares, best)
    if collapse is None and not (gold == TWO_WAY).any() and numpy.isnan(probabilities[:, TWO_WAY]).all():
        return three
    two = _in_two(gold, shares[:, ENTAILMENT], totals(probabilities), best, collapse)
    in_two = (gold == TWO_WAY) | ~numpy.isnan(probabilities[:, TWO_WAY]) | (collapse is not None)
    return Judged(*(numpy.where(in_two, one, other) for one, other in zip(two, three, strict=True)))


def _in_three(gold: Ints, shares: Floats, best: Ints) -> Judged:
    rows = numpy.arange(len(gold))
    gaps = [(shares[:, code] - (gold == code)) ** 2 for code in THREE_WAY]
    return Judged(shares[rows, best], best == gold, numpy.asarray(sum(gaps)))


def _in_two(gold: Ints, sure: Floats, total: Floats, best: Ints, collapse: Collapse | None) -> Judged:
    rest, entailed = total - sure, gold == ENTAILMENT
    says_entailment = sure >= rest if collapse == "sum" else best == ENTAILMENT
    return Judged(numpy.where(says_entailment, sure, rest), says_entailment == entailed, (sure - entailed) ** 2)


def bins_of(confidence: Floats) -> Ints:
    """The bin of each confidence; a bin includes its upper end but not its lower, and zero is in the first.

    >>> bins_of(numpy.array([0.0, 1 / 15, 0.5, 1.0])).tolist()
    [0, 0, 7, 14]
    """
    return numpy.clip(numpy.ceil(confidence * BINS), 1, BINS).astype(numpy.int64) - 1


def calibration_error(gaps: Floats, n: Floats) -> Floats:
    """The expected calibration error of n answers, (...), from confidence minus right answers by bin, (..., bins).

    >>> float(calibration_error(numpy.array([0.5, -0.25]), numpy.array(6.0)))
    0.125
    """
    return numpy.asarray(numpy.abs(gaps).sum(axis=-1) / n)
