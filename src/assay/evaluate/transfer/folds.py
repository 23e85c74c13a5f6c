"""Folds that keep the share of each class, the same as scikit-learn's, on which SentEval relies."""

import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError

Ints = NDArray[numpy.int64]


def stratified(classes: Ints, folds: int, *, seed: int) -> Ints:
    """(rows,): the fold in which each row is tested.

    >>> found = stratified(numpy.array([0, 0, 0, 0, 1, 1]), 2, seed=0)
    >>> numpy.bincount(found).tolist(), sorted(found[4:].tolist())
    ([3, 3], [0, 1])
    """
    names, first, codes, counts = numpy.unique(classes, return_index=True, return_inverse=True, return_counts=True)
    if counts.min() < folds:
        raise UserError(f"{folds} folds need as many rows of each class, but a class has only {counts.min()}.")
    rank = numpy.empty(len(names), dtype=numpy.int64)
    rank[numpy.argsort(first)] = numpy.arange(len(names))
    order = numpy.sort(rank[codes])  # classes are numbered as they appear
    chance = numpy.random.RandomState(seed)
    found = numpy.empty(len(classes), dtype=numpy.int64)
    for number in range(len(names)):
        sizes = [int((order[fold::folds] == number).sum()) for fold in range(folds)]
        places = numpy.repeat(numpy.arange(folds), sizes)
        chance.shuffle(places)
        found[rank[codes] == number] = places
    return found
