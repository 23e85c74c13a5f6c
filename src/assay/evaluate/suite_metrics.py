"""Every number of models' answers to one suite, from one pass."""

from collections.abc import Sequence

from assay.core.errors import BadInputError
from assay.core.estimate import Estimate, SupportCurve
from assay.core.label_space import NO_ANSWER, Collapse
from assay.core.registry import option
from assay.evaluate.accuracy import RIGHT, Accuracy, AccuracyDrop, Confusion
from assay.evaluate.case_columns import NON_ENTAILMENT, AnswerColumns, CaseColumns, Encoder, Ints, are_given, sum_labels
from assay.evaluate.intervals import Draws
from assay.evaluate.paired import correct_tests
from assay.evaluate.resampled_metrics import AreaFigures, CalibrationFigures
from assay.evaluate.support.support_scores import SupportFigures


class SuiteMetrics:
    """Adds up models' answers, and collapses three labels to two in families that have only two.

    The encoder must be the one that made the columns of the cases; if it reads labels as two, so are the answers.
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._encoder = encoder
        self._best = _Figures(models, suite, encoder)
        self._summed = _Figures(models, suite, encoder, "sum") if encoder.space.collapse == "sum" else None
        self._binary: set[int] = set()
        self._support = SupportFigures(models, suite=suite, encoder=encoder)

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers; a missing one is wrong."""
        judged = self._read(answers, answers.label)
        self._best.add(cases, judged)
        if self._summed:
            self._refuse_without_probabilities(cases, answers)
            self._binary.update(cases.family[self._encoder.are_binary(cases)].tolist())
            judged = self._read(answers, sum_labels(answers.label, answers.probabilities))
            self._summed.add(cases, judged)
        self._support.add(cases, judged)

    def estimates(self) -> list[Estimate]:
        """Every number, model by model and in the order in which the slices appeared."""
        binary = {self._encoder.families[code] for code in self._binary}
        found: list[Estimate] = []
        best = self._best.estimates()
        added = self._summed.estimates() if self._summed else [[] for _ in self._models]
        scored = self._support.estimates()
        for of_best, of_summed, of_scores in zip(best, added, scored, strict=True):
            own = [e for e in of_best if e.slice["family"] not in binary]
            own += [e for e in of_summed if e.slice["family"] in binary]
            found += own + correct_tests(own) + of_scores
        return found

    def curves(self) -> list[SupportCurve]:
        """The threshold curves of models that give probabilities, if the suite is judged by two labels."""
        return self._support.curves()

    def _read(self, answers: AnswerColumns, label: Ints) -> AnswerColumns:
        return answers._replace(label=self._encoder.read(label))

    def _refuse_without_probabilities(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        given = (answers.label == NON_ENTAILMENT) | (answers.label == NO_ANSWER) | are_given(answers.probabilities)
        lacking = self._encoder.are_binary(cases) & ~given  # (models, cases)
        if lacking.any():
            row = int(lacking.any(axis=0).argmax())
            model = self._models[int(lacking[:, row].argmax())]
            raise BadInputError(
                f"no probabilities in the answer to {cases.ids[row]!r}, so neutral and contradiction can't be added up",
                where=model,
                hint=f"Add them, or use the best label with {option('collapse', 'argmax')}.",
            )


class _Figures:
    """The metrics that count each answer."""

    def __init__(self, models: Sequence[str], suite: str, encoder: Encoder, collapse: Collapse = "argmax") -> None:
        draws = Draws(suite)
        self._accuracy = Accuracy(models, suite=suite, encoder=encoder)
        self._copies = AccuracyDrop(models, suite=suite, encoder=encoder)
        self._confusion = Confusion(models, suite=suite, encoder=encoder)
        self._calibration = CalibrationFigures(models, suite=suite, encoder=encoder, draws=draws, collapse=collapse)
        self._areas = AreaFigures(models, suite=suite, encoder=encoder)

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        right = RIGHT[answers.label, cases.label]  # (models, cases)
        self._accuracy.add(cases, answers, right)
        self._copies.add(cases, right)
        self._confusion.add(cases, answers)
        self._calibration.add(cases, answers)
        self._areas.add(cases, right)

    def estimates(self) -> list[list[Estimate]]:
        measures = (self._accuracy, self._copies, self._confusion, self._calibration, self._areas)
        by_measure = [measure.estimates() for measure in measures]
        return [[e for found in by_model for e in found] for by_model in zip(*by_measure, strict=True)]
