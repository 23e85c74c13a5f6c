"""What a biased model expects of each training pair, from models that never saw the pair or its premise."""

from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

FOLDS = 5
"""Premises are divided into this many folds."""

Ints = NDArray[numpy.int64]
Shares = NDArray[numpy.float64]
"""(pairs, labels): probabilities."""

Answer = Callable[[Ints], Shares]
"""Gives the probabilities of the pairs with these numbers."""

Learn = Callable[[Ints], Answer]
"""Learns from the pairs with these numbers, and from no others."""


def folds_of(premises: Sequence[str], folds: int = FOLDS) -> Ints:
    """(pairs,): the fold of each pair, by the short name of its source premise, as `Pair.cluster` gives it.

    >>> folds_of(["0a", "0b", "0a"]).tolist()
    [0, 1, 0]
    """
    return numpy.array([int(name, 16) % folds for name in premises], dtype=numpy.int64)


def cross_fitted(learn: Learn, fold: Ints, *, labels: int) -> Shares:
    """For each fold, the answers of a model that learned from all other folds.

    >>> learn = lambda rows: lambda asked: numpy.tile([1.0 / len(rows), 1 - 1.0 / len(rows)], (len(asked), 1))
    >>> cross_fitted(learn, numpy.array([0, 0, 1]), labels=2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]
    """
    found = numpy.full((len(fold), labels), 1 / labels)
    for number in numpy.unique(fold):
        others = numpy.flatnonzero(fold != number)
        if len(others):  # with a single fold there is nothing to learn from, and every label is as likely
            own = numpy.flatnonzero(fold == number)
            found[own] = learn(others)(own)
    return found
