"""A model's answer to a case."""

import msgspec

from assay.core.label import Label


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a model says about two texts, whichever case they come from."""

    label: Label
    """The answer."""
    probabilities: dict[Label, float] | None = None
    """By label's name, never by position, where the model gives them."""
    truncated: bool = False
    """Whether the premise was too long for the model, and its end was cut off."""
    note: str = ""
    """Why it could not judge the texts and the answer is a fallback; empty where it could."""
    read_from: str = ""
    """What the label was read from, where the model has several ways to have one, such as `plain text`."""

    def to(self, case: str) -> "Prediction":
        """The answer as that to a case."""
        return Prediction(
            id=case, label=self.label, probabilities=self.probabilities, note=self.note, truncated=self.truncated
        )


class Prediction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The label that a model gives to a case.

    >>> Prediction(id="negation/v1:7", label=Label.NEUTRAL).label
    <Label.NEUTRAL: 'neutral'>
    """

    id: str
    """The id of the case."""
    label: Label
    """The answer."""
    probabilities: dict[Label, float] | None = None
    """By label's name, never by position, where the model gives them."""
    note: str = ""
    """Why it could not judge the case and the answer is a fallback; empty where it could."""
    truncated: bool = False
    """Whether the premise was too long for the model, and its end was cut off."""
