"""Confusion: what cases of each label were answered with."""

from collections import Counter, defaultdict

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.core.label import Label

NO_ANSWER = "none"


class Confusion:
    """Counts one model's answers by family, label and answer.

    >>> Confusion(model="m", suite="s").estimates()
    []
    """

    def __init__(self, *, model: str, suite: str) -> None:
        self.where = {"model": model, "suite": suite}
        self._counts: defaultdict[tuple[str, Label], Counter[str]] = defaultdict(Counter)

    def add(self, case: Case, answer: Label | None) -> None:
        """Count one answer."""
        self._counts[case.family, case.label][answer.value if answer else NO_ANSWER] += 1

    def estimates(self) -> list[Estimate]:
        """The share of each answer among the cases of a label."""
        return [
            Estimate(
                name="answers",
                value=count / counts.total(),
                n=counts.total(),
                slice={**self.where, "family": family, "label": label.value, "answer": answer},
            )
            for (family, label), counts in self._counts.items()
            for answer, count in sorted(counts.items())
        ]
