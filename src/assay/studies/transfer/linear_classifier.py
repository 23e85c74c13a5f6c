"""A linear layer and a softmax, trained by Adam: several splits of the rows and several weight decays at once.

Layers are small, so that most of the time would go into calling numpy. Those that are trained side by side share the
calls, and those of a split share its batches.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.registry import convert_option, misfit

Count = Annotated[int, msgspec.Meta(ge=1)]
Amount = Annotated[float, msgspec.Meta(ge=0)]

SEED = 1111
"""The seed of SentEval."""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """SentEval's default configuration (Conneau and Kiela 2018): logistic regression trained by Adam."""

    folds: Annotated[int, msgspec.Meta(ge=2)] = 10
    """How many folds."""
    batch: Count = 64
    """Rows in a batch."""
    rate: Annotated[float, msgspec.Meta(gt=0)] = 0.001
    """Adam's learning rate."""
    l2: tuple[Amount, ...] = (1e-5, 1e-4, 1e-3, 1e-2)
    """Weight decays to choose from; Adam adds them to the gradient, for the bias as well."""
    passes: Count = 4
    """Passes over the data between two looks at the validation rows."""
    tenacity: Annotated[int, msgspec.Meta(ge=0)] = 5
    """Looks without a gain that are forgiven; one more ends the training."""
    most_passes: Count = 200
    """The most passes; they are counted before each round, so that the last round may end beyond it."""
    held_out: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.05
    """The share of the training rows that decides when the last training of a task with folds ends."""
    loss: Literal["sum", "mean"] = "sum"
    """How the losses of a batch become one. SentEval asks for the sum, which PyTorch ignores since version 0.4.1. Adam
    hardly minds, but next to a mean, a weight decay counts for more."""
    forgive: Literal["once", "anew"] = "once"
    """Whether looks without a gain are counted over the whole training, as SentEval does, or anew after each gain."""
    outer_seed: int | None = SEED
    """The seed of the folds of MR, CR, SUBJ and MPQA, which SentEval fixes whatever seed you give; None for yours."""
    related_passes: Count = 50
    """SICK-R: passes between two looks."""
    related_tenacity: Annotated[int, msgspec.Meta(ge=0)] = 3
    """SICK-R: looks without a gain that are forgiven."""
    related_most_passes: Count = 1000
    """SICK-R: the most passes."""


SENTEVAL = Protocol()


def protocol_with(switches: Mapping[str, str]) -> Protocol:
    """SentEval's settings with some of them changed; several weight decays are separated by slashes.

    >>> protocol_with({"folds": "5", "l2": "0.001/0.01"}).l2
    (0.001, 0.01)
    """
    known = {field.name: field.type for field in msgspec.structs.fields(Protocol)}
    said = {}
    for name, value in switches.items():
        if name not in known:
            raise UnknownNameError(f"No switch {name!r}{did_you_mean(name, known)} There are {', '.join(known)}.")
        given = value.split("/") if name == "l2" else None if value == "none" else value
        try:
            said[name] = (
                convert_option(given, known[name])
                if isinstance(given, str)
                else msgspec.convert(given, known[name], strict=False)
            )
        except msgspec.ValidationError as error:
            raise UserError(f"The switch {name} {misfit(value, known[name], error)}") from error
    return msgspec.structs.replace(SENTEVAL, **said)


Floats = NDArray[numpy.float32]
Ints = NDArray[numpy.int64]

Loss = Literal["entropy", "squares"]

Score = Callable[[Floats], float]
"""How good predicted shares of the validation rows are, (rows, classes)."""


class Rounds(NamedTuple):
    """When to look at the validation rows, and when to stop."""

    passes: int
    """Passes over the training rows in a round."""
    tenacity: int
    """Looks without a gain that are forgiven."""
    most: int
    """The most passes."""


class RowSplit(NamedTuple):
    """Rows to train on, and rows that say when to stop."""

    train: Ints
    """Places of rows."""
    validation: Ints
    """Places of rows."""
    chance: numpy.random.RandomState
    """Shuffles the training rows before each pass."""
    score: Score
    """How good predictions for the validation rows are."""


