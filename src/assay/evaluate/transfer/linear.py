"""A linear layer and a softmax, trained by Adam with several weight decays at once.

All weight decays see the same batches, so one product of matrices serves them all.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy
from numpy.typing import NDArray

from assay.evaluate.transfer.settings import Protocol

Floats = NDArray[numpy.float32]
Ints = NDArray[numpy.int64]

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


class Fit(NamedTuple):
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
    train: Ints,
    validation: Ints,
    *,
    l2: Sequence[float],
    rounds: Rounds,
    score: Score,
    chance: numpy.random.RandomState,
    seed: int,
    how: Protocol,
    loss: Literal["entropy", "squares"] = "entropy",
) -> list[Fit]:
    """One layer per weight decay: that of the best look at the validation rows. `targets` are (rows, classes)."""
    layers = _Layers(rows.shape[1], targets.shape[1], l2, seed=seed, how=how, loss=loss)
    looked_at = rows[validation]
    best: dict[int, Fit] = {}
    missed = dict.fromkeys(range(len(l2)), 0)
    done = 0
    while layers.left and done <= rounds.most:
        for _ in range(rounds.passes):
            layers.go_over(rows, targets, train[chance.permutation(len(train))])
        done += rounds.passes
        stopped = []
        for place in layers.left:
            weights = layers.of(place)
            found = score(softmax(looked_at @ weights))
            if place not in best or found > best[place].score:
                best[place] = Fit(weights.copy(), found)
                missed[place] = 0 if how.forgive == "anew" else missed[place]
                continue
            if missed[place] >= rounds.tenacity:
                stopped.append(place)
            missed[place] += 1
        layers.drop(stopped)
    return [best[place] for place in range(len(l2))]


class _Layers:
    """Layers that are trained together, side by side: (dimensions + 1, layers, classes)."""

    def __init__(
        self,
        inputs: int,
        classes: int,
        l2: Sequence[float],
        *,
        seed: int,
        how: Protocol,
        loss: Literal["entropy", "squares"],
    ) -> None:
        self.left = list(range(len(l2)))
        self.classes = classes
        self.how = how
        self.loss = loss
        end = 1 / sqrt(max(1, inputs - 1))
        start = numpy.random.default_rng(seed).uniform(-end, end, (inputs, 1, classes)).astype(numpy.float32)
        self.weights = numpy.repeat(start, len(l2), axis=1)
        self.decay = numpy.asarray(l2, dtype=numpy.float32)[:, None]  # (layers, 1)
        self.mean = numpy.zeros_like(self.weights)
        self.square = numpy.zeros_like(self.weights)
        self.steps = 0
        self._room()

    def of(self, place: int) -> Floats:
        """The weights of a layer."""
        return self.weights[:, self.left.index(place)]

    def drop(self, places: Sequence[int]) -> None:
        """Train these no longer."""
        if not places:
            return
        kept = [number for number, place in enumerate(self.left) if place not in places]
        self.left = [self.left[number] for number in kept]
        self.weights, self.mean, self.square = (
            numpy.ascontiguousarray(each[:, kept]) for each in (self.weights, self.mean, self.square)
        )
        self.decay = self.decay[kept]
        self._room()

    def go_over(self, rows: Floats, targets: Floats, order: Ints) -> None:
        """One pass over rows in this order."""
        size = self.how.batch
        taken = numpy.empty((min(size, len(order)), rows.shape[1]), dtype=numpy.float32)
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            inputs = taken[: len(batch)]
            rows.take(batch, axis=0, out=inputs, mode="clip")
            self._step(inputs, targets[batch])

    def _room(self) -> None:
        """Arrays that each step writes to."""
        self._gradient = numpy.empty_like(self.weights)
        self._spare = numpy.empty_like(self.weights)

    def _step(self, inputs: Floats, wanted: Floats) -> None:
        """Adam with weight decay in the gradient, in place."""
        flat = (len(self.weights), -1)
        scores = (inputs @ self.weights.reshape(flat)).reshape(len(inputs), -1, self.classes)
        slopes = self._slopes(softmax(scores), wanted[:, None])  # (batch, layers, classes)
        gradient, spare = self._gradient, self._spare
        numpy.matmul(inputs.T, slopes.reshape(len(inputs), -1), out=gradient.reshape(flat))
        numpy.multiply(self.weights, self.decay, out=spare)
        gradient += spare
        self.steps += 1
        self.mean *= 0.9
        self.mean += numpy.multiply(gradient, 0.1, out=spare)
        self.square *= 0.999
        numpy.multiply(gradient, gradient, out=gradient)
        self.square += numpy.multiply(gradient, 0.001, out=gradient)
        numpy.sqrt(self.square, out=spare)
        spare *= 1 / sqrt(1 - 0.999**self.steps)
        spare += 1e-8
        numpy.divide(self.mean, spare, out=spare)
        spare *= self.how.rate / (1 - 0.9**self.steps)
        self.weights -= spare

    def _slopes(self, shares: Floats, wanted: Floats) -> Floats:
        """The gradient with respect to the scores: of cross-entropy, or of squared distances between shares."""
        away = shares - wanted
        if self.loss == "squares":
            away *= 2
            away = shares * (away - (away * shares).sum(-1, keepdims=True))
        if self.how.loss == "mean":
            away /= len(shares) * (self.classes if self.loss == "squares" else 1)
        return away
