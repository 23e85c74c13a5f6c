"""What adapters share: answers to texts become predictions for cases."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.prediction import Answer, Prediction
from assay.core.protocols import Ready, Texts
from assay.models.answering.batching import batches


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
    """A text model that takes texts as they are, in batches."""

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """The pairs themselves."""
        return [Ready(pair) for pair in pairs]
