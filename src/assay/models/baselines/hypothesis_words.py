"""Judges the words of the hypothesis without the premise, so that its right answers have the wrong reason."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from assay.core.case import Case, Prediction
from assay.core.errors import ModelError
from assay.core.label import Label
from assay.core.protocols import reference
from assay.language.text.tokens import folded_words

LABELS = tuple(Label)
BUCKETS = 1 << 17  # number of buckets for hashed features, so that memory does not grow with the corpus
DECIMALS = 6  # probabilities are rounded: the last bits of a sum must not change a stored byte


@reference
class HypothesisWords:
    """Naive Bayes over the hypothesis's words and neighbouring words, cross-fitted by premise.

    Counts are kept by fold, and the model for a fold uses all counts minus the fold's own: one pass over the pairs.
    """

    def __init__(self, *, folds: int = 5, smoothing: float = 1.0) -> None:
        self.folds = folds
        self.smoothing = smoothing

    def fit(self, cases: Iterable[Case]) -> "FittedHypothesisWords":
        counts = np.zeros((self.folds, BUCKETS, len(LABELS)), dtype=np.float32)
        pairs = np.zeros((self.folds, len(LABELS)))
        for case in cases:
            fold, label = fold_of(case, self.folds), LABELS.index(case.compared_with)
            pairs[fold, label] += 1
            counts[fold, features(case.hypothesis), label] += 1  # a feature counts once per hypothesis
        if not pairs.any():
            raise ModelError("The hypothesis-words model needs original pairs, but the suite has none.")
        everything = counts.sum(axis=0)  # (buckets, labels)
        for fold in range(self.folds):
            smoothed = everything - counts[fold] + self.smoothing
            counts[fold] = np.log(smoothed) - np.log(smoothed.sum(axis=0))
        seen = pairs.sum(axis=0) - pairs  # (folds, labels)
        with np.errstate(divide="ignore"):  # a label that never occurs is never answered
            priors = np.log(seen) - np.log(np.maximum(seen.sum(axis=1, keepdims=True), 1))
        return FittedHypothesisWords(counts, priors)


class FittedHypothesisWords:
    """One naive Bayes model per fold."""

    def __init__(self, weights: NDArray[np.float32], priors: NDArray[np.float64]) -> None:
        self.weights = weights
        self.priors = priors

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """Judge each case by the model whose fold contains no pair with its premise."""
        if not cases:
            return []
        found = [features(case.hypothesis) for case in cases]
        lengths = [len(each) for each in found]
        folds = np.array([fold_of(case, len(self.priors)) for case in cases])  # (cases,)
        rows = self.weights[folds.repeat(lengths), np.concatenate(found)]  # (features of all cases, labels)
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        scores = self.priors[folds] + np.add.reduceat(rows, starts, axis=0, dtype=np.float64)  # (cases, labels)
        with np.errstate(invalid="ignore"):  # all pairs share a fold: nothing is left to learn from
            likely = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares = (likely / likely.sum(axis=1, keepdims=True)).round(DECIMALS)
        return [self._answer(case, fold, share) for case, fold, share in zip(cases, folds, shares, strict=True)]

    def _answer(self, case: Case, fold: int, shares: NDArray[np.float64]) -> Prediction:
        known = np.isfinite(self.priors[fold])
        if not known.any():
            return Prediction(id=case.id, label=Label.ENTAILMENT)
        possible = {label: float(shares[i]) for i, label in enumerate(LABELS) if known[i]}
        return Prediction(id=case.id, label=max(possible, key=lambda label: possible[label]), probabilities=possible)


def fold_of(case: Case, folds: int) -> int:
    """The fold of a case: the same for all cases whose source pairs share a premise."""
    return int(case.cluster, 16) % folds


@lru_cache(maxsize=1 << 14)  # many cases share a hypothesis, and a run asks about each more than once
def features(text: str) -> tuple[int, ...]:
    """Hashes of the distinct words and bigrams."""
    words = folded_words(text)
    pairs = [f"{a} {b}" for a, b in pairwise(["<", *words, ">"])]
    return tuple(sorted({crc32(feature.encode()) % BUCKETS for feature in (*words, *pairs)}))
