"""A whole study: its forecast, its training runs one after another or side by side, and its record."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import UserError, check_known, did_you_mean
from assay.core.serialise import from_json, to_json
from assay.evaluate.trainings import FEWEST
from assay.run.workers.engines import engine
from assay.run.workers.pool import Failure, Stage, WorkerProcesses, Workers, default_workers, quiet
from assay.storage.files import write_whole
from assay.storage.suite import Suite
from assay.studies.plan.assemble_record import assemble_record, list_reductions
from assay.studies.plan.joint_records import RECORD, find_attempts
from assay.studies.plan.study_data import StudyData, list_suites
from assay.studies.plan.study_plan import StudyPlan, TrainingPlan
from assay.studies.plan.study_record import FailedTraining, StudyRecord
from assay.studies.plan.training_runs import TrainingRun, digest_of, list_trainings
from assay.studies.plan.training_worker import Done, Trial, WorkTask, read_done, work_on
from assay.studies.plans import StudyOptions

ASKING = 1 / 3  # cost of answering a case relative to training on a pair: there is no backward pass
MEASURING = 0.0005  # seconds to store and measure a case


class Expected(NamedTuple):
    """Forecast of the remaining work."""

    seconds: float  # seconds of work, added up over all training runs
    workers: int  # training runs that are worked on at the same time
    systems: Mapping[str, float] = {}  # seconds of work by system

    @property
    def elapsed(self) -> float:
        return self.seconds / self.workers


def forecast_time(
    tasks: Sequence[WorkTask], *, out: Path, workers: Workers, cases: int, tell: Callable[[str], None] = lambda _: None
) -> Expected:
    """The time of these tasks. A trial is kept, so that a resumed study does not repeat it.

    `tell` is called with trials that fail: their training runs may fail too, and are not in the forecast.
    """
    todo = {task.training.digest for task in tasks}
    # One that learns from another that is not trained yet can't be tried; it takes as long as others of its system.
    first = {
        _kind_digest(task): task for task in reversed(tasks) if task.training.spec and task.training.needs not in todo
    }
    known: dict[str, Trial] = {}
    for kind, task in first.items():
        with suppress(UserError):  # it was not tried before
            known[kind] = from_json(_trial_file(out, task), Trial, newest=1)
    to_try = [task._replace(is_trial=True) for kind, task in first.items() if kind not in known]
    for outcome in workers.do(to_try):
        if isinstance(outcome.result, Trial):
            known[_kind_digest(outcome.task)] = outcome.result
            write_whole(_trial_file(out, outcome.task), to_json(outcome.result))
        elif isinstance(outcome.result, Failure):
            training, why = outcome.task.training, outcome.result.reason
            tell(f"A trial failed, so this training run may fail: {training.name}: {why}\n  Its log is {training.log}")
    longest_last = sorted(known.items(), key=lambda item: item[1].epoch)  # one may not train at all
    alike = {first[kind].training.system: trial for kind, trial in longest_last}
    trials = [known.get(_kind_digest(task)) or alike.get(task.training.system) for task in tasks]
    systems = dict.fromkeys((task.training.system for task in tasks), 0.0)
    for task, trial in zip(tasks, trials, strict=True):
        systems[task.training.system] += _task_seconds(task, trial, cases)
    return Expected(sum(systems.values()), max(1, min(workers.count, len(tasks))), systems)


def _task_seconds(task: WorkTask, trial: Trial | None, cases: int) -> float:
    if trial is None:
        return cases * MEASURING
    per_pair = trial.epoch / max(trial.pairs, 1)
    epochs = trial.epochs * per_pair * task.training.pairs
    setup = trial.setup * max(1.0, task.training.pairs / max(trial.pairs, 1))
    return setup + epochs + cases * (per_pair * ASKING + MEASURING)


def _kind_digest(task: WorkTask) -> str:
    """Digest of everything that affects the time per pair: the system, its settings, and options such as debiasing."""
    identity = task.training.identity
    return digest_of([identity.get(name) for name in ("system", "settings", "more")])


def _trial_file(out: Path, task: WorkTask) -> Path:
    system = task.training.identity["system"].partition("/")[0]
    return out / "trials" / f"{system}-{digest_of([_kind_digest(task), task.training.pairs])}.json"


ONLY = ("system", "condition", "seed")


class Ahead(NamedTuple):
    """Number of training runs, and the forecast."""

    trainings: int
    finished: int  # the runs that are already stored
    expected: Expected | None  # forecast for the others; None if there are none
    warning: str = ""  # reason why the study can't have a verdict, if any


class Study:
    """A plan with its data: what there is to do, and doing it."""

    def __init__(
        self, plan: StudyPlan, options: StudyOptions, *, stage: Stage, tell: Callable[[str], None], is_far: bool
    ) -> None:
        if plan.kind == "transfer" and options.data is None:
            raise UserError(
                f"The study {plan.name} needs the files of its tasks, which nothing can replace.\n"
                "  Name their folder with --data; docs/reference/transfer.md says what is in it."
            )
        self.plan = reduce_plan(plan, options)
        self.out, self.data = Path(options.out), Path(options.data) if options.data else None
        if is_far:  # workers may have another working directory
            self.out, self.data = self.out.absolute(), self.data and self.data.absolute()
        self.only = _read_only(options.only)
        self.workers = options.workers or default_workers()
        self._finished: dict[str, Done] = {}
        self._expected: Expected | None = None
        self._stage, self._tell = stage, tell
        self._data = StudyData(self.plan, self.data, self.out)
        self._asked = list_suites(self.plan.suites, self._data)
        trainings = list_trainings(self.plan, self._data, self.out, self._asked)
        self._refuse_unknown(trainings)
        needed = {training.needs for training in trainings if self._is_wanted(training)}
        self._trainings = [training for training in trainings if self._is_wanted(training) or training.digest in needed]
        own = [msgspec.to_builtins(self.plan), sorted(training.digest for training in self._trainings)]
        key = hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:8]
        self.name = f"{plan.name}-{key}"

    def look_ahead(self, workers: Workers) -> Ahead:
        """Build the test suites, and estimate how long the training runs will take."""
        tasks = self._tasks
        self._finished = {task.training.digest: found for task in tasks if (found := read_done(task))}
        todo = [task for task in tasks if task.training.digest not in self._finished]
        cases = sum(map(len, self._suites.values()))
        plain_first = sorted(todo, key=lambda task: (bool(task.training.needs), task.training.added is not None))
        self._expected = (
            forecast_time(plain_first, out=self.out, workers=workers, cases=cases, tell=self._tell) if todo else None
        )
        return Ahead(len(tasks), len(self._finished), self._expected, _warn_of_few_seeds(self._trainings))

    def carry_out(self, workers: Workers) -> StudyRecord:
        """Finish every training run, and write the record; a training run that fails does not stop the others."""
        tasks = self._tasks
        todo = [*{task.training.digest: task for task in tasks if task.training.digest not in self._finished}.values()]
        for added in {task.training.added.key: task.training.added for task in todo if task.training.added}.values():
            added.make(self._data, self.out, workers=self.workers, stage=self._stage)
        finished, failed = dict(self._finished), dict[str, Failure]()
        progress = self._stage("Training runs", len(todo))
        free, waiting = ([task for task in todo if bool(task.training.needs) == waits] for waits in (False, True))
        for task, result in chain(workers.do(free), workers.do(waiting)):
            if isinstance(result, Done):
                finished[task.training.digest] = result
                self._tell(f"{len(finished)} of {len(tasks)}: {task.training.name}")
            else:
                failed[task.training.digest] = result
                self._tell(f"Failed: {task.training.name}: {result.reason}\n  Its log is {task.training.log}")
            progress(1)
        return self._record(tasks, finished, failed)

    def _record(
        self, tasks: Sequence[WorkTask], finished: Mapping[str, Done], failed: Mapping[str, Failure]
    ) -> StudyRecord:
        out = self.out
        missing = [
            FailedTraining(
                system=task.training.system,
                condition=task.training.condition,
                seed=task.training.seed,
                reason=failed[task.training.digest].reason,
                log=task.training.log.relative_to(out).as_posix(),
            )
            for task in tasks
            if task.training.digest in failed
        ]
        record = assemble_record(
            self.plan,
            self.name,
            [(task, finished[task.training.digest]) for task in tasks if task.training.digest in finished],
            missing,
            out=out,
            reduced=list_reductions(self.plan, self.only, self._data),
            stands_in=self._data.folder is None,
        )
        record = msgspec.structs.replace(
            record,
            attempts=tuple(find_attempts(out, self.plan.name, other_than=self.name)),
            expected=self._expected.seconds if self._expected else None,
        ).sealed()
        write_whole(self.out / self.name / RECORD, to_json(record))
        return record

    @cached_property
    def _suites(self) -> dict[str, Suite]:
        return {
            name: suite.make(self._data, self.out, workers=self.workers, stage=self._stage)
            for name, suite in self._asked.items()
        }

    @cached_property
    def _tasks(self) -> list[WorkTask]:
        suites = self._suites
        folders = {name: str(suite.folder) for name, suite in suites.items()}
        digests = sorted((name, suite.manifest.digest) for name, suite in suites.items())
        tasks = self.plan.tasks if self.plan.kind == "transfer" else None
        asked = digests if tasks is None else [digests, list(tasks)]
        key = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]
        after = tuple(folders[name] for name in self.plan.epochs)
        return [WorkTask(training, folders, key, after, tasks, str(self.data)) for training in self._trainings]

    def _is_wanted(self, training: TrainingRun) -> bool:
        return all(str(getattr(training, name)) in values for name, values in self.only.items())

    def _refuse_unknown(self, trainings: Sequence[TrainingRun]) -> None:
        for name, values in self.only.items():
            if name not in ONLY:
                raise UserError(f"--only {name}=...{did_you_mean(name, ONLY)} Training runs have {', '.join(ONLY)}.")
            known = list(dict.fromkeys(str(getattr(training, name)) for training in trainings))
            for value in values:
                check_known(value, known, f"No {name} {value!r} in this study")


def run_study(
    plan: StudyPlan,
    options: StudyOptions,
    *,
    executor: Executor | None,
    foresee: Callable[[Ahead], None],
    stage: Stage | None,
    tell: Callable[[str], None],
) -> StudyRecord | None:
    """Run a plan; `foresee` is called with the forecast, after which a dry run ends, without a record.

    Systems are trained by processes of this machine, or by the workers of your executor, which must reach the same
    files under the same paths.
    """
    count = options.workers or default_workers()
    with ExitStack() as stack:
        # Nobody knows how long a training run takes, so no worker counts as hanging.
        executor = executor or stack.enter_context(engine(options.engine, count, hangs=0))
        study = Study(plan, options, stage=stage or quiet, tell=tell, is_far=executor is not None)
        executor = executor or stack.enter_context(WorkerProcesses(count))
        workers = Workers(work_on, executor, count=count)
        foresee(study.look_ahead(workers))
        return None if options.dry_run else study.carry_out(workers)


def _read_only(given: tuple[str, ...] | Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """Read `system=esim` and the like; the same name twice means either."""
    if isinstance(given, Mapping):
        return given
    found: dict[str, list[str]] = {}
    for each in given:
        name, _, value = each.partition("=")
        if not value:
            raise UserError(f"--only {each}: it must have the form system=NAME, condition=NAME or seed=N.")
        found.setdefault(name, []).append(value)
    return found


def reduce_plan(plan: StudyPlan, options: StudyOptions) -> StudyPlan:
    def at_most(n: int | None) -> int | None:
        return min(filter(None, (n, options.sample)), default=None)

    changed = msgspec.structs.replace

    def fewer_pairs(each: TrainingPlan) -> TrainingPlan:
        adds = each.augment and each.augment.pairs
        return changed(
            each,
            preset=options.preset or each.preset,
            sample=each.sample and at_most(each.sample),
            each=at_most(each.each) if each.sample is None else each.each,
            dev_sample=at_most(each.dev_sample),
            augment=changed(each.augment, pairs=at_most(adds)) if each.augment and adds else each.augment,
        )

    return changed(
        plan,
        data="",  # a record does not depend on where data are
        trainings=tuple(map(fewer_pairs, plan.trainings)),
        suites={
            name: changed(each, sample=at_most(each.sample) if each.source else None)
            for name, each in plan.suites.items()
        },
    )


def _warn_of_few_seeds(trainings: Sequence[TrainingRun]) -> str:
    seeds = len({training.seed for training in trainings if training.spec})
    if seeds >= FEWEST or len({training.condition for training in trainings if training.spec}) < 2:
        return ""
    told = "One seed is" if seeds == 1 else f"{seeds} seeds are"
    return f"{told} too few for a verdict about conditions, which needs {FEWEST}: add some to the plan's seeds."
