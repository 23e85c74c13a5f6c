"""The learning rate, and when to stop: what the papers do, as one small state machine."""

import math
from typing import Literal, NamedTuple

import msgspec

from assay.train.plan import Plan

SMALLEST = 1e-5
"""InferSent stops when the rate falls below this."""


class ScheduleState(msgspec.Struct, kw_only=True):
    """The state of the schedule; stored with every checkpoint."""

    rate: float
    """The learning rate before warm-up and linear decay."""
    best: float = -1.0
    """Best accuracy on the development pairs."""
    checks_without_gain: int = 0
    """Checks since the best."""


class NextStep(NamedTuple):
    """What follows from a check."""

    is_best: bool
    """Keep these weights."""
    go_back: bool
    """Continue from the best weights."""
    stop: Literal["", "no gain", "rate too small"]
    """Why training ends here, if it does."""


def rate_at(plan: Plan, progress: ScheduleState, *, step: int, steps: int) -> float:
    """The rate of a step.

    >>> plan = Plan(epochs=1, rate=1.0, schedule="linear", warm_up=0.5)
    >>> [rate_at(plan, ScheduleState(rate=1.0), step=step, steps=8) for step in (0, 3, 4, 7)]
    [0.25, 1.0, 1.0, 0.25]
    >>> plan = Plan(epochs=1, rate=1.0, schedule="steps")
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


def after_check(plan: Plan, progress: ScheduleState, accuracy: float) -> NextStep:
    """Record an accuracy on the development pairs."""
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


def after_epoch(plan: Plan, progress: ScheduleState, *, epochs: int) -> None:
    """What an epoch does to the rate, when so many are done.

    >>> plan, progress = Plan(epochs=6, rate=8.0, schedule="halve-every-second"), ScheduleState(rate=8.0)
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
