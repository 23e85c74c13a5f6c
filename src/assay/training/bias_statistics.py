"""Biased models without a network: naive Bayes, cross-fitting, and drawing by bias."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

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


def cross_fit(learn: Learn, fold: Ints, *, labels: int) -> Shares:
    """For each fold, the answers of a model that learned from all other folds.

    >>> learn = lambda rows: lambda asked: numpy.tile([1.0 / len(rows), 1 - 1.0 / len(rows)], (len(asked), 1))
    >>> cross_fit(learn, numpy.array([0, 0, 1]), labels=2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]
    """
    found = numpy.full((len(fold), labels), 1 / labels)
    for number in numpy.unique(fold):
        others = numpy.flatnonzero(fold != number)
        if len(others):  # with a single fold there is nothing to learn from, and every label is as likely
            own = numpy.flatnonzero(fold == number)
            found[own] = learn(others)(own)
    return found


STRENGTHS = numpy.geomspace(0.01, 2.0, 60)
"""Factors for scores. Naive Bayes counts related features as independent, so it is far too certain."""


class PairFeatures(NamedTuple):
    """Sparse features of pairs."""

    pair: Ints
    """(features of all pairs,): the number of the pair; sorted."""
    feature: Ints
    """(features of all pairs,): the number of the feature."""
    n: int

    @classmethod
    def of(cls, features: Sequence[tuple[int, ...]], n: int) -> "PairFeatures":
        """From the features of each pair."""
        flat = numpy.fromiter((each for own in features for each in own), dtype=numpy.int64)
        return cls(numpy.repeat(numpy.arange(len(features)), list(map(len, features))), flat, n)


def naive_bayes(seen: PairFeatures, right: NDArray[numpy.bool_], fold: Ints) -> Learn:
    """Learn from pairs, (pairs, labels) of which are right; one of the folds only decides how certain answers are."""
    soft = right / right.sum(1, keepdims=True)  # (pairs, labels): non-entailment counts half for each of two labels

    def learn(rows: Ints) -> Answer:
        held = rows[fold[rows] == fold[rows].max()]
        taught = numpy.setdiff1d(rows, held) if len(held) < len(rows) else rows
        scores = _score_labels(seen, soft, taught)
        strength = _fit_strength(scores[held], right[held]) if len(held) < len(rows) else 1.0
        return lambda asked: _softmax(strength * scores[asked])

    return learn


def _score_labels(seen: PairFeatures, soft: Shares, taught: Ints) -> Shares:
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


def _fit_strength(scores: Shares, right: NDArray[numpy.bool_]) -> float:
    """The factor that maximises the likelihood of right answers."""
    losses = [-numpy.log((_softmax(each * scores) * right).sum(1) + 1e-12).mean() for each in STRENGTHS]
    return float(STRENGTHS[int(numpy.argmin(losses))])


def _softmax(scores: Shares) -> Shares:
    powers = numpy.exp(scores - scores.max(1, keepdims=True))
    return numpy.asarray(powers / powers.sum(1, keepdims=True))


LEAST = 1e-6
"""No label is less probable than this to a biased model."""


def weigh_by_bias(
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
    >>> weigh_by_bias(bias, right, numpy.ones(4), focus=0.5).round(1).tolist()
    [0.7, 2.3, 0.5, 0.5]
    """
    bounded = numpy.clip(bias, LEAST, 1.0)
    prior = numpy.average(right / right.sum(1, keepdims=True), axis=0, weights=shares)
    known = (bounded * numpy.log(bounded / prior.clip(LEAST))).sum(1)
    weights = shares * known.clip(0) ** 2 * (1 - (bias * right).sum(1)).clip(0)
    if not weights.sum():  # the bias knows nothing, or is never wrong
        return shares
    return numpy.asarray(shares * (1 - focus) + focus * shares.sum() * weights / weights.sum())
