"""What models say about one pair, which words carry their answers, and how edits move them."""

import msgspec

from assay.core.case import Case
from assay.core.edit import Side
from assay.core.label import Label
from assay.core.prediction import Answer


class WordWeight(msgspec.Struct, frozen=True, kw_only=True):
    """How much a word counts for an answer, found by leaving it out."""

    side: Side
    """The text that it is in."""
    start: int
    """Offset of its first character."""
    text: str
    """The word."""
    weight: float
    """How far the probability of the answer falls without the word; 1 or 0 if a model gives no probabilities."""
    label: Label
    """The answer without the word."""


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """What a family of tests makes of the pair, and what the models say about that."""

    case: Case
    """The case; if the pair came without a label, the label of the case means nothing."""
    label: Label | None
    """The right answer, if it is known."""
    answers: dict[str, Answer]
    """What each model says."""


class AskedPair(msgspec.Struct, frozen=True, kw_only=True):
    """What models say about one pair.

    `print` shows it in a few lines; `msgspec.json.encode` gives all of it.
    """

    premise: str
    """The text taken as true."""
    hypothesis: str
    """The claim to be judged."""
    label: Label | None
    """The right answer, if it was given."""
    answers: dict[str, Answer]
    """What each model says."""
    words: dict[str, tuple[WordWeight, ...]]
    """The weight of every word, by model, in the order of the texts; empty if that was not asked."""
    edited: tuple[Edited, ...]
    """What each family makes of the pair; empty if that was not asked."""
    skipped: dict[str, str]
    """Families that make nothing of the pair, each with the reason."""
    notes: tuple[str, ...]
    """What a careful user should know about the answers."""

    def strongest(self, model: str, most: int = 3) -> list[WordWeight]:
        """The words that carry a model's answer, the strongest first."""
        found = [each for each in self.words.get(model, ()) if each.weight > 0]
        return sorted(found, key=lambda each: -each.weight)[:most]

    def __str__(self) -> str:
        lines = []
        for model, answer in self.answers.items():
            carried = ", ".join(f"{each.text} {each.weight:.2f}" for each in self.strongest(model))
            lines.append(f"{model}: {answer.label}{sureness(answer)}{f'; carried by {carried}' if carried else ''}")
            for each in self.edited:
                moved = each.answers[model]
                lines.append(f"  {each.case.family}: {moved.label}{sureness(moved)}")
        return "\n".join(lines)


def sureness(answer: Answer) -> str:
    """The probability of an answer's own label, after a blank; empty if the model gives none.

    >>> sureness(Answer(label=Label.NEUTRAL, probabilities={Label.NEUTRAL: 0.75}))
    ' 0.75'
    """
    return "" if answer.probabilities is None else f" {answer.probabilities.get(answer.label, 0.0):.2f}"
