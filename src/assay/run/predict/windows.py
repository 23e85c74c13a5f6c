"""Long premises in overlapping windows of sentences: the model runs on each window, and the answers are combined."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, cast

import msgspec

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import UserError
from assay.core.label import NAMES, Label
from assay.core.protocols import Endpoint, Model, SentenceModel, TextModel, Texts
from assay.language.text.tokens import SentenceSpan, find_sentences
from assay.run.predict.answer_gathering import CaseTexts, Gathering
from assay.run.workers.pool import Progress
from assay.storage.answer_cache import ALL, AnswerCache, BatchShare

How = Literal["max", "min", "mean"]

WORDS = 200
"""Maximum number of words in a window: with a hypothesis of usual length, they fit into 512 tokens."""

DECISIVE = (Label.ENTAILMENT, Label.CONTRADICTION)
"""Labels that one window is enough for; the others are what remains if no window decides."""

CAUTIOUS = (Label.CONTRADICTION, Label.NON_ENTAILMENT, Label.NEUTRAL, Label.ENTAILMENT)
"""The order in which ties between labels are broken: support is not claimed where windows disagree."""

DECIMALS = 6
HELD = 1024
"""Number of premises that are kept with their windows: the cases of a pair share their premise."""

_OPPOSITE: Mapping[How, How] = {"max": "min", "min": "max", "mean": "mean"}
_WORD = re.compile(r"\S+")
_FORM = "HOW or HOW:WORDS, as in max or max:150; HOW is max, min, mean, or one for each label, as in " + (
    "entailment=max,contradiction=mean,neutral=min"
)


class Windows(NamedTuple):
    """Rules for splitting premises, and for combining the answers to their windows."""

    rules: tuple[tuple[Label, How], ...]
    """The function that combines each label's probabilities."""
    words: int = WORDS

    @classmethod
    def parse(cls, text: str) -> "Windows | None":
        """Windows in the form that options take; None if there are none.

        >>> Windows.parse("max:150").words, dict(Windows.parse("max").rules)[Label.NEUTRAL]
        (150, 'min')
        """
        if not text:
            return None
        how, _, words = text.partition(":")
        if words and (not words.isdecimal() or int(words) < 1):
            raise UserError(f"windows={text}: {words!r} is not a number of words.\n  Write {_FORM}.")
        return cls(_rules(how, text), int(words) if words else WORDS)

    def split(self, premise: str) -> tuple[str, ...]:
        """The windows of a premise, in order; a short premise is its own only window.

        >>> Windows.parse("max:6").split("It rained all day. We stayed. Nobody came. The dog slept.")
        ('It rained all day. We stayed.', 'We stayed. Nobody came.', 'Nobody came. The dog slept.')
        """
        return _split(premise, self.words)

    def together(self, answers: Sequence[Answer]) -> Answer:
        """The answers to all windows of a premise as one.

        >>> said = [Answer(label=label) for label in (Label.NEUTRAL, Label.ENTAILMENT, Label.NEUTRAL)]
        >>> [Windows.parse(how).together(said).label.value for how in ("max", "min", "mean")]
        ['entailment', 'neutral', 'neutral']
        >>> Windows.parse("max").together([Answer.scored(0.1, threshold=0.7), Answer.scored(0.6, threshold=0.7)]).label
        <Label.NON_ENTAILMENT: 'non-entailment'>
        """
        if len(answers) == 1:
            return answers[0]
        shares = [each.probabilities or {each.label: 1.0} for each in answers]
        present = [label for label in CAUTIOUS if any(label in each for each in shares)]
        rules = dict(self.rules)
        scores = {label: _taken([each.get(label, 0.0) for each in shares], rules[label]) for label in present}
        total = sum(scores.values())
        if not total:  # one-hot answers of which no label is in all windows
            scores = {label: _taken([each.get(label, 0.0) for each in shares], "mean") for label in present}
            total = sum(scores.values())
        best = max(present, key=scores.__getitem__)
        known = all(each.probabilities is not None for each in answers)
        threshold = next((each.threshold for each in answers if each.threshold is not None), None)
        if threshold is not None:
            support = scores.get(Label.ENTAILMENT, 0.0) / total
            best = Label.ENTAILMENT if support >= threshold else Label.NON_ENTAILMENT
        ordered = [label for label in Label if label in scores]
        return Answer(
            label=best,
            probabilities={label: round(scores[label] / total, DECIMALS) for label in ordered} if known else None,
            truncated=any(each.truncated for each in answers),
            note=next((each.note for each in answers if each.note), ""),
            read_from=next((each.read_from for each in answers if each.read_from), ""),
            threshold=threshold,
        )


