"""Naive Bayes over what can be seen of a pair, with probabilities that mean what they say."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.train.debias.crossfit import Answer, Ints, Learn, Shares

STRENGTHS = numpy.geomspace(0.01, 2.0, 60)
"""What scores are multiplied with. Naive Bayes counts related features as independent, so it is far too certain."""


class Seen(NamedTuple):
    """What is seen of pairs."""

    pair: Ints
    """(features of all pairs,): the number of the pair; sorted."""
    feature: Ints
    """(features of all pairs,): the number of the feature."""
    n: int
    """How many features there are."""

    @classmethod
    def of(cls, features: Sequence[tuple[int, ...]], n: int) -> "Seen":
        """From the features of each pair."""
        flat = numpy.fromiter((each for own in features for each in own), dtype=numpy.int64)
        return cls(numpy.repeat(numpy.arange(len(features)), list(map(len, features))), flat, n)


def naive_bayes(seen: Seen, right: NDArray[numpy.bool_], fold: Ints) -> Learn:
    """Learn from pairs, (pairs, labels) of which are right; one of the folds only decides how certain answers are."""
    soft = right / right.sum(1, keepdims=True)  # (pairs, labels): non-entailment counts half for each of two labels

    def learn(rows: Ints) -> Answer:
        held = rows[fold[rows] == fold[rows].max()]
        taught = numpy.setdiff1d(rows, held) if len(held) < len(rows) else rows
        scores = _scores(seen, soft, taught)
        strength = _strength(scores[held], right[held]) if len(held) < len(rows) else 1.0
        return lambda asked: _softmax(strength * scores[asked])

    return learn


def _scores(seen: Seen, soft: Shares, taught: Ints) -> Shares:
    """(pairs, labels): how well each label goes with what is seen of each pair, as learned from some of them."""
    is_taught = numpy.zeros(len(soft), dtype=bool)
    is_taught[taught] = True
    used = is_taught[seen.pair]
    scores = numpy.tile(numpy.log(soft[taught].sum(0) + 1.0), (len(soft), 1))
    for label in range(soft.shape[1]):
        counts = numpy.bincount(seen.feature[used], soft[seen.pair[used], label], minlength=seen.n) + 1.0
        weights = numpy.log(counts) - numpy.log(counts.sum())
        scores[:, label] += numpy.bincount(seen.pair, weights[seen.feature], minlength=len(soft))
    return scores


def _strength(scores: Shares, right: NDArray[numpy.bool_]) -> float:
    """What makes right answers the most likely."""
    losses = [-numpy.log((_softmax(each * scores) * right).sum(1) + 1e-12).mean() for each in STRENGTHS]
    return float(STRENGTHS[int(numpy.argmin(losses))])


def _softmax(scores: Shares) -> Shares:
    powers = numpy.exp(scores - scores.max(1, keepdims=True))
    return numpy.asarray(powers / powers.sum(1, keepdims=True))
