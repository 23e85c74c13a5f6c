"""Events of training, for logs and progress bars."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy
from numpy.typing import NDArray


class Stepped(msgspec.Struct, frozen=True, kw_only=True, tag="step"):
    epoch: int
    step: int  # steps since the start of training
    steps: int  # all steps, if no check stops training
    pairs: int  # pairs since the last such event
    loss: float  # mean loss per pair since the last such event
    accuracy: float  # accuracy on training pairs since the last such event
    rate: float
    pairs_per_second: float


class DevelopmentChecked(msgspec.Struct, frozen=True, kw_only=True, tag="check"):
    epoch: int
    step: int  # steps since the start of training
    accuracy: float
    is_best: bool  # true if these weights are kept
    stop: str  # reason for ending here, if any


class Timed(msgspec.Struct, frozen=True, kw_only=True, tag="time"):
    """The expected time of an epoch is known."""

    pairs: int
    seconds: float  # time of the whole epoch, without checks
    epochs: int  # epochs, if no check stops training
    pairs_per_second: float


Event = Stepped | DevelopmentChecked | Timed
Watch = Callable[[Event], None]


def lines_to(path: Path, watch: Watch) -> Watch:
    """Append every event to a file of JSON lines, and pass it on."""

    def write(event: Event) -> None:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(event) + b"\n")
        watch(event)

    return write


TRIAL_STEPS = 20  # steps that are timed; fewer in a short epoch
TRIAL_SECONDS = 5.0  # the time after which fewer steps will do


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
        """The time of an epoch after a step, once, as soon as it is known."""
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
