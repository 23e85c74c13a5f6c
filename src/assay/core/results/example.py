"""An example: a case that models get wrong, with what each of them said."""

import msgspec

from assay.core.case import Case
from assay.core.label import Label


class Answered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a model said to a case, and to the pair that the case was made of."""

    label: Label
    """The answer."""
    confidence: float | None = None
    """The probability that the model gives it, where it gives any."""
    source: Label | None = None
    """Its answer to the source pair, where that was asked."""
    failed: bool = False
    """Whether this is not what a model that reads would say."""


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case that shows something, sampled from a run."""

    suite: str
    """The suite that it is in."""
    case: Case
    """The case."""
    answers: dict[str, Answered]
    """What each model said, by its name."""
    source_label: Label | None = None
    """The label of the source pair, where that was asked."""
    proof: str = ""
    """How its label is proven, in words; empty where it is not claimed or no check is there for it."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The models that fail on it."""
        return tuple(model for model, answer in self.answers.items() if answer.failed)
