"""Calibration: whether a model that says 80 % keeps its word four times in five."""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.core.label import THREE_WAY, Label
from assay.evaluate.collapse import Collapse

BINS = 15
"""Bins of equal width, as most of the literature has them."""


ORDER = {label: place for place, label in enumerate(Label)}
"""The first of equals is the answer, as everywhere."""


class Bin(NamedTuple):
    """The answers whose confidence lies in one bin."""

    low: float
    """Above this."""
    high: float
    """Up to this."""
    n: int
    """How many answers."""
    confidence: float
    """How sure the model was, on average."""
    accuracy: float
    """How often it was right."""


class Calibration:
    """One model's confidence against its being right, added up in constant memory.

    With a collapse, all answers are read as two labels, which the gold labels must not decide case by case.

    >>> board = Calibration()
    >>> for gold in (Label.ENTAILMENT, Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION):
    ...     board.add(gold, {Label.ENTAILMENT: 0.75, Label.NEUTRAL: 0.25, Label.CONTRADICTION: 0.0})
    >>> board.error, board.brier, board.n
    (0.25, 0.75, 4)
    """

    def __init__(self, collapse: Collapse | None = None, *, bins: int = BINS) -> None:
        self.n = 0
        self.collapse = collapse
        self.sums = numpy.zeros((bins, 3))  # answers, confidence, right answers
        self._squares = 0.0

    def add(self, gold: Label, probabilities: Mapping[Label, float]) -> None:
        """Count one answer."""
        judged = judge(gold, probabilities, self.collapse)
        self.n += 1
        self.sums[_place(judged.confidence, len(self.sums))] += (1, judged.confidence, judged.right)
        self._squares += judged.squares

    @property
    def error(self) -> float | None:
        """The expected calibration error; None where there was no answer."""
        return float(calibration_error(self.sums)) if self.n else None

    @property
    def brier(self) -> float | None:
        """Brier's score over all labels, from 0 (sure and right) to 2 (sure and wrong)."""
        return self._squares / self.n if self.n else None

    @property
    def bins(self) -> list[Bin]:
        """The reliability diagram: every bin that has an answer."""
        width = 1 / len(self.sums)
        return [
            Bin(place * width, (place + 1) * width, int(n), float(sure / n), float(right / n))
            for place, (n, sure, right) in enumerate(self.sums)
            if n
        ]


class Judged(NamedTuple):
    """What one answer adds."""

    confidence: float
    """The probability of the answer."""
    right: bool
    """Whether it was right."""
    squares: float
    """The squared distances from certainty, over all labels."""


def judge(gold: Label, probabilities: Mapping[Label, float], collapse: Collapse | None = None) -> Judged:
    """What one answer says about a model's calibration, in three labels, or in two if so collapsed.

    In two, the answer is the best of three labels or of two sums, as the collapse says. Its confidence is all that the
    model gives to what would make it right: of non-entailment, what neutral and contradiction got together.

    >>> shares = {Label.ENTAILMENT: 0.5, Label.NEUTRAL: 0.25, Label.CONTRADICTION: 0.25}
    >>> judge(Label.NON_ENTAILMENT, shares, "sum")
    Judged(confidence=0.5, right=False, squares=0.5)
    """
    best = max(probabilities, key=lambda label: (probabilities[label], -ORDER[label]))
    if collapse or Label.NON_ENTAILMENT in (gold, *probabilities):
        sure = probabilities.get(Label.ENTAILMENT, 0.0)
        shares = {Label.ENTAILMENT: sure, Label.NON_ENTAILMENT: sum(probabilities.values()) - sure}
        gold = gold.two_way
        answer = max(shares, key=shares.__getitem__) if collapse == "sum" else best.two_way
    else:
        shares = {label: probabilities.get(label, 0.0) for label in THREE_WAY}
        answer = best
    squares = sum((share - (label is gold)) ** 2 for label, share in shares.items())
    return Judged(shares[answer], answer is gold, squares)


def calibration_error(sums: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """The expected calibration error of bins, (..., bins, 3), of answers, confidence and right answers.

    >>> float(calibration_error(numpy.array([[2.0, 1.5, 1.0], [2.0, 2.0, 2.0]])))
    0.125
    """
    gaps = numpy.abs(sums[..., 1] - sums[..., 2]).sum(axis=-1)
    return numpy.asarray(gaps / sums[..., 0].sum(axis=-1))


def _place(confidence: float, bins: int) -> int:
    """A bin holds its upper end, not its lower; nought is in the first."""
    return min(bins, max(1, ceil(confidence * bins))) - 1
