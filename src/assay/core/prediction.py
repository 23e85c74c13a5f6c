"""A model's answer to a case."""

import msgspec

from assay.core.label import Label


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a model says about two texts, whatever case they come from."""

    label: Label
    """The answer."""
    probabilities: dict[Label, float] | None = None
    """By label, never by position; None if the model gives none."""
    truncated: bool = False
    """Whether the premise was too long for the model, and its end was cut off."""
    note: str = ""
    """Why the model could not judge the texts, so that the answer is a fallback; empty if it could."""
    read_from: str = ""
    """What the label was read from, such as `plain text`, if the model has several ways to give one."""

    def to(self, case: str) -> "Prediction":
        """The answer as the prediction for a case."""
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
    """By label, never by position; None if the model gives none."""
    note: str = ""
    """Why the model could not judge the case, so that the answer is a fallback; empty if it could."""
    truncated: bool = False
    """Whether the premise was too long for the model, and its end was cut off."""
