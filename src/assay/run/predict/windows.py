"""Long premises in overlapping windows of sentences: the model runs on each window, and the answers are combined."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, cast

import msgspec

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import UserError
from assay.core.label import NAMES, Label
from assay.core.protocols import Model
from assay.language.text.tokens import SentenceSpan, find_sentences

How = Literal["max", "min", "mean"]

WORDS = 200  # maximum number of words in a window: with a hypothesis of usual length, they fit into 512 tokens
DECISIVE = (Label.ENTAILMENT, Label.CONTRADICTION)  # labels that one window is enough for
CAUTIOUS = (Label.CONTRADICTION, Label.NON_ENTAILMENT, Label.NEUTRAL, Label.ENTAILMENT)
"""The order in which ties between labels are broken: support is not claimed where windows disagree."""

DECIMALS = 6
HELD = 1024  # premises in memory with their windows, because the cases of a pair share their premise
_OPPOSITE: Mapping[How, How] = {"max": "min", "min": "max", "mean": "mean"}
_WORD = re.compile(r"\S+")
_FORM = "HOW or HOW:WORDS, as in max or max:150; HOW is max, min, mean, or one for each label, as in " + (
    "entailment=max,contradiction=mean,neutral=min"
)


class Windows(NamedTuple):
    """Rules for splitting premises, and for combining the answers to their windows."""

    rules: tuple[tuple[Label, How], ...]  # the function that combines each label's probabilities
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
        return cls(_parse_rules(how, text), int(words) if words else WORDS)

    def split(self, premise: str) -> tuple[str, ...]:
        """The windows of a premise, in order; a short premise is its own only window.

        >>> Windows.parse("max:6").split("It rained all day. We stayed. Nobody came. The dog slept.")
        ('It rained all day. We stayed.', 'We stayed. Nobody came.', 'Nobody came. The dog slept.')
        """
        return _split_premise(premise, self.words)

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
        scores = {label: _combine_values([each.get(label, 0.0) for each in shares], rules[label]) for label in present}
        total = sum(scores.values())
        if not total:  # one-hot answers of which no label is in all windows
            scores = {label: _combine_values([each.get(label, 0.0) for each in shares], "mean") for label in present}
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


def _parse_rules(how: str, text: str) -> tuple[tuple[Label, How], ...]:
    if how in _OPPOSITE:
        known = cast("How", how)
        return tuple((label, known if label in DECISIVE else _OPPOSITE[known]) for label in Label)
    found: dict[Label, How] = {}
    for part in how.split(","):
        name, _, each = part.partition("=")
        label = NAMES.get(name.strip().lower())
        if label is None or each not in _OPPOSITE:
            raise UserError(f"windows={text}: {part!r} does not say how answers are combined.\n  Write {_FORM}.")
        found[label] = cast("How", each)
    return tuple((label, found.get(label, "mean")) for label in Label)


def _combine_values(values: Sequence[float], how: How) -> float:
    return max(values) if how == "max" else min(values) if how == "min" else sum(values) / len(values)


@lru_cache(maxsize=HELD)
def _split_premise(premise: str, words: int) -> tuple[str, ...]:
    if len(premise.split(None, words)) <= words:
        return (premise,)
    pieces = [piece for span in find_sentences(premise) for piece in _cut_pieces(premise, span, words)]
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


def _cut_pieces(text: str, span: SentenceSpan, words: int) -> Iterator[SentenceSpan]:
    """A sentence, in pieces if it alone is longer than a window."""
    places = [match.span() for match in _WORD.finditer(text, span.start, span.end)]
    for start in range(0, len(places), words):
        some = places[start : start + words]
        yield SentenceSpan(some[0][0], some[-1][1])


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
        answers = (msgspec.convert(said, Answer, from_attributes=True) for said in self.model.predict(asked))
        return [
            self.windows.together([next(answers) for _ in windows]).to(case.id)
            for case, windows in zip(cases, split, strict=True)
        ]
