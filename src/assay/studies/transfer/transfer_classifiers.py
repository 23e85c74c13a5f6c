"""Classifiers on frozen vectors: scikit-learn's logistic regression with SentEval's folds and grid."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UnknownNameError, UserError, did_you_mean
from assay.core.registry import convert_option, misfit
from assay.studies.transfer.transfer_metrics import pearson

SEED = 1111
"""The seed of SentEval."""

HIGHEST = 5
"""The highest relatedness score; the lowest is 1."""

Floats = NDArray[numpy.float32]
Reals = NDArray[numpy.float64]
Ints = NDArray[numpy.int64]


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """SentEval's configuration for scikit-learn (Conneau and Kiela 2018)."""

    folds: Annotated[int, msgspec.Meta(ge=2)] = 10
    grid: tuple[Annotated[float, msgspec.Meta(gt=0)], ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
    """Inverse penalties (scikit-learn's C) to choose from."""
    iterations: Annotated[int, msgspec.Meta(ge=1)] = 1000
    """Maximum number of iterations of a fit."""
    outer_seed: int | None = SEED
    """The seed of the folds of MR, CR, SUBJ and MPQA, which SentEval fixes whatever seed you give; None for yours."""


SENTEVAL = Protocol()


def protocol_with(switches: Mapping[str, str]) -> Protocol:
    """SentEval's settings with some of them changed; several inverse penalties are separated by slashes.

    >>> protocol_with({"folds": "5", "grid": "0.5/2"}).grid
    (0.5, 2.0)
    """
    known = {field.name: field.type for field in msgspec.structs.fields(Protocol)}
    changed = {}
    for name, value in switches.items():
        if name not in known:
            raise UnknownNameError(f"No switch {name!r}{did_you_mean(name, known)} Choose from {', '.join(known)}.")
        given = value.split("/") if name == "grid" else None if value == "none" else value
        try:
            changed[name] = (
                convert_option(given, known[name])
                if isinstance(given, str)
                else msgspec.convert(given, known[name], strict=False)
            )
        except msgspec.ValidationError as error:
            raise UserError(f"The switch {name} {misfit(value, known[name], error)}") from error
    return msgspec.structs.replace(SENTEVAL, **changed)


class Examples(NamedTuple):
    """Vectors with their classes."""

    rows: Floats
    """(rows, dimensions)"""
    classes: Ints
    """(rows,), from 0."""


class Rated(NamedTuple):
    """Vectors with their scores."""

    rows: Floats
    """(rows, dimensions)"""
    scores: Reals
    """(rows,), from 1 to 5."""


class Classified(NamedTuple):
    """Predictions for the test rows."""

    predicted: Ints
    validation: float
    """The accuracy by which inverse penalties were chosen."""
    chosen: tuple[float, ...]
    """The inverse penalties that were chosen, one for each outer fold."""


class RelatednessScores(NamedTuple):
    """Predicted scores for the test rows."""

    predicted: Reals
    validation: float
    """Pearson's correlation on the validation rows."""
    chosen: tuple[float, ...]


class Classifier:
    """Trains on some rows and predicts others; `step` is called after each choice of a penalty and each last fit."""

    def __init__(self, *, seed: int, how: Protocol = SENTEVAL, step: Callable[[int], None] = lambda _: None) -> None:
        self.seed = seed
        self.how = how
        self.step = step

    def nested_folds(self, given: Examples) -> Classified:
        """A task without splits: every row is tested once; folds inside the others choose the penalty."""
        outer_seed = self.seed if self.how.outer_seed is None else self.how.outer_seed
        folds = stratify_folds(given.classes, self.how.folds, seed=outer_seed)
        predicted = numpy.empty(len(folds), dtype=numpy.int64)
        scores, chosen = [], []
        for fold in range(self.how.folds):
            others = Examples(given.rows[folds != fold], given.classes[folds != fold])
            score, penalty = self._choose(others, seed=outer_seed)
            predicted[folds == fold] = self._fit(others, penalty).predict(given.rows[folds == fold])
            self.step(1)
            scores.append(score)
            chosen.append(penalty)
        return Classified(predicted, float(numpy.mean(scores)), tuple(chosen))

    def folds(self, train: Examples, test: Examples) -> Classified:
        """A task with a test set, but without validation rows: folds choose the penalty."""
        score, penalty = self._choose(train, seed=self.seed)
        predicted = self._fit(train, penalty).predict(test.rows)
        self.step(1)
        return Classified(predicted, score, (penalty,))

    def split(self, train: Examples, validation: Examples, test: Examples) -> Classified:
        """A task with validation rows, which choose the penalty."""
        fits = [self._fit(train, penalty) for penalty in self.how.grid]
        scores = [float((fit.predict(validation.rows) == validation.classes).mean()) for fit in fits]
        self.step(1)
        best = _find_best(scores)
        return Classified(fits[best].predict(test.rows), scores[best], (self.how.grid[best],))

    def relate(self, train: Rated, validation: Rated, test: Rated) -> RelatednessScores:
        """Predict scores by the expectation over whole scores; validation rows choose the penalty."""
        rows, classes, weights = weigh_scores(train)
        fits = [self._fit(Examples(rows, classes), penalty, weights) for penalty in self.how.grid]
        scores = [pearson(_expected_scores(fit, validation.rows), validation.scores) or 0.0 for fit in fits]
        self.step(1)
        best = _find_best(scores)
        return RelatednessScores(_expected_scores(fits[best], test.rows), scores[best], (self.how.grid[best],))

    def _choose(self, given: Examples, *, seed: int) -> tuple[float, float]:
        """The best accuracy over folds, and the inverse penalty that reaches it."""
        folds = stratify_folds(given.classes, self.how.folds, seed=seed)
        hits = numpy.zeros((self.how.folds, len(self.how.grid)))
        for fold in range(self.how.folds):
            others = Examples(given.rows[folds != fold], given.classes[folds != fold])
            rows, classes = given.rows[folds == fold], given.classes[folds == fold]
            hits[fold] = [(self._fit(others, penalty).predict(rows) == classes).mean() for penalty in self.how.grid]
        self.step(1)
        means = hits.mean(axis=0).tolist()
        best = _find_best(means)
        return means[best], self.how.grid[best]

    def _fit(self, given: Examples, penalty: float, weights: Reals | None = None) -> Any:
        linear_model = _scikit_learn().linear_model
        model = linear_model.LogisticRegression(C=penalty, max_iter=self.how.iterations, random_state=self.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fit that needs more iterations is as good as SentEval's
            return model.fit(given.rows, given.classes, sample_weight=weights)


def _scikit_learn() -> Any:
    try:
        import sklearn.linear_model
        import sklearn.model_selection
    except ImportError as error:
        raise MissingExtraError("transfer", needed_for="Measuring encoders on transfer tasks") from error
    return sklearn


def stratify_folds(classes: Ints, folds: int, *, seed: int) -> Ints:
    """(rows,): the fold in which each row is tested."""
    if (smallest := int(numpy.bincount(classes).min())) < folds:
        raise UserError(f"{folds} folds need as many rows of each class, but a class has only {smallest}.")
    splits = _scikit_learn().model_selection.StratifiedKFold(folds, shuffle=True, random_state=seed)
    found = numpy.empty(len(classes), dtype=numpy.int64)
    for fold, (_, tested) in enumerate(splits.split(classes, classes)):
        found[tested] = fold
    return found


def count_steps(how: Protocol) -> dict[str, int]:
    """Number of steps of each way of testing, for progress."""
    return {"nested folds": 2 * how.folds, "folds": 2, "split": 1, "relatedness": 1}


def weigh_scores(given: Rated) -> tuple[Floats, Ints, Reals]:
    """Each row twice, with the whole scores below and above its score, and their weights.

    >>> weigh_scores(Rated(numpy.zeros((2, 1), dtype=numpy.float32), numpy.array([1.0, 3.75])))[1:]
    (array([1, 3, 2, 4]), array([1.  , 0.25, 0.  , 0.75]))
    """
    below = numpy.minimum(numpy.floor(given.scores), HIGHEST - 1)
    above = given.scores - below
    classes = numpy.concatenate([below, below + 1]).astype(numpy.int64)
    return numpy.concatenate([given.rows, given.rows]), classes, numpy.concatenate([1 - above, above])


def _expected_scores(fit: Any, rows: Floats) -> Reals:
    found: Reals = fit.predict_proba(rows) @ fit.classes_.astype(numpy.float64)
    return found


def _find_best(scores: Sequence[float]) -> int:
    """The place of the best score; scores that are the same in hundredths of a percent are equal, as in SentEval."""
    rounded = [round(100 * each, 2) for each in scores]
    return rounded.index(max(rounded))
