"""Confusion: how cases of each label were answered."""

from collections.abc import Sequence

import numpy

from assay.core.results.estimate import Estimate
from assay.evaluate.count.cells import SliceSums
from assay.evaluate.count.columns import LABELS, AnswerColumns, CaseColumns, Encoder

ANSWERS = (*(label.value for label in LABELS), "none")
"""Answers by code; a missing one counts as a separate answer."""


class Confusion:
    """Counts models' answers by family, label and answer.

    >>> Confusion(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._counts = SliceSums(len(models), len(ANSWERS))

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers."""
        asked = cases.family * len(LABELS) + cases.label
        codes, met, numbers = numpy.unique(asked, return_index=True, return_inverse=True)
        counts = [
            numpy.bincount(numbers * len(ANSWERS) + given, minlength=len(codes) * len(ANSWERS))
            for given in answers.label
        ]
        by_model = numpy.stack(counts).reshape(len(counts), len(codes), len(ANSWERS))
        self._counts.add(codes, by_model.transpose(1, 0, 2), met)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the share of each answer among the cases of a label."""
        return [self._of_model(number) for number in range(len(self._models))]

    def _of_model(self, number: int) -> list[Estimate]:
        found = []
        for code, counts in zip(self._counts.codes(), self._counts.totals[:, number].tolist(), strict=True):
            family, label = divmod(code, len(LABELS))
            where = {"model": self._models[number], "suite": self._suite, "family": self._encoder.families[family]}
            total = sum(counts)
            found += [
                Estimate(
                    name="answers",
                    value=count / total,
                    n=total,
                    slice={**where, "label": LABELS[label].value, "answer": answer},
                )
                for answer, count in sorted(zip(ANSWERS, counts, strict=True))
                if count
            ]
        return found
