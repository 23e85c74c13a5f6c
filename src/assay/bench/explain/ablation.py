"""Leaving out one word at a time: the answers to what is left show how much each word counts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.core.edit import Side
from assay.core.label import Label
from assay.core.prediction import Answer
from assay.core.protocols import Texts
from assay.core.results.asked import WordWeight
from assay.language.text.words import Word, words

SIDES: tuple[Side, Side] = ("premise", "hypothesis")


class Ablation(NamedTuple):
    """A pair without one of its words."""

    side: Side
    """Where the word was."""
    word: Word
    """The word."""
    texts: Texts
    """What is left."""


def ablations(pair: Texts) -> Iterator[Ablation]:
    """The pair without each of its words in turn; a text is never left without any word.

    >>> [each.texts.hypothesis for each in ablations(Texts("It", "It rains, again."))]
    ['rains, again.', 'It, again.', 'It rains,.']
    """
    for side, text in zip(SIDES, pair, strict=True):
        found = [*words(text)]
        for word in found if len(found) > 1 else ():
            left = without(text, word)
            yield Ablation(side, word, Texts(left, pair.hypothesis) if side == "premise" else Texts(pair.premise, left))


def without(text: str, word: Word) -> str:
    """The text without a word and the blank before it, or the one after it if it is the first.

    >>> without("It rains.", Word("It", 0, 2)), without("It rains.", Word("rains", 3, 8))
    ('rains.', 'It.')
    """
    before, after = text[: word.start], text[word.end :]
    return f"{before[:-1]}{after}" if before.endswith(" ") else f"{before}{after.removeprefix(' ')}"


def weights(whole: Answer, asked: Sequence[Ablation], answers: Sequence[Answer]) -> tuple[WordWeight, ...]:
    """How far the probability of the answer falls without each word."""
    return tuple(
        WordWeight(
            side=each.side,
            start=each.word.start,
            text=each.word.text,
            weight=round(_support(whole, whole.label) - _support(answer, whole.label), 6),
            label=answer.label,
        )
        for each, answer in zip(asked, answers, strict=True)
    )


def _support(answer: Answer, label: Label) -> float:
    """The probability of a label; if a model gives none, whether that is its answer."""
    if answer.probabilities is None:
        return float(answer.label is label)
    return answer.probabilities.get(label, 0.0)
