"""An example: a case that models get wrong, with what each of them said."""

import msgspec

from assay.core.case import Case
from assay.core.label import Label


class Answered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's answer to a case, and to its source pair."""

    label: Label
    """The answer."""
    confidence: float | None = None
    """The probability that the model gives it, if it gives any."""
    source: Label | None = None
    """Its answer to the source pair, if that was asked."""
    failed: bool = False
    """Whether a model that reads would answer differently."""


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A telling case, sampled from a run."""

    suite: str
    """The suite that it is in."""
    case: Case
    """The case."""
    answers: dict[str, Answered]
    """What each model said, by its name."""
    source_label: Label | None = None
    """The label of the source pair, if that was asked."""
    proof: str = ""
    """How its label is proven, in words; empty if no label is claimed or there is no check for it."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The models that fail on it."""
        return tuple(model for model, answer in self.answers.items() if answer.failed)
