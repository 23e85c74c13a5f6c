"""Drawing: pairs that the bias is certain and wrong about come up more often in an epoch, and others less often.

The loss stays as it is. Reweighting changes what a pair counts, and still spends a step on each; this method spends the
steps where the bias misleads, so that a trained model can be treated with few of them.
"""

import numpy
from numpy.typing import NDArray

from assay.train.debias.crossfit import Shares

LEAST = 1e-6
"""No label is less probable than this to a biased model."""


def drawn_by_bias(
    bias: Shares, right: NDArray[numpy.bool_], shares: NDArray[numpy.float64], *, focus: float
) -> NDArray[numpy.float64]:
    """(pairs,): how often each pair takes part in an epoch, which has as many pairs as before.

    `bias` and `right` are (pairs, labels), `shares` is (pairs,): how often each takes part without a bias. A part
    `focus` of the epoch is drawn in proportion to D(b, prior)^2 (1 - b(y)): how much the bias b knows beyond the
    frequencies of labels, and how wrong it is. Among pairs that look alike to it, those with the label that it expects
    and all others together are then drawn about equally often. The rest of the epoch is drawn as without a bias, so
    that nothing else is forgotten.

    >>> bias = numpy.array([[0.9, 0.1], [0.9, 0.1], [0.5, 0.5], [0.5, 0.5]])
    >>> right = numpy.array([[True, False], [False, True], [True, False], [False, True]])
    >>> drawn_by_bias(bias, right, numpy.ones(4), focus=0.5).round(1).tolist()
    [0.7, 2.3, 0.5, 0.5]
    """
    bounded = numpy.clip(bias, LEAST, 1.0)
    prior = numpy.average(right / right.sum(1, keepdims=True), axis=0, weights=shares)
    known = (bounded * numpy.log(bounded / prior.clip(LEAST))).sum(1)
    weights = shares * known.clip(0) ** 2 * (1 - (bias * right).sum(1)).clip(0)
    if not weights.sum():  # the bias knows nothing, or is never wrong
        return shares
    return numpy.asarray(shares * (1 - focus) + focus * shares.sum() * weights / weights.sum())