class LinearFit(NamedTuple):
    """A trained layer."""

    weights: Floats
    """(dimensions + 1, classes); the bias comes last."""
    score: float
    """On the validation rows, at the best look."""

    def shares(self, rows: Floats) -> Floats:
        """(rows, classes): what it predicts."""
        return softmax(rows @ self.weights)


def with_bias(vectors: NDArray[numpy.floating]) -> Floats:
    """Vectors as rows for the layer: (rows, dimensions + 1)."""
    return numpy.hstack([vectors, numpy.ones((len(vectors), 1))]).astype(numpy.float32)


def softmax(scores: Floats) -> Floats:
    """Shares over the last dimension."""
    raised = numpy.exp(scores - scores.max(-1, keepdims=True))
    found: Floats = raised / raised.sum(-1, keepdims=True)
    return found


def fit_layers(
    rows: Floats,
    targets: Floats,
    splits: Sequence[RowSplit],
    *,
    l2: Sequence[float],
    rounds: Rounds,
    seed: int,
    how: Protocol,
    loss: Loss = "entropy",
) -> list[list[LinearFit]]:
    """For each split, one layer per weight decay: that of the best look. `targets` are (rows, classes)."""
    found = [_Looks(split, rows[split.validation], l2, rounds.tenacity, how.forgive) for split in splits]
    found.sort(key=lambda each: -len(each.split.train))
    layers = _Layers((len(splits), targets.shape[1], len(l2), rows.shape[1]), l2, seed=seed, how=how, loss=loss)
    left, done = list(found), 0
    while left and done <= rounds.most:
        for _ in range(rounds.passes):
            orders = [each.split.train[each.split.chance.permutation(len(each.split.train))] for each in left]
            layers.go_over(rows, targets, orders)
        done += rounds.passes
        for place, each in enumerate(left):
            each.look(layers.weights[place])
        kept = [place for place, each in enumerate(left) if each.goes_on]
        if len(kept) < len(left):
            layers.keep(kept)
            left = [left[place] for place in kept]
    by_split = {id(each.split): each.best for each in found}
    return [by_split[id(split)] for split in splits]


class _Looks:
    """What looks at the validation rows of a split found, for each weight decay."""

    def __init__(self, split: RowSplit, rows: Floats, l2: Sequence[float], tenacity: int, forgive: str) -> None:
        self.split = split
        self.rows = rows
        self.tenacity = tenacity
        self.forgive = forgive
        self.found: list[LinearFit | None] = [None] * len(l2)
        self.missed = [0] * len(l2)

    @property
    def best(self) -> list[LinearFit]:
        """The best layers."""
        return [each for each in self.found if each]

    @property
    def goes_on(self) -> bool:
        """Whether any layer is still trained."""
        return any(missed <= self.tenacity for missed in self.missed)

    def look(self, weights: Floats) -> None:
        """Score layers, (classes, weight decays, dimensions + 1); those that have stopped are left alone."""
        for place, missed in enumerate(self.missed):
            if missed > self.tenacity:
                continue
            layer = weights[:, place].T
            score = self.split.score(softmax(self.rows @ layer))
            before = self.found[place]
            if before is None or score > before.score:
                self.found[place] = LinearFit(layer.copy(), score)
                self.missed[place] = 0 if self.forgive == "anew" else missed
            else:
                self.missed[place] += 1


