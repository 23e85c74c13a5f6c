"""How long the cells of a study will take, from a short trial of each system."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.bench.experiment.lanes import AnyLanes, Failure
from assay.bench.experiment.work import Task, Trial
from assay.core.errors import UserError
from assay.core.files import from_json, to_json, write_whole

ASKING = 1 / 3
"""What a case costs when it is asked, compared with a pair of training: there is no way back through the system."""

MEASURING = 0.0005
"""Seconds to store and measure a case."""


class Expected(NamedTuple):
    """What is to come."""

    seconds: float
    """Seconds of work, added up over all cells."""
    lanes: int
    """Cells that are worked on at the same time."""

    @property
    def elapsed(self) -> float:
        """Seconds until the end."""
        return self.seconds / self.lanes


def forecast(
    tasks: Sequence[Task], *, out: Path, lanes: AnyLanes, cases: int, tell: Callable[[str], None] = lambda _: None
) -> Expected:
    """The time of these tasks. A trial is kept, so that a study that goes on does not repeat it.

    `tell` is called with trials that fail: their cells may fail too, and are not in the forecast.
    """
    todo = {task.cell.digest for task in tasks}
    # One that learns from a cell which is not trained yet can't be tried; it takes as long as others of its system.
    first = {_kind(task): task for task in reversed(tasks) if task.cell.spec and task.cell.needs not in todo}
    known = {kind: trial for kind, task in first.items() if (trial := _stored(out, task))}
    to_try = [task._replace(is_trial=True) for kind, task in first.items() if kind not in known]
    for outcome in lanes.do(to_try):
        if isinstance(outcome.result, Trial):
            known[_kind(outcome.task)] = outcome.result
            write_whole(_file(out, outcome.task), to_json(outcome.result))
        elif isinstance(outcome.result, Failure):
            cell, why = outcome.task.cell, outcome.result.reason
            tell(f"A trial failed, so this training run may fail: {cell.name}: {why}\n  Its log is {cell.log}")
    longest_last = sorted(known.items(), key=lambda item: item[1].epoch)  # one may not train at all
    alike = {first[kind].cell.system: trial for kind, trial in longest_last}
    trials = [known.get(_kind(task)) or alike.get(task.cell.system) for task in tasks]
    seconds = sum(_seconds(task, trial, cases) for task, trial in zip(tasks, trials, strict=True))
    return Expected(seconds, max(1, min(lanes.count, len(tasks))))


def _seconds(task: Task, trial: Trial | None, cases: int) -> float:
    if trial is None:
        return cases * MEASURING
    per_pair = trial.epoch / max(trial.pairs, 1)
    epochs = trial.epochs * per_pair * task.cell.pairs
    return trial.setup + epochs + cases * (per_pair * ASKING + MEASURING)


def _stored(out: Path, task: Task) -> Trial | None:
    try:
        return from_json(_file(out, task), Trial, newest=1)
    except UserError:
        return None


def _kind(task: Task) -> str:
    """What decides how long a pair takes: the system, its settings, and options such as rules or debiasing."""
    identity = task.cell.identity
    return _digest([identity.get(name) for name in ("system", "settings", "more")])


def _file(out: Path, task: Task) -> Path:
    system = task.cell.identity["system"].partition("/")[0]
    return out / "trials" / f"{system}-{_digest([_kind(task), task.cell.pairs])}.json"


def _digest(value: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()[:16]
