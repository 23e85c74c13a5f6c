"""The most frequent label, whatever is asked."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from assay.core.case import Case
from assay.core.errors import ModelError
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.core.protocols import reference

ORDER = list(Label)


@reference
class Majority(msgspec.Struct, frozen=True):
    """Answers with the most frequent label of the original pairs; a tie goes to entailment, then neutral."""

    label: Label | None = None
    """What it answers; None before it is fitted."""

    def fit(self, cases: Iterable[Case]) -> "Majority":
        """Count the labels."""
        counts = Counter(case.compared_with for case in cases)
        if not counts:
            raise ModelError("The majority model needs original pairs, but the suite has none.")
        return Majority(max(counts, key=lambda label: (counts[label], -ORDER.index(label))))

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """The same answer to all."""
        if self.label is None:
            raise ModelError("The majority model must be fitted before it can answer.")
        return [Prediction(id=case.id, label=self.label) for case in cases]
