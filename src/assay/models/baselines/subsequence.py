"""The subsequence heuristic: a hypothesis whose words occur in the premise as an unbroken sequence is entailed."""

from collections.abc import Sequence

import msgspec

from assay.core.case import Case
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.core.protocols import reference
from assay.language.fragment.shortcuts import is_subsequence


@reference
class Subsequence(msgspec.Struct, frozen=True):
    """Entailment if the premise contains the hypothesis's tokens as an unbroken sequence, else neutral.

    Capitals and final punctuation don't count.
    """

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case."""
        return [Prediction(id=case.id, label=self._label(case)) for case in cases]

    def _label(self, case: Case) -> Label:
        return Label.ENTAILMENT if is_subsequence(case.hypothesis, case.premise) else Label.NEUTRAL
