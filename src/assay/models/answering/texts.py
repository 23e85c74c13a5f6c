"""What adapters share: answers to texts become predictions for cases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.prediction import Answer, Prediction
from assay.core.protocols import Ready, Texts
from assay.models.answering.batching import batches
from assay.models.answering.label_order import detect, self_evident


class AnswersTexts(ABC):
    """A text model that can be used alone: `predict` plans its batches as a run does."""

    @property
    @abstractmethod
    def identity(self) -> str: ...

    @property
    @abstractmethod
    def budget(self) -> int: ...

    @abstractmethod
    def ready(self, pairs: Sequence[Texts]) -> list[Ready]: ...

    @abstractmethod
    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]: ...

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in order."""
        found: dict[int, Answer] = {}
        ready = self.ready([Texts(case.premise, case.hypothesis) for case in cases])
        for case, each in zip(cases, ready, strict=True):
            if not each.fits:
                raise UserError(
                    f"The hypothesis of {case.id!r} is longer than the model takes, and only premises are ever cut: "
                    f"{case.hypothesis[:80]!r}...\n  Leave that pair out."
                )
        for batch in batches([each.size for each in ready], self.budget):
            answers = self.answer([ready[row] for row in batch.rows], width=batch.width)
            found.update(zip(batch.rows, answers, strict=True))
        return [found[row].to(case.id) for row, case in enumerate(cases)]


class PlainTexts(AnswersTexts):
    """Somebody else's code, which takes texts as they are, in batches.

    If it answers with one score per pair, a high score means support by agreement, unless `labels` says more.
    """

    labels: str
    """What the user says that its answers mean; empty if nothing is said."""

    @abstractmethod
    def fix(self, labels: str) -> str:
        """How the user says what its answers mean."""

    def ranks_self_evident_pairs(self) -> bool:
        """Whether its scores, which must be all that it answers with, rank self-evident pairs as support does."""
        ready = self.ready([each.texts for each in self_evident()])
        answers = [
            answer
            for start in range(0, len(ready), self.budget)
            for answer in self.answer(ready[start : start + self.budget], width=1)
        ]
        scores = [(answer.probabilities or {}).get(Label.ENTAILMENT, 0.0) for answer in answers]
        return detect(np.array(scores)[:, None]).order == (Label.ENTAILMENT,)

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """The pairs themselves."""
        return [Ready(pair) for pair in pairs]
