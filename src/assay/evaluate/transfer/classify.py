"""SentEval's three ways to test vectors by a classifier, depending on how a task is split."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy

from assay.evaluate.transfer.folds import stratified
from assay.evaluate.transfer.linear import Fit, Floats, Ints, Rounds, Score, Split, fit_layers
from assay.evaluate.transfer.settings import SENTEVAL, Protocol

Step = Callable[[int], None]
"""Called after each training."""


class Classified(NamedTuple):
    """What became of the rows that were tested."""

    predicted: Ints
    """Their classes."""
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
        folds = stratified(given.classes, self.how.folds, seed=outer_seed)
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
        folds = stratified(given.classes, self.how.folds, seed=seed)
        parts = [
            self._part(given, numpy.flatnonzero(folds != fold), numpy.flatnonzero(folds == fold))
            for fold in range(self.how.folds)
        ]
        scores = [[fit.score for fit in fits] for fits in self._fits(given, parts, self.how.l2)]
        means = numpy.mean(scores, axis=0).tolist()
        best = _best(means)
        return means[best], self.how.l2[best]

    def _last(self, given: Examples, l2: float) -> Fit:
        """Trained on all rows but a few, which say when to stop."""
        chance = numpy.random.RandomState(self.seed)
        order = chance.permutation(len(given.classes))
        held = max(1, int(self.how.held_out * len(order)))
        ((fit,),) = self._fits(given, [self._part(given, order[held:], order[:held], chance)], [l2])
        return fit

    def _part(
        self, given: Examples, train: Ints, validation: Ints, chance: numpy.random.RandomState | None = None
    ) -> Split:
        score = _accuracy(given.classes[validation])
        return Split(train, validation, chance or numpy.random.RandomState(self.seed), score)

    def _fits(self, given: Examples, parts: Sequence[Split], l2: Sequence[float]) -> list[list[Fit]]:
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
