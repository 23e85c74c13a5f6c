"""How long an epoch will take, from its first steps."""

import time
from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

from assay.train.events import Timed

TRIAL_STEPS = 20
"""Steps that are timed; fewer in a short epoch."""

TRIAL_SECONDS = 5.0
"""The time after which fewer steps will do."""


class Forecast:
    """Times the first steps of an epoch, except the very first, in which libraries get ready.

    A step counts by the words that it reads, because batches differ in length.
    """

    def __init__(
        self,
        lengths: NDArray[numpy.int64],
        order: Sequence[NDArray[numpy.int64]],
        *,
        epochs: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.words = [int(lengths[rows].max(0).sum()) * len(rows) for rows in order]
        self.pairs = sum(map(len, order))
        self.epochs = epochs
        self.clock = clock
        self.trial = min(TRIAL_STEPS, max(1, len(order) // 10))
        self.first: int | None = None
        self.started = 0.0
        self.is_told = False

    def after(self, step: int) -> Timed | None:
        """What is known after a step of the epoch, once, as soon as it is."""
        if self.is_told:
            return None
        if self.first is None:
            self.first, self.started = step, self.clock()
            return None
        seconds = self.clock() - self.started
        if step - self.first < self.trial and seconds < TRIAL_SECONDS:
            return None
        self.is_told = True
        read = sum(self.words[self.first : step])
        whole = seconds * sum(self.words) / max(read, 1)
        return Timed(
            pairs=self.pairs, seconds=whole, epochs=self.epochs, pairs_per_second=self.pairs / max(whole, 1e-9)
        )
