"""The subsequence heuristic: a hypothesis that stands in the premise as it is, word by word, is entailed."""

from collections.abc import Sequence

import msgspec

from assay.core.case import Case
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.language.tokens import tokens

_FINAL = frozenset(".?!")


class Subsequence(msgspec.Struct, frozen=True):
    """Entailment if the hypothesis's tokens stand side by side in the premise, else neutral.

    Capitals and final punctuation don't count.
    """

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer a case."""
        return [Prediction(id=case.id, label=self._label(case)) for case in cases]

    def _label(self, case: Case) -> Label:
        return Label.ENTAILMENT if is_subsequence(case.hypothesis, case.premise) else Label.NEUTRAL


def is_subsequence(hypothesis: str, premise: str) -> bool:
    """Whether all tokens of the one stand side by side in the other.

    >>> is_subsequence("The actor ran.", "The judge by the actor ran."), is_subsequence("The act.", "The actor ran.")
    (True, False)
    """
    wanted = _folded(hypothesis)
    return not wanted or f" {' '.join(wanted)} " in f" {' '.join(_folded(premise))} "


def _folded(text: str) -> list[str]:
    return [token.text for token in tokens(text.lower()) if token.text not in _FINAL]
