"""From three labels to two, where a suite knows only entailment and its opposite."""

from typing import Literal

import msgspec

from assay.core.label import Label
from assay.core.prediction import Prediction

Collapse = Literal["argmax", "sum"]
"""The best of three labels is taken and then read as two, or what neutral and contradiction got is added up first."""


def summed(prediction: Prediction) -> Prediction | None:
    """The answer when neutral and contradiction are added up; None where there is nothing to add.

    >>> shares = {Label.ENTAILMENT: 0.4, Label.NEUTRAL: 0.3, Label.CONTRADICTION: 0.3}
    >>> summed(Prediction(id="1", label=Label.ENTAILMENT, probabilities=shares)).label
    <Label.NON_ENTAILMENT: 'non-entailment'>
    """
    if prediction.label is Label.NON_ENTAILMENT:
        return prediction
    if prediction.probabilities is None:
        return None
    sure = prediction.probabilities.get(Label.ENTAILMENT, 0.0)
    label = Label.ENTAILMENT if 2 * sure >= sum(prediction.probabilities.values()) else Label.NON_ENTAILMENT
    return msgspec.structs.replace(prediction, label=label)
