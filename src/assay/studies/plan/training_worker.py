"""The work of a worker: train and test a system, or try how long that takes."""

import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core import registry
from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.manifest import Sampling
from assay.core.serialise import from_json, read_sealed, to_json, with_seal
from assay.models.systems.system_card import MAKING
from assay.run.api import run
from assay.run.stored_run import RECORD, open_run
from assay.run.workers.pool import Failure
from assay.storage.files import write_whole
from assay.storage.folders import lock_folder
from assay.storage.suite import Suite
from assay.studies.plan.training_runs import TrainingRun
from assay.studies.transfer.transfer_study import study_transfer
from assay.training.train_system import TrainSettings, time_training, train_system
from assay.training.training_corpus import read_pairs, read_vectors

THREADS = 1
"""Threads of a training run: with more, the last digits of weights would depend on the machine and on other runs."""


TRIAL_PAIRS = 4_000  # maximum number of pairs in a trial: enough to show how long a step takes


class WorkTask(NamedTuple):
    training: TrainingRun
    suites: dict[str, str]
    """Folders of the test suites, by name."""
    key: str
    """A digest of these suites."""
    after_epochs: tuple[str, ...] = ()
    """The folders of suites that are run after each epoch."""
    tasks: tuple[str, ...] | None = None
    """Transfer tasks that an encoder is measured on, in place of suites; () for all."""
    data: str = ""
    is_trial: bool = False
    """True if only its time is measured."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """A training run that is finished, as far as some suites are concerned."""

    schema: int = 1
    run: str  # the folder of the run, or the file of the tasks' measurements, relative to the training run's
    training: float  # seconds of training
    asking: float  # seconds of predicting and measuring


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    estimates: tuple[Estimate, ...]
    seal: str = ""  # SHA-256 of these numbers without their seal


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    pairs: int
    setup: float  # seconds before the first step, with this many pairs
    epoch: float  # seconds of an epoch
    epochs: int


def work_on(task: WorkTask) -> Done | Trial | Failure:
    """Do a piece of work; whatever goes wrong is in the log, and its last line is the reason."""
    with _log_to(task.training.log):
        try:
            return _time_task(task.training) if task.is_trial else _finish_task(task)
        except Exception as error:  # noqa: BLE001 - a training run may fail in any way, and the others go on
            traceback.print_exc()
            return Failure(f"{type(error).__name__}: {error}".splitlines()[0])


def read_done(task: WorkTask) -> Done | None:
    """The stored result of a training run; None if something is missing or damaged."""
    try:
        found = from_json(_done_file(task), Done, newest=1)
        read_figures(task, found)
    except UserError:
        return None
    return found


def read_figures(task: WorkTask, found: Done) -> Sequence[Estimate]:
    where = Path(task.training.folder) / found.run
    if task.tasks is not None:
        hint = "Repeat the study: finished training runs are kept."
        return read_sealed(where, Figures, made="the tasks were measured", hint=hint, newest=1).estimates
    return open_run(where).estimates


def _done_file(task: WorkTask) -> Path:
    return Path(task.training.folder) / f"done-{task.key}.json"


def _finish_task(task: WorkTask) -> Done:
    training, folder = task.training, Path(task.training.folder)
    folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder, waits=True):
        if (found := read_done(task)) is not None:  # another study did it while this one waited
            return found
        write_whole(folder / "cell.json", to_json(training.identity))
        seconds = _train_once(task)
        started = time.monotonic()
        where = _test_on_suites(task) if task.tasks is None else _test_on_tasks(task)
        made = Done(run=where.relative_to(folder).as_posix(), training=seconds, asking=time.monotonic() - started)
        write_whole(_done_file(task), to_json(made))
        return made


def _test_on_suites(task: WorkTask) -> Path:
    """The folder of the run, which is repeated only if it is missing or damaged."""
    place = Path(task.training.folder) / "runs" / task.key
    for stored in sorted(place.glob(f"[!.]*/{RECORD}"), reverse=True):  # unfinished ones have a dot before their name
        with suppress(UserError):
            open_run(stored.parent)
            return stored.parent
    # HANS beside MultiNLI must not make MultiNLI a task with two labels.
    binary = [Suite.open(folder).manifest.label_space.is_binary for folder in task.suites.values()]
    two_way = False if any(binary) and not all(binary) else None
    record = run(
        suites=task.suites,
        models=[task.training.model],
        out=place,
        truncate="premise",
        two_way=two_way,
        tell=_print_line,
    )
    return place / record.id


def _test_on_tasks(task: WorkTask) -> Path:
    """The file that holds the tasks' measurements."""
    found = study_transfer((task.training.model,), task.data, tasks=task.tasks)
    path = Path(task.training.folder) / f"transfer-{task.key}.json"
    write_whole(path, to_json(with_seal(Figures(estimates=tuple(found.estimates)))))
    return path


def _train_once(task: WorkTask) -> float:
    """Train the system unless it is trained; returns the seconds that it took, as far as known."""
    training = task.training
    timing = Path(training.folder) / "seconds"
    if training.spec is None:
        return 0.0
    if not (training.trained / MAKING).is_file():
        started = time.monotonic()
        train_system(
            training.spec,
            training.trained,
            TrainSettings(
                suites=[Path(folder) for folder in task.after_epochs],
                threads=THREADS,
                data_map=training.is_mapped,
                progress=_tell_event,
                tell=_print_line,
            ),
            seeds=(training.seed,),
        )
        write_whole(timing, f"{time.monotonic() - started:.2f}\n".encode())
    return float(timing.read_text()) if timing.is_file() else 0.0


def _time_task(training: TrainingRun) -> Trial:
    """The first steps of a training run on some of its pairs, in a folder that is thrown away."""
    assert training.spec is not None
    few = TRIAL_PAIRS // len(training.spec.sources)
    sources = tuple(
        reading
        if isinstance(reading.sample, Sampling) and reading.sample.n <= few
        else msgspec.structs.replace(reading, sample=Sampling(n=few, seed=training.seed))
        for reading in training.spec.sources
    )
    for reading in (*sources, training.spec.dev):
        read_pairs(reading)  # this and what follows is done once for many training runs
    if hasattr(registry.systems.get(training.spec.system), "Reader"):
        read_vectors(training.spec.vectors)
    # Added pairs are not made yet.
    spec = msgspec.structs.replace(training.spec, sources=sources, augment=(), withhold={}, apart_from=())
    started = time.monotonic()
    timed = time_training(spec, seed=training.seed, threads=THREADS)
    setup = time.monotonic() - started
    if timed is None:  # it has just one step
        return Trial(pairs=training.pairs, setup=setup, epoch=0.0, epochs=1)
    return Trial(pairs=timed.pairs, setup=setup, epoch=timed.seconds, epochs=timed.epochs)


def _tell_event(_seed: int, event: Any) -> None:
    from assay.training.events import Stepped

    if not isinstance(event, Stepped):
        _print_line(msgspec.json.encode(event).decode())


def _print_line(text: str) -> None:
    print(text, flush=True)


@contextmanager
def _log_to(path: Path) -> Iterator[None]:
    """Everything that is printed goes to the end of a file, also what libraries print."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for own, number in zip(kept, (1, 2), strict=True):
            os.dup2(own, number)
            os.close(own)
        os.close(handle)
