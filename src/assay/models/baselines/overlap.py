"""The lexical-overlap heuristic: a hypothesis made of the premise's words is entailed."""

from collections.abc import Sequence

import msgspec

from assay.core.case import Case
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.core.protocols import reference
from assay.language.text.words import folded


@reference
class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """Entailment if enough words of the hypothesis are in the premise, else neutral; order and meaning don't count."""

    threshold: float = 0.6
    """The share of the hypothesis's distinct words that must occur in the premise; of .5 to 1 in tenths, .6 does best
    on SNLI's training pairs."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case."""
        return [Prediction(id=case.id, label=self._label(case)) for case in cases]

    def _label(self, case: Case) -> Label:
        hypothesis = set(folded(case.hypothesis))
        shared = len(hypothesis & set(folded(case.premise)))
        return Label.ENTAILMENT if shared >= self.threshold * len(hypothesis) else Label.NEUTRAL
