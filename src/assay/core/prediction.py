"""A model's answer to a case."""

import msgspec

from assay.core.label import Label

THRESHOLD = 0.5
"""The support score from which a model says entailment, unless it has its own threshold."""

DECIMALS = 6
"""Decimals of a probability; more would mean nothing and take space."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A model's answer to two texts, whatever case they come from."""

    label: Label
    """The answer."""
    probabilities: dict[Label, float] | None = None
    """By label, never by position; None if the model gives none."""
    truncated: bool = False
    """True if the premise was too long for the model, and its end was cut off."""
    note: str = ""
    """The reason for a fallback, if the model could not judge the texts; empty if it could."""
    read_from: str = ""
    """The source of the label, such as `plain text`, if the model has several ways to give one."""
    threshold: float | None = None
    """The support score from which the answer is entailment; None if the model does not answer with one score."""

    @classmethod
    def scored(cls, score: float, *, threshold: float = THRESHOLD, read_from: str = "") -> "Answer":
        """The answer of a model that gives one number from 0 to 1: how well the premise supports the hypothesis.

        >>> Answer.scored(0.4).label, Answer.scored(0.4, threshold=0.3).label
        (<Label.NON_ENTAILMENT: 'non-entailment'>, <Label.ENTAILMENT: 'entailment'>)
        """
        score = round(score, DECIMALS)
        return cls(
            label=Label.ENTAILMENT if score >= threshold else Label.NON_ENTAILMENT,
            probabilities={Label.ENTAILMENT: score, Label.NON_ENTAILMENT: round(1 - score, DECIMALS)},
            threshold=threshold,
            read_from=read_from,
        )

    def to(self, case: str) -> "Prediction":
        """The answer as the prediction for a case."""
        return Prediction(
            id=case,
            label=self.label,
            probabilities=self.probabilities,
            note=self.note,
            truncated=self.truncated,
            threshold=self.threshold,
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
    """The reason for a fallback, if the model could not judge the case; empty if it could."""
    truncated: bool = False
    """True if the premise was too long for the model, and its end was cut off."""
    threshold: float | None = None
    """The support score from which the answer is entailment; None if the model does not answer with one score."""
