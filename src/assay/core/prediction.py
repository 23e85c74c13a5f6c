"""A model's answer to a case."""

import msgspec

from assay.core.label import Label


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
