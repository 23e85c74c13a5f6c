"""Every figure of one model's answers to one suite, from one pass."""

from collections.abc import Iterator

from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.evaluate.accuracy import Accuracy, is_right
from assay.evaluate.collapse import Collapse, summed
from assay.evaluate.confusion import Confusion
from assay.evaluate.copies import Copies
from assay.evaluate.correction import corrected
from assay.evaluate.resampled import AreaFigures, CalibrationFigures


class Board:
    """Adds up a model's answers, and collapses three labels to two in families that know only two.

    >>> Board(model="m", suite="s").estimates()
    []
    """

    def __init__(self, *, model: str, suite: str, collapse: Collapse = "argmax") -> None:
        self.model = model
        self._best = _Figures(model, suite)
        self._summed = _Figures(model, suite, "sum") if collapse == "sum" else None
        self._two_way: set[str] = set()

    def add(self, case: Case, prediction: Prediction | None) -> None:
        """Count one answer; a missing one is wrong."""
        self._best.add(case, prediction)
        if not self._summed:
            return
        answer = summed(prediction) if prediction else None
        if case.label is Label.NON_ENTAILMENT:
            self._two_way.add(case.family)
            if prediction and not answer:
                raise BadInputError(
                    f"no probabilities in the answer to {case.id!r}, and neutral and contradiction can't be added up",
                    where=self.model,
                    hint="Give them, or take the best label with --collapse argmax.",
                )
        self._summed.add(case, answer or prediction)

    def estimates(self) -> list[Estimate]:
        """Every figure, in the order in which the slices appeared."""
        found = [e for e in self._best.estimates() if e.slice["family"] not in self._two_way]
        if self._summed:
            found += [e for e in self._summed.estimates() if e.slice["family"] in self._two_way]
        return found + corrected(found)


class _Figures:
    """The measures that each answer is counted in."""

    def __init__(self, model: str, suite: str, collapse: Collapse = "argmax") -> None:
        self._accuracy = Accuracy(model=model, suite=suite)
        self._copies = Copies(model=model, suite=suite)
        self._confusion = Confusion(model=model, suite=suite)
        self._calibration = CalibrationFigures(model=model, suite=suite, collapse=collapse)
        self._areas = AreaFigures(model=model, suite=suite)

    def add(self, case: Case, prediction: Prediction | None) -> None:
        right = prediction is not None and is_right(prediction.label, case.label)
        self._accuracy.add(case, prediction)
        self._copies.add(case, right)
        self._confusion.add(case, prediction.label if prediction else None)
        if prediction and prediction.probabilities and case.expects == "label":
            self._calibration.add(case, prediction.probabilities)
        self._areas.add(case, right)

    def estimates(self) -> Iterator[Estimate]:
        yield from self._accuracy.estimates()
        yield from self._copies.estimates()
        yield from self._confusion.estimates()
        yield from self._calibration.estimates()
        yield from self._areas.estimates()