def cost(name: str, windows: Windows, premises: Iterator[str]) -> str:
    """The cost of windows, in words; `premises` are those of all cases."""
    cases = questions = 0
    for premise in premises:
        cases += 1
        questions += len(windows.split(premise))
    times = questions / cases if cases else 1
    return (
        f"{name}: {cases:,} cases are split into {questions:,} windows of up to {windows.words:,} words, "
        f"{times:.1f} times as many predictions."
    )


def _rules(how: str, text: str) -> tuple[tuple[Label, How], ...]:
    if how in _OPPOSITE:
        known = cast("How", how)
        return tuple((label, known if label in DECISIVE else _OPPOSITE[known]) for label in Label)
    found: dict[Label, How] = {}
    for part in how.split(","):
        name, _, each = part.partition("=")
        label = NAMES.get(name.strip().lower())
        if label is None or each not in _OPPOSITE:
            raise UserError(f"windows={text}: {part!r} does not say how answers are put together.\n  Write {_FORM}.")
        found[label] = cast("How", each)
    return tuple((label, found.get(label, "mean")) for label in Label)


def _taken(values: Sequence[float], how: How) -> float:
    return max(values) if how == "max" else min(values) if how == "min" else sum(values) / len(values)


@lru_cache(maxsize=HELD)
def _split(premise: str, words: int) -> tuple[str, ...]:
    if len(premise.split(None, words)) <= words:
        return (premise,)
    pieces = [piece for span in find_sentences(premise) for piece in _pieces(premise, span, words)]
    sizes = [len(premise[piece.start : piece.end].split()) for piece in pieces]
    found: list[str] = []
    first = 0
    while first < len(pieces):
        last, size = first, sizes[first]
        while last + 1 < len(pieces) and size + sizes[last + 1] <= words:
            last += 1
            size += sizes[last]
        found.append(premise[pieces[first].start : pieces[last].end])
        if last + 1 == len(pieces):
            break
        # The last sentence is the first of the next window, too, if there is room for the one after it.
        overlaps = last > first and sizes[last] + sizes[last + 1] <= words
        first = last if overlaps else last + 1
    return tuple(found)


def _pieces(text: str, span: SentenceSpan, words: int) -> Iterator[SentenceSpan]:
    """A sentence, in pieces if it alone is longer than a window."""
    places = [match.span() for match in _WORD.finditer(text, span.start, span.end)]
    for start in range(0, len(places), words):
        some = places[start : start + words]
        yield SentenceSpan(some[0][0], some[-1][1])


class WindowedGathering:
    """Gathers the answers to windows, which are kept by their texts, and puts them together when they are recalled."""

    def __init__(self, inner: Gathering, windows: Windows) -> None:
        self.inner = inner
        self.windows = windows

    @property
    def model(self) -> TextModel | SentenceModel | Endpoint:
        """The model that runs on the windows."""
        return self.inner.model

    @property
    def store(self) -> AnswerCache:
        """The cache of the answers to windows."""
        return self.inner.store

    def is_complete(self, cases: Iterable[CaseTexts]) -> bool:
        """True if the answers to all windows are cached."""
        return self.inner.is_complete(WindowedCases(cases, self.windows))

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: BatchShare = ALL) -> None:
        """Ask what is not cached yet; progress counts cases, not windows."""
        total = sum(1 for _ in cases)
        split = WindowedCases(cases, self.windows)
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
        for each in self.inner.too_long(WindowedCases(cases, self.windows)):
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


class WindowedCases:
    """Cases, each as often as its premise has windows; they can be iterated over more than once."""

    def __init__(self, cases: Iterable[CaseTexts], windows: Windows) -> None:
        self.cases = cases
        self.windows = windows

    def __iter__(self) -> Iterator[CaseTexts]:
        for case in self.cases:
            for window in self.windows.split(case.premise):
                yield CaseTexts(case.id, window, case.hypothesis, case.family)


class WindowedModel:
    """A model that looks at whole cases, run on each window of their premises."""

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
