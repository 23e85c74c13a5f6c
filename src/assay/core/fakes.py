"""Stand-ins for a corpus and a model, for tests of Assay and of your own code. They go through the real entry points.

`assay.run(FakeCorpus(pairs), models=[FakeModel()])` works as it does for any corpus and model.
"""

from collections.abc import Iterator, Mapping, Sequence

from assay.core.case import Case, Prediction
from assay.core.label import Label
from assay.core.pair import Pair


class FakeCorpus:
    """Pairs with a name. Any other iterable of pairs with a `name` works the same way.

    >>> len(list(FakeCorpus([])))
    0
    """

    def __init__(self, pairs: Sequence[Pair], *, name: str = "fake") -> None:
        self.pairs = pairs
        self.name = name

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)


class FakeModel:
    """Gives fixed answers, and remembers the ids of the cases that it was run on.

    >>> FakeModel(Label.NEUTRAL).predict([])
    []
    """

    def __init__(self, default: Label = Label.ENTAILMENT, *, answers: Mapping[str, Label] | None = None) -> None:
        self.default = default
        self.answers = answers or {}
        self.asked: list[str] = []

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """The answer for each case's id, or the default."""
        self.asked += [case.id for case in cases]
        return [Prediction(id=case.id, label=self.answers.get(case.id, self.default)) for case in cases]
