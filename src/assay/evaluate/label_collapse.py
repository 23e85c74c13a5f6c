"""From three labels to two, for suites that have only entailment and its opposite."""

import numpy

from assay.core.label_space import LABELS, NO_ANSWER
from assay.evaluate.case_columns import ENTAILMENT, NON_ENTAILMENT, Bools, Floats, Ints

_ADDED = sorted(range(len(LABELS)), key=lambda code: LABELS[code].value)
"""Probabilities are added up in the stored order, by label name, so that ties are broken the same way everywhere."""


def totals(probabilities: Floats) -> Floats:
    """The sum over all labels; takes (..., labels), returns (...)."""
    known = numpy.nan_to_num(probabilities, nan=0.0)
    found = numpy.zeros(probabilities.shape[:-1])
    for code in _ADDED:
        found += known[..., code]
    return found


def are_given(probabilities: Floats) -> Bools:
    """True if there are any; takes (..., labels), returns (...)."""
    return numpy.asarray(~numpy.isnan(probabilities).all(axis=-1))


def confidence(label: Ints, probabilities: Floats) -> Floats:
    """Confidence of answers, (..., labels) in and (...) out; NaN without probabilities.

    For non-entailment, it is the sum of neutral and contradiction, if the model gave them separately.

    >>> shares = numpy.array([[0.25, 0.5, 0.25, numpy.nan], [0.25, numpy.nan, numpy.nan, 0.75]])
    >>> confidence(numpy.array([NON_ENTAILMENT, NON_ENTAILMENT]), shares).tolist()
    [0.75, 0.75]
    """
    rest = totals(probabilities) - numpy.nan_to_num(probabilities[..., ENTAILMENT], nan=0.0)
    given = numpy.where(are_given(probabilities), rest, numpy.nan)
    single = numpy.take_along_axis(probabilities, label[..., None], axis=-1)[..., 0]
    return numpy.where(label == NON_ENTAILMENT, given, single)


def sum_labels(label: Ints, probabilities: Floats) -> Ints:
    """The answers when neutral and contradiction are added up; unchanged if there is nothing to add.

    >>> shares = numpy.array([[0.4, 0.3, 0.3, numpy.nan], [0.5, 0.25, 0.25, numpy.nan], [numpy.nan] * 4])
    >>> sum_labels(numpy.array([0, 0, 0]), shares).tolist()
    [3, 0, 0]
    """
    sure = numpy.nan_to_num(probabilities[..., ENTAILMENT], nan=0.0)
    two = numpy.where(2 * sure >= totals(probabilities), ENTAILMENT, NON_ENTAILMENT)
    is_binary = ~numpy.isnan(
        probabilities[..., NON_ENTAILMENT]
    )  # a threshold of the model's own may have decided these
    final = (label == NON_ENTAILMENT) | (label == NO_ANSWER) | ~are_given(probabilities) | is_binary
    return numpy.where(final, label, two)
