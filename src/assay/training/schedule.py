"""The learning rate, when to stop, and which pairs make a batch."""

import math
from typing import Literal, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.training.hyperparameters import Hyperparameters

SMALLEST = 1e-5  # InferSent stops when the rate falls below this


class ScheduleState(msgspec.Struct, kw_only=True):
    rate: float  # the learning rate before warm-up and linear decay
    best: float = -1.0
    checks_without_gain: int = 0  # checks since the best


class NextStep(NamedTuple):
    is_best: bool
    go_back: bool
    stop: Literal["", "no gain", "rate too small"]  # reason for ending here, if any


def rate_at(plan: Hyperparameters, progress: ScheduleState, *, step: int, steps: int) -> float:
    """The rate of a step.

    >>> plan = Hyperparameters(epochs=1, rate=1.0, schedule="linear", warm_up=0.5)
    >>> [rate_at(plan, ScheduleState(rate=1.0), step=step, steps=8) for step in (0, 3, 4, 7)]
    [0.25, 1.0, 1.0, 0.25]
    >>> plan = Hyperparameters(epochs=1, rate=1.0, schedule="steps")
    >>> [rate_at(plan, ScheduleState(rate=1.0), step=step, steps=40_000) for step in (0, 10_000, 20_000)]
    [1.0, 0.75, 0.5625]
    """
    if plan.schedule == "steps":
        return progress.rate * math.pow(0.75, step / 10_000)
    if plan.schedule != "linear":
        return progress.rate
    warm = plan.warm_up * steps
    if step < warm:
        return progress.rate * (step + 1) / warm
    return progress.rate * (steps - step) / max(1.0, steps - warm)


def after_check(plan: Hyperparameters, progress: ScheduleState, accuracy: float) -> NextStep:
    is_best = accuracy > progress.best * (1 + plan.gain) or progress.best < 0
    if is_best:
        progress.best = accuracy
        progress.checks_without_gain = 0
        return NextStep(is_best=True, go_back=False, stop="")
    progress.checks_without_gain += 1
    if plan.schedule in ("halve", "plateau"):
        progress.rate /= 2
    if plan.schedule == "infersent":
        progress.rate /= 5
        if progress.rate < SMALLEST:
            return NextStep(is_best=False, go_back=False, stop="rate too small")
    if plan.patience is not None and progress.checks_without_gain >= plan.patience:
        return NextStep(is_best=False, go_back=False, stop="no gain")
    return NextStep(is_best=False, go_back=plan.schedule == "halve", stop="")


def after_epoch(plan: Hyperparameters, progress: ScheduleState, *, epochs: int) -> None:
    """Change the rate after an epoch.

    >>> plan, progress = Hyperparameters(epochs=6, rate=8.0, schedule="halve-every-second"), ScheduleState(rate=8.0)
    >>> for done in range(1, 5):
    ...     after_epoch(plan, progress, epochs=done)
    ...     print(progress.rate)
    8.0
    4.0
    4.0
    2.0
    """
    if plan.schedule == "infersent":
        progress.rate *= 0.99
    if plan.schedule == "halve-every-second" and epochs % 2 == 0:
        progress.rate /= 2


MOST = 2**17  # places of a batch, padding included: one text of many thousand words would else make all others as long
STEP = 3  # premises whose lengths differ by less than this count as equally long, which makes batches more random


def batches(
    lengths: NDArray[numpy.int64],
    *,
    size: int,
    seed: int,
    epoch: int,
    buckets: bool = True,
    in_file_order: bool = False,
) -> list[NDArray[numpy.int64]]:
    """Every pair once, in batches; `lengths` is (pairs, 2). A batch that is far too large is split.

    >>> lengths = numpy.array([[9, 3], [2, 2], [9, 4], [2, 1]])
    >>> sorted(sorted(rows.tolist()) for rows in batches(lengths, size=2, seed=0, epoch=0))
    [[0, 2], [1, 3]]
    """
    if not len(lengths):
        return []
    if in_file_order:
        return _split(numpy.split(numpy.arange(len(lengths)), range(size, len(lengths), size)), lengths)
    rng = numpy.random.default_rng([seed, epoch])
    order = rng.permutation(len(lengths))
    if buckets:
        shuffled = lengths[order]
        # A stable sort keeps equals in random order, so batches differ from epoch to epoch.
        order = order[numpy.lexsort((shuffled[:, 1], shuffled[:, 0] // STEP))]
    cut = _split([order[start : start + size] for start in range(0, len(order), size)], lengths)
    return [cut[place] for place in rng.permutation(len(cut))]


def _split(cut: list[NDArray[numpy.int64]], lengths: NDArray[numpy.int64]) -> list[NDArray[numpy.int64]]:
    """Halve batches until none has too many places, or only one pair.

    >>> lengths = numpy.array([[40_000, 9], [40_000, 9], [9, 9], [9, 9]])
    >>> [rows.tolist() for rows in _split([numpy.arange(4), numpy.array([2, 3])], lengths)]
    [[0, 1], [2, 3], [2, 3]]
    """
    found = []
    for rows in cut:
        if len(rows) > 1 and len(rows) * int(lengths[rows].max(0).sum()) > MOST:
            half = len(rows) // 2
            found += _split([rows[:half], rows[half:]], lengths)
        else:
            found.append(rows)
    return found


def draw_epoch(shares: NDArray[numpy.float64], *, seed: int, epoch: int) -> NDArray[numpy.int64]:
    """The pairs of an epoch, where each takes part with its own probability; a pair with a value of 2 takes part twice.

    >>> draw_epoch(numpy.array([1.0, 0.0, 2.0]), seed=0, epoch=0).tolist()
    [0, 2, 2]
    """
    chance = numpy.random.default_rng([seed, epoch, 1]).random(len(shares))
    times = numpy.floor(shares) + (chance < shares % 1)
    return numpy.repeat(numpy.arange(len(shares)), times.astype(numpy.int64))