class _Layers:
    """Layers that are trained side by side: (splits, classes, weight decays, dimensions + 1)."""

    def __init__(
        self, shape: tuple[int, int, int, int], l2: Sequence[float], *, seed: int, how: Protocol, loss: Loss
    ) -> None:
        self.how = how
        self.loss = loss
        _, classes, _, inputs = shape
        end = 1 / sqrt(max(1, inputs - 1))
        start = numpy.random.default_rng(seed).uniform(-end, end, (classes, 1, inputs))
        self.weights = numpy.broadcast_to(start, shape).astype(numpy.float32, order="C")
        self.decay = numpy.asarray(l2, dtype=numpy.float32)[:, None]  # (weight decays, 1)
        self.mean = numpy.zeros_like(self.weights)
        self.square = numpy.zeros_like(self.weights)
        self.steps = numpy.zeros((shape[0], 1, 1, 1))
        self._spare = numpy.empty_like(self.weights)
        self._gradient = numpy.empty_like(self.weights)
        self._inputs = numpy.empty((shape[0] * how.batch, inputs), dtype=numpy.float32)

    def keep(self, splits: Sequence[int]) -> None:
        """Train only these on."""
        self.weights, self.mean, self.square = (each[splits] for each in (self.weights, self.mean, self.square))
        self.steps = self.steps[splits]
        self._spare, self._gradient = numpy.empty_like(self.weights), numpy.empty_like(self.weights)

    def go_over(self, rows: Floats, targets: Floats, orders: Sequence[Ints]) -> None:
        """One pass over each split's rows in its order; longer orders come first."""
        size = self.how.batch
        for start in range(0, len(orders[0]), size):
            batches = [batch for order in orders if len(batch := order[start : start + size])]
            longest = len(batches[0])
            places = numpy.stack([numpy.resize(batch, longest) for batch in batches])  # (splits, batch)
            sizes = numpy.array([len(batch) for batch in batches])
            inputs = self._inputs[: places.size].reshape(*places.shape, -1)
            rows.take(places, axis=0, out=inputs, mode="clip")  # into the same memory each time: new memory is slow
            self._step(inputs, targets.take(places, axis=0), sizes)

    def _step(self, inputs: Floats, wanted: Floats, sizes: Ints) -> None:
        """Adam with weight decay in the gradient, in place, for the splits that have a batch."""
        splits, batch, _ = inputs.shape
        weights, mean, square, spare = (each[:splits] for each in (self.weights, self.mean, self.square, self._spare))
        flat = (splits, -1, weights.shape[-1])
        scores = weights.reshape(flat) @ inputs.transpose(0, 2, 1)  # (splits, classes * weight decays, batch)
        shares = scores.reshape(*weights.shape[:3], batch)
        slopes = self._slopes(shares, wanted.transpose(0, 2, 1)[:, :, None], sizes)
        gradient = self._gradient[:splits]
        numpy.matmul(slopes.reshape(scores.shape), inputs, out=gradient.reshape(flat))
        gradient += numpy.multiply(weights, self.decay, out=spare)
        self.steps[:splits] += 1
        steps = self.steps[:splits]
        mean *= numpy.float32(0.9)
        mean += numpy.multiply(gradient, numpy.float32(0.1), out=spare)
        square *= numpy.float32(0.999)
        gradient *= gradient
        square += numpy.multiply(gradient, numpy.float32(0.001), out=spare)
        unbias = numpy.sqrt(1 - 0.999**steps)  # of the mean of squares, moved to where it costs least
        numpy.sqrt(square, out=spare)
        spare += (1e-8 * unbias).astype(numpy.float32)
        numpy.divide(mean, spare, out=spare)
        spare *= (self.how.rate * unbias / (1 - 0.9**steps)).astype(numpy.float32)
        weights -= spare

    def _slopes(self, scores: Floats, wanted: Floats, sizes: Ints) -> Floats:
        """(splits, classes, weight decays, batch): the gradient with respect to scores.

        Of cross-entropy, or of squared distances between shares. Rows that only fill up a batch have none.
        """
        shares = numpy.exp(scores - scores.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        away: Floats = shares - wanted
        if self.loss == "squares":
            away *= 2
            away = shares * (away - (away * shares).sum(1, keepdims=True))
        if self.how.loss == "mean":
            away /= (sizes * (away.shape[1] if self.loss == "squares" else 1))[:, None, None, None]
        if (sizes < away.shape[-1]).any():
            away *= (numpy.arange(away.shape[-1]) < sizes[:, None])[:, None, None]
        return away
