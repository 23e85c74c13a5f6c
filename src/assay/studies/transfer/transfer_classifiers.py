"""Classifiers on frozen vectors by SentEval's protocol, and their metrics; rows that share a text count together."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UserError, check_known
from assay.core.estimate import Estimate
from assay.core.registry import convert_option
from assay.evaluate.case_columns import Ints
from assay.evaluate.intervals import Draws, bootstrap, clustered_share, jackknife
from assay.evaluate.slice_sums import bounded
from assay.studies.plans import SEED

HIGHEST = 5  # the highest relatedness score; the lowest is 1

Floats = NDArray[numpy.float32]
Reals = NDArray[numpy.float64]


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
        check_known(name, known, f"No switch {name!r}")
        given = value.split("/") if name == "grid" else None if value == "none" else value
        changed[name] = convert_option(given, known[name], f"The switch {name}", written=value)
    return msgspec.structs.replace(SENTEVAL, **changed)


class Examples(NamedTuple):
    rows: Floats  # (rows, dimensions)
    targets: NDArray[Any]  # (rows,): classes from 0, or scores from 1 to 5


class Predicted(NamedTuple):
    predicted: NDArray[Any]  # (rows,): classes or scores
    validation: float  # the accuracy, or Pearson's correlation, by which inverse penalties were chosen
    chosen: tuple[float, ...]  # the inverse penalties that were chosen, one for each outer fold


class Classifier:
    """Trains on some rows and predicts others; `step` is called after each choice of a penalty and each last fit."""

    def __init__(self, *, seed: int, how: Protocol = SENTEVAL, step: Callable[[int], None] = lambda _: None) -> None:
        self.seed = seed
        self.how = how
        self.step = step

    def nested_folds(self, given: Examples) -> Predicted:
        """A task without splits: every row is tested once; folds inside the others choose the penalty."""
        outer_seed = self.seed if self.how.outer_seed is None else self.how.outer_seed
        folds = stratify_folds(given.targets, self.how.folds, seed=outer_seed)
        predicted = numpy.empty(len(folds), dtype=numpy.int64)
        scores, chosen = [], []
        for fold in range(self.how.folds):
            others = Examples(given.rows[folds != fold], given.targets[folds != fold])
            score, penalty = self._choose(others, seed=outer_seed)
            predicted[folds == fold] = self._fit(others, penalty).predict(given.rows[folds == fold])
            self.step(1)
            scores.append(score)
            chosen.append(penalty)
        return Predicted(predicted, float(numpy.mean(scores)), tuple(chosen))

    def folds(self, train: Examples, test: Examples) -> Predicted:
        """A task with a test set, but without validation rows: folds choose the penalty."""
        score, penalty = self._choose(train, seed=self.seed)
        predicted = self._fit(train, penalty).predict(test.rows)
        self.step(1)
        return Predicted(predicted, score, (penalty,))

    def split(self, train: Examples, validation: Examples, test: Examples) -> Predicted:
        """A task with validation rows, which choose the penalty."""
        fits = [self._fit(train, penalty) for penalty in self.how.grid]
        scores = [float((fit.predict(validation.rows) == validation.targets).mean()) for fit in fits]
        best = self._find_best(scores)
        return Predicted(fits[best].predict(test.rows), scores[best], (self.how.grid[best],))

    def relate(self, train: Examples, validation: Examples, test: Examples) -> Predicted:
        """Predict scores by the expectation over whole scores; validation rows choose the penalty."""
        rows, classes, weights = weigh_scores(train)
        fits = [self._fit(Examples(rows, classes), penalty, weights) for penalty in self.how.grid]
        scores = [pearson(_expected_scores(fit, validation.rows), validation.targets) or 0.0 for fit in fits]
        best = self._find_best(scores)
        return Predicted(_expected_scores(fits[best], test.rows), scores[best], (self.how.grid[best],))

    def _choose(self, given: Examples, *, seed: int) -> tuple[float, float]:
        """The best accuracy over folds, and the inverse penalty that reaches it."""
        folds = stratify_folds(given.targets, self.how.folds, seed=seed)
        hits = numpy.zeros((self.how.folds, len(self.how.grid)))
        for fold in range(self.how.folds):
            others = Examples(given.rows[folds != fold], given.targets[folds != fold])
            rows, classes = given.rows[folds == fold], given.targets[folds == fold]
            hits[fold] = [(self._fit(others, penalty).predict(rows) == classes).mean() for penalty in self.how.grid]
        means = hits.mean(axis=0).tolist()
        best = self._find_best(means)
        return means[best], self.how.grid[best]

    def _find_best(self, scores: Sequence[float]) -> int:
        """The place of the best score; scores are equal if they are so in hundredths of a percent, as in SentEval."""
        self.step(1)
        rounded = [round(100 * each, 2) for each in scores]
        return rounded.index(max(rounded))

    def _fit(self, given: Examples, penalty: float, weights: Reals | None = None) -> Any:
        linear_model = _scikit_learn().linear_model
        model = linear_model.LogisticRegression(C=penalty, max_iter=self.how.iterations, random_state=self.seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fit that needs more iterations is as good as SentEval's
            return model.fit(given.rows, given.targets, sample_weight=weights)


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


def weigh_scores(given: Examples) -> tuple[Floats, Ints, Reals]:
    """Each row twice, with the whole scores below and above its score, and their weights.

    >>> weigh_scores(Examples(numpy.zeros((2, 1), dtype=numpy.float32), numpy.array([1.0, 3.75])))[1:]
    (array([1, 3, 2, 4]), array([1.  , 0.25, 0.  , 0.75]))
    """
    below = numpy.minimum(numpy.floor(given.targets), HIGHEST - 1)
    above = given.targets - below
    classes = numpy.concatenate([below, below + 1]).astype(numpy.int64)
    return numpy.concatenate([given.rows, given.rows]), classes, numpy.concatenate([1 - above, above])


def _expected_scores(fit: Any, rows: Floats) -> Reals:
    return fit.predict_proba(rows) @ fit.classes_.astype(numpy.float64)


def accuracy(predicted: Ints, classes: Ints, clusters: Sequence[str]) -> Estimate:
    """The fraction of right classes.

    >>> accuracy(numpy.array([0, 1, 1]), numpy.array([0, 1, 0]), ["a", "b", "c"]).value
    0.6666666666666666
    """
    codes = _cluster_codes(clusters)
    share = clustered_share(numpy.bincount(codes, predicted == classes).astype(int), numpy.bincount(codes))
    return bounded("accuracy", share.value, share.interval, len(classes), {})


def f1(predicted: Ints, classes: Ints, clusters: Sequence[str]) -> Estimate:
    """The harmonic mean of precision and recall of class 1.

    >>> f1(numpy.array([1, 1, 0]), numpy.array([1, 0, 1]), ["a", "b", "c"]).value
    0.5
    """
    counts = numpy.stack([predicted & classes, predicted, classes], 1).astype(numpy.float64)
    sums = _sum_by_cluster(counts, clusters)  # (clusters, 3): both, said, true

    def figure(total: Reals) -> Reals:
        return 2 * total[..., :1] / (total[..., 1:2] + total[..., 2:])

    if not sums[:, 1:].any():
        return Estimate(name="f1", value=None, n=len(classes))
    (interval,) = jackknife(sums, figure, int((sums[:, 2] > 0).sum()))
    return bounded("f1", float(figure(sums.sum(0))[0]), interval, len(classes), {})


def correlations(predicted: Reals, scores: Reals, clusters: Sequence[str]) -> list[Estimate]:
    """Pearson's and Spearman's correlation; for the interval of the latter, ranks stay as they are in the whole."""
    from scipy.stats import rankdata

    return [
        _correlation("pearson", predicted, scores, clusters),
        _correlation("spearman", rankdata(predicted), rankdata(scores), clusters),
    ]


def pearson(one: Reals, two: Reals) -> float | None:
    """Pearson's correlation; None where one side does not vary.

    >>> round(pearson(numpy.array([1.0, 2, 3]), numpy.array([2.0, 4, 5])), 4)
    0.982
    """
    if not (numpy.ptp(one) and numpy.ptp(two)):
        return None
    return float(numpy.corrcoef(one, two)[0, 1])


def _correlation(name: str, one: Reals, two: Reals, clusters: Sequence[str]) -> Estimate:
    if pearson(one, two) is None:
        return Estimate(name=name, value=None, n=len(one))
    one, two = one - one.mean(), two - two.mean()  # so that sums of squares lose no digits
    sums = _sum_by_cluster(numpy.stack([numpy.ones_like(one), one, two, one * one, two * two, one * two], 1), clusters)

    def figure(total: Reals) -> Reals:
        n, x, y, xx, yy, xy = numpy.moveaxis(total, -1, 0)
        found: Reals = (n * xy - x * y) / numpy.sqrt((n * xx - x * x) * (n * yy - y * y))
        return found[..., None]

    with numpy.errstate(divide="ignore", invalid="ignore"):
        value = float(figure(sums.sum(0))[..., 0])
    if not numpy.isfinite(value):
        return Estimate(name=name, value=None, n=len(one))
    (interval,) = bootstrap(sums, figure, Draws("transfer"))
    return bounded(name, value, interval, len(one), {})


def _sum_by_cluster(rows: Reals, clusters: Sequence[str]) -> Reals:
    """(clusters, columns)."""
    codes = _cluster_codes(clusters)
    return numpy.stack([numpy.bincount(codes, column) for column in rows.T], 1)


def _cluster_codes(clusters: Sequence[str]) -> Ints:
    known: dict[str, int] = {}
    return numpy.array([known.setdefault(each, len(known)) for each in clusters], dtype=numpy.int64)
