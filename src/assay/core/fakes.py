"""Stand-ins for the seams, for tests of Assay and of users' own code."""

from collections.abc import Iterator, Mapping, Sequence

from assay.core.case import Case
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.prediction import Prediction


class FakeCorpus:
    """Pairs from memory.

    >>> len(list(FakeCorpus([])))
    0
    """

    def __init__(self, pairs: Sequence[Pair], *, name: str = "fake") -> None:
        self.pairs = pairs
        self.name = name

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)


class FakeModel:
    """Answers as it was told, and remembers what it was asked.

    >>> FakeModel(Label.NEUTRAL).predict([])
    []
    """

    def __init__(self, default: Label = Label.ENTAILMENT, *, answers: Mapping[str, Label] | None = None) -> None:
        self.default = default
        self.answers = answers or {}
        self.asked: list[str] = []

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """The answer told for the case's id, or else the default."""
        self.asked += [case.id for case in cases]
        return [Prediction(id=case.id, label=self.answers.get(case.id, self.default)) for case in cases]
