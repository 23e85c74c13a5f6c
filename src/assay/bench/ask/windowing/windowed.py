"""Asking about each window of a long premise in the way that a model is asked about whole ones."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from assay.bench.ask.gathering import CaseTexts, Gathering
from assay.bench.ask.rows import ALL, Share
from assay.bench.ask.store import Store
from assay.bench.ask.windowing.windows import Windows
from assay.bench.stages import Progress
from assay.core.case import Case
from assay.core.prediction import Answer, Prediction
from assay.core.protocols import Endpoint, Model, SentenceModel, TextModel, Texts


class WindowedGathering:
    """Gathers the answers to windows, which are kept by their texts, and puts them together when they are recalled."""

    def __init__(self, inner: Gathering, windows: Windows) -> None:
        self.inner = inner
        self.windows = windows

    @property
    def model(self) -> TextModel | SentenceModel | Endpoint:
        """The model that is asked."""
        return self.inner.model

    @property
    def store(self) -> Store:
        """Where the answers to windows are kept."""
        return self.inner.store

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: Share = ALL) -> None:
        """Ask what is not cached yet; progress counts cases, not windows."""
        total = sum(1 for _ in cases)
        split = Split(cases, self.windows)
        questions = max(sum(1 for _ in split), 1)
        done = told = 0

        def scaled(n: int) -> None:
            nonlocal done, told
            done += n
            now = done * total // questions
            progress(now - told)
            told = now

        self.inner.gather(split, scaled, share)

    def too_long(self, cases: Iterable[CaseTexts]) -> Iterator[CaseTexts]:
        """The cases of which a window is too long for the model."""
        last = ""
        for each in self.inner.too_long(Split(cases, self.windows)):
            if each.id != last:
                yield each
            last = each.id

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The cached answers, put together."""
        split = [self.windows.split(pair.premise) for pair in pairs]
        asked = [
            Texts(window, pair.hypothesis) for pair, windows in zip(pairs, split, strict=True) for window in windows
        ]
        answers = iter(self.inner.recall(asked))
        return [self.windows.together([next(answers) for _ in windows]) for windows in split]


class Split:
    """Cases, each as often as its premise has windows; they can be iterated over more than once."""

    def __init__(self, cases: Iterable[CaseTexts], windows: Windows) -> None:
        self.cases = cases
        self.windows = windows

    def __iter__(self) -> Iterator[CaseTexts]:
        for case in self.cases:
            for window in self.windows.split(case.premise):
                yield CaseTexts(case.id, window, case.hypothesis, case.family)


class WindowedModel:
    """A model that looks at whole cases, asked about each window of their premises."""

    def __init__(self, model: Model, windows: Windows) -> None:
        self.model = model
        self.windows = windows

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, put together from those to its windows."""
        split = [self.windows.split(case.premise) for case in cases]
        asked = [
            case if len(windows) == 1 else msgspec.structs.replace(case, id=f"{case.id}#{number}", premise=window)
            for case, windows in zip(cases, split, strict=True)
            for number, window in enumerate(windows)
        ]
        answers = iter(self.model.predict(asked))
        return [
            self.windows.together([_answer(next(answers)) for _ in windows]).to(case.id)
            for case, windows in zip(cases, split, strict=True)
        ]


def _answer(said: Prediction) -> Answer:
    return Answer(
        label=said.label,
        probabilities=said.probabilities,
        truncated=said.truncated,
        note=said.note,
        threshold=said.threshold,
    )
