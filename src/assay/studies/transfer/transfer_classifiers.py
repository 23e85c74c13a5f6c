"""Classifiers on frozen vectors as SentEval trains them: its splits and its scores."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.studies.transfer.linear_classifier import (
    SENTEVAL,
    Floats,
    Ints,
    LinearFit,
    Protocol,
    Rounds,
    RowSplit,
    Score,
    fit_layers,
)
from assay.studies.transfer.transfer_metrics import pearson

FoldNumbers = NDArray[numpy.int64]


def stratify_folds(classes: FoldNumbers, folds: int, *, seed: int) -> FoldNumbers:
    """(rows,): the fold in which each row is tested.

    >>> found = stratify_folds(numpy.array([0, 0, 0, 0, 1, 1]), 2, seed=0)
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


Step = Callable[[int], None]
"""Called after each training."""


class Classified(NamedTuple):
    """What became of the rows that were tested."""

    predicted: Ints
    validation: float
    """The accuracy by which weight decays were chosen."""
    l2: tuple[float, ...]
    """The weight decays that were chosen, one for each outer fold."""


class Examples(NamedTuple):
    """Rows with their classes."""

    rows: Floats
    """(rows, dimensions + 1)"""
    classes: Ints
    """(rows,), from 0."""


class Classifier:
    """Trains on some rows and predicts others."""

    def __init__(self, classes: int, *, seed: int, how: Protocol = SENTEVAL, step: Step = lambda _: None) -> None:
        self.classes = classes
        self.seed = seed
        self.how = how
        self.step = step

    def nested_folds(self, given: Examples) -> Classified:
        """A task without splits: every row is tested once; the weight decay is chosen by folds inside the others."""
        outer_seed = self.seed if self.how.outer_seed is None else self.how.outer_seed
        folds = stratify_folds(given.classes, self.how.folds, seed=outer_seed)
        predicted = numpy.empty(len(folds), dtype=numpy.int64)
        scores, chosen = [], []
        for fold in range(self.how.folds):
            others = Examples(given.rows[folds != fold], given.classes[folds != fold])
            score, l2 = self._chosen(others, seed=outer_seed)
            predicted[folds == fold] = self._last(others, l2).shares(given.rows[folds == fold]).argmax(1)
            scores.append(score)
            chosen.append(l2)
        return Classified(predicted, float(numpy.mean(scores)), tuple(chosen))

    def folds(self, train: Examples, test: Examples) -> Classified:
        """A task with a test set, but without validation rows: the weight decay is chosen by folds."""
        score, l2 = self._chosen(train, seed=self.seed)
        return Classified(self._last(train, l2).shares(test.rows).argmax(1), score, (l2,))

    def split(self, train: Examples, validation: Examples, test: Examples) -> Classified:
        """A task with validation rows, which choose both the weight decay and the end of the training."""
        rows = numpy.concatenate([train.rows, validation.rows])
        both = Examples(rows, numpy.concatenate([train.classes, validation.classes]))
        train_places, validation_places = numpy.split(numpy.arange(len(rows)), [len(train.rows)])
        (fits,) = self._fits(both, [self._part(both, train_places, validation_places)], self.how.l2)
        best = _best([each.score for each in fits])
        return Classified(fits[best].shares(test.rows).argmax(1), fits[best].score, (self.how.l2[best],))

    def _chosen(self, given: Examples, *, seed: int) -> tuple[float, float]:
        """The best accuracy over folds, and the weight decay that reaches it."""
        folds = stratify_folds(given.classes, self.how.folds, seed=seed)
        parts = [
            self._part(given, numpy.flatnonzero(folds != fold), numpy.flatnonzero(folds == fold))
            for fold in range(self.how.folds)
        ]
        scores = [[fit.score for fit in fits] for fits in self._fits(given, parts, self.how.l2)]
        means = numpy.mean(scores, axis=0).tolist()
        best = _best(means)
        return means[best], self.how.l2[best]

    def _last(self, given: Examples, l2: float) -> LinearFit:
        """Trained on all rows but a few, which say when to stop."""
        chance = numpy.random.RandomState(self.seed)
        order = chance.permutation(len(given.classes))
        held = max(1, int(self.how.held_out * len(order)))
        ((fit,),) = self._fits(given, [self._part(given, order[held:], order[:held], chance)], [l2])
        return fit

    def _part(
        self, given: Examples, train: Ints, validation: Ints, chance: numpy.random.RandomState | None = None
    ) -> RowSplit:
        score = _accuracy(given.classes[validation])
        return RowSplit(train, validation, chance or numpy.random.RandomState(self.seed), score)

    def _fits(self, given: Examples, parts: Sequence[RowSplit], l2: Sequence[float]) -> list[list[LinearFit]]:
        """For each part, one layer per weight decay."""
        wanted = numpy.eye(self.classes, dtype=numpy.float32)[given.classes]
        rounds = Rounds(self.how.passes, self.how.tenacity, self.how.most_passes)
        found = fit_layers(given.rows, wanted, parts, l2=l2, rounds=rounds, seed=self.seed, how=self.how)
        self.step(1)
        return found


def trainings(how: Protocol) -> dict[str, int]:
    """How many trainings each way takes, for progress; folds are trained side by side."""
    return {"nested folds": 2 * how.folds, "folds": 2, "split": 1, "relatedness": 1}


def _accuracy(classes: Ints) -> Score:
    return lambda shares: float((shares.argmax(1) == classes).mean())


def _best(scores: Sequence[float]) -> int:
    """The place of the best score; scores that are the same in hundredths of a per cent are equal, as in SentEval."""
    rounded = [round(100 * each, 2) for each in scores]
    return rounded.index(max(rounded))


SCORES = 5
"""Whole scores, from 1."""

Reals = NDArray[numpy.float64]


class Rated(NamedTuple):
    """Rows with their scores."""

    rows: Floats
    """(rows, dimensions + 1)"""
    scores: Reals
    """(rows,), from 1 to 5."""


class RelatednessScores(NamedTuple):
    """What became of the rows that were tested."""

    predicted: Reals
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


def relate(train: Rated, validation: Rated, test: Rated, *, seed: int, how: Protocol = SENTEVAL) -> RelatednessScores:
    """Train on shares by squared distances, without weight decay; validation rows say when to stop."""
    rows = numpy.concatenate([train.rows, validation.rows])
    targets = shares_of(numpy.concatenate([train.scores, validation.scores]))
    places, held = numpy.split(numpy.arange(len(rows)), [len(train.rows)])
    part = RowSplit(places, held, numpy.random.RandomState(seed), _correlation(validation.scores))
    rounds = Rounds(how.related_passes, how.related_tenacity, how.related_most_passes)
    ((fit,),) = fit_layers(rows, targets, [part], l2=[0.0], rounds=rounds, seed=seed, how=how, loss="squares")
    return RelatednessScores(score_of(fit.shares(test.rows)), fit.score)


def _correlation(scores: Reals) -> Score:
    return lambda shares: pearson(score_of(shares), scores) or 0.0
