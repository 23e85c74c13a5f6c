"""SICK-R: a score from 1 to 5 as shares of two neighbouring whole scores (Tai et al. 2015), predicted by a softmax."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.evaluate.transfer.linear import Floats, Rounds, Score, Split, fit_layers
from assay.evaluate.transfer.measures import pearson
from assay.evaluate.transfer.settings import SENTEVAL, Protocol

SCORES = 5
"""Whole scores, from 1."""

Reals = NDArray[numpy.float64]


class Rated(NamedTuple):
    """Rows with their scores."""

    rows: Floats
    """(rows, dimensions + 1)"""
    scores: Reals
    """(rows,), from 1 to 5."""


class Related(NamedTuple):
    """What became of the rows that were tested."""

    predicted: Reals
    """Their scores."""
    validation: float
    """Pearson's correlation on the validation rows, at the best look."""


def shares_of(scores: Reals) -> Floats:
    """Each score as shares of the whole scores around it: (rows, 5).

    >>> shares_of(numpy.array([1.0, 3.75, 5.0])).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.25, 0.75, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]]
    """
    whole = numpy.arange(1, SCORES + 1)
    return numpy.clip(1 - abs(scores[:, None] - whole), 0, 1).astype(numpy.float32)


def score_of(shares: Floats) -> Reals:
    """The mean score of shares."""
    found: Reals = shares.astype(numpy.float64) @ numpy.arange(1, SCORES + 1)
    return found


def relate(train: Rated, validation: Rated, test: Rated, *, seed: int, how: Protocol = SENTEVAL) -> Related:
    """Train on shares by squared distances, without weight decay; validation rows say when to stop."""
    rows = numpy.concatenate([train.rows, validation.rows])
    targets = shares_of(numpy.concatenate([train.scores, validation.scores]))
    places, held = numpy.split(numpy.arange(len(rows)), [len(train.rows)])
    part = Split(places, held, numpy.random.RandomState(seed), _correlation(validation.scores))
    rounds = Rounds(how.related_passes, how.related_tenacity, how.related_most_passes)
    ((fit,),) = fit_layers(rows, targets, [part], l2=[0.0], rounds=rounds, seed=seed, how=how, loss="squares")
    return Related(score_of(fit.shares(test.rows)), fit.score)


def _correlation(scores: Reals) -> Score:
    return lambda shares: pearson(score_of(shares), scores) or 0.0
