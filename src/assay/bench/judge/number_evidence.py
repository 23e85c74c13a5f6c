"""What a file of gold labels and answers shows about the meaning of its label numbers."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assay.bench.ask.answer_files import LISTED, PREDICTED, located
from assay.core.label import NUMBERS, LabelReader


class NumberEvidence:
    """Counts what speaks for or against reading 0, 1, 2 as entailment, neutral, contradiction.

    >>> evidence = NumberEvidence()
    >>> evidence.add({"label": 0, "predicted_label": 0, "predicted_scores": [3, 1, 0]}, gold=0, answered=True)
    >>> read = LabelReader()
    >>> label = read(0)
    >>> evidence.notes(read)[1]
    'gold labels by number: 0 (1); answers by number: 0 (1)'
    """

    def __init__(self) -> None:
        self._gold: Counter[str] = Counter()
        self._answers: Counter[str] = Counter()
        self._lines = self._with_scores = 0
        self._scores = ""

    def add(self, fields: Mapping[str, Any], *, gold: object, answered: bool) -> None:
        """Count a line; an answer that contradicts its own scores has been refused before."""
        self._gold[str(gold).strip()] += 1
        told, listed = located(fields, PREDICTED), located(fields, LISTED)
        if answered and told:
            self._answers[str(fields[told]).strip()] += 1
            self._lines += 1
            if listed and isinstance(fields[listed], list):
                self._with_scores += 1
                self._scores = listed

    def notes(self, reader: LabelReader) -> list[str]:
        """How labels were read and, where they are numbers without names, what the file shows about them."""
        found = [reader.note] if reader.note else []
        if not reader.numbers:
            return found
        counted = f"gold labels by number: {_counts(self._gold)}"
        found.append(f"{counted}; answers by number: {_counts(self._answers)}" if self._answers else counted)
        if self._with_scores:
            lines = f"all {self._lines:,}" if self._lines == self._with_scores else f"{self._with_scores:,}"
            found.append(
                f"in {lines} lines, the highest of {self._scores} is the one with the number of the answer, "
                "so scores and labels have the same order"
            )
        if set(self._gold) <= {"0", "1"}:
            found.append(
                "no gold label is 2: if the set is two-way, use --labels 0=entailment,1=non-entailment,2=non-entailment"
            )
        elif set(self._gold) | set(self._answers) <= set(NUMBERS):
            found.append("accuracy over all labels does not depend on what the numbers mean; figures by label do")
        return found


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{value} ({n:,})" for value, n in sorted(found.items()))
