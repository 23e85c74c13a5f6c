"""How long the cells of a study will take, from a short trial of each system."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.bench.experiment.lanes import Lanes
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


def forecast(tasks: Sequence[Task], *, out: Path, lanes: Lanes, cases: int) -> Expected:
    """The time of these tasks. A trial is kept, so that a study that goes on does not repeat it."""
    known: dict[str, Trial] = {}
    to_try: dict[str, Task] = {}
    for task in tasks:
        if task.cell.spec and task.cell.system not in known:
            trial = _stored(out, task)
            if trial:
                known[task.cell.system] = trial
            else:
                to_try.setdefault(task.cell.system, task._replace(is_trial=True))
    for outcome in lanes.do(to_try.values()):
        if isinstance(outcome.result, Trial):  # a trial that fails says nothing: the cell itself will
            known[outcome.task.cell.system] = outcome.result
            write_whole(_file(out, outcome.task), to_json(outcome.result))
    seconds = sum(_seconds(task, known.get(task.cell.system), cases) for task in tasks)
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


def _file(out: Path, task: Task) -> Path:
    cell = task.cell
    own = [cell.identity["system"], cell.identity["settings"], cell.pairs]
    key = hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:16]
    return out / "trials" / f"{cell.identity['system'].partition('/')[0]}-{key}.json"
