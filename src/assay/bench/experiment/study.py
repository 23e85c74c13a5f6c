"""A whole study: what it will take, its cells one after another or side by side, and its record."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.bench.experiment.assemble import assemble
from assay.bench.experiment.cells import Cell, cells_of
from assay.bench.experiment.data import StudyData
from assay.bench.experiment.forecast import Expected, forecast
from assay.bench.experiment.lanes import AnyLanes, Failure, Lanes, SharedLanes
from assay.bench.experiment.records import RECORD, attempts_in
from assay.bench.experiment.reduced import reductions
from assay.bench.experiment.suites import asked_suites
from assay.bench.experiment.work import Done, Task, Transfer, done, work_on
from assay.bench.shards import default_workers
from assay.bench.stages import Stage, quiet
from assay.core.errors import UserError, did_you_mean
from assay.core.files import to_json, write_whole
from assay.core.study.plan import StudyPlan
from assay.core.study.record import MissingCell, StudyRecord
from assay.core.suite import Suite
from assay.evaluate.judge.trainings import FEWEST

ONLY = ("system", "regime", "seed")
"""What cells can be chosen by."""


class Ahead(NamedTuple):
    """What a study is about to do."""

    cells: int
    """All cells."""
    finished: int
    """Those that are already there."""
    expected: Expected | None
    """How long the others take; None if there are none."""
    warning: str = ""
    """Why the study can't have a verdict, if it can't."""


class StudyRequest(NamedTuple):
    """How to run a plan."""

    out: Path
    """The folder of studies, whose cells all studies share."""
    data: Path | None = None
    """The folder of data; without it, the bundled corpus stands in."""
    preset: str | None = None
    """In place of the plan's presets."""
    sample: int | None = None
    """The most pairs of each corpus, for training, development and tests."""
    only: Mapping[str, Sequence[str]] = {}
    """Only cells of these systems, regimes or seeds."""
    workers: int | None = None
    """Cells at the same time; by default, one per core."""

    def absolute(self) -> "StudyRequest":
        """The same with absolute paths, for workers with another working directory."""
        return self._replace(out=self.out.absolute(), data=self.data and self.data.absolute())


class Study:
    """A plan with its data: what there is to do, and doing it."""

    def __init__(
        self,
        plan: StudyPlan,
        request: StudyRequest,
        *,
        stage: Stage = quiet,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        if plan.kind == "transfer" and request.data is None:
            raise UserError(
                f"The study {plan.name} needs the files of its tasks, and nothing stands in for them.\n"
                "  Name their folder with --data; docs/studies/transfer.md says what is in it."
            )
        self.plan = reduced_plan(plan, request)
        self.request = request
        self.workers = request.workers or default_workers()
        self._finished: dict[str, Done] = {}
        self._expected: Expected | None = None
        self._stage, self._tell = stage, tell
        self._data = StudyData(self.plan, request.data, request.out)
        self._asked = asked_suites(self.plan.suites, self._data)
        cells = cells_of(self.plan, self._data, request.out, self._asked)
        self._refuse_unknown(cells)
        needed = {cell.needs for cell in cells if self._is_wanted(cell)}
        self._cells = [cell for cell in cells if self._is_wanted(cell) or cell.digest in needed]
        own = [msgspec.to_builtins(self.plan), sorted(cell.digest for cell in self._cells)]
        key = hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:8]
        self.name = f"{plan.name}-{key}"

    @property
    def folder(self) -> Path:
        """Where its record is."""
        return self.request.out / self.name

    def look_ahead(self, lanes: AnyLanes) -> Ahead:
        """Build what every cell is asked, and find out how long the cells will take."""
        tasks = self._tasks
        self._finished = {task.cell.digest: found for task in tasks if (found := done(task))}
        todo = [task for task in tasks if task.cell.digest not in self._finished]
        cases = sum(map(len, self._suites.values()))
        plain_first = sorted(todo, key=lambda task: (bool(task.cell.needs), task.cell.added is not None))
        self._expected = (
            forecast(plain_first, out=self.request.out, lanes=lanes, cases=cases, tell=self._tell) if todo else None
        )
        return Ahead(len(tasks), len(self._finished), self._expected, _few_seeds(self._cells))

    def carry_out(self, lanes: AnyLanes) -> StudyRecord:
        """Finish every cell, and write the record; a cell that fails does not stop the others."""
        tasks = self._tasks
        todo = [*{task.cell.digest: task for task in tasks if task.cell.digest not in self._finished}.values()]
        for added in {task.cell.added.key: task.cell.added for task in todo if task.cell.added}.values():
            added.make(self._data, self.request.out, workers=self.workers, stage=self._stage)
        finished, failed = dict(self._finished), dict[str, Failure]()
        progress = self._stage("Cells", len(todo))
        free, waiting = ([task for task in todo if bool(task.cell.needs) == waits] for waits in (False, True))
        for task, result in chain(lanes.do(free), lanes.do(waiting)):
            if isinstance(result, Done):
                finished[task.cell.digest] = result
                self._tell(f"{len(finished)} of {len(tasks)}: {task.cell.name}")
            else:
                failed[task.cell.digest] = result
                self._tell(f"Failed: {task.cell.name}: {result.reason}\n  Its log is {task.cell.log}")
            progress(1)
        return self._record(tasks, finished, failed)

    def _record(
        self, tasks: Sequence[Task], finished: Mapping[str, Done], failed: Mapping[str, Failure]
    ) -> StudyRecord:
        out = self.request.out
        missing = [
            MissingCell(
                system=task.cell.system,
                regime=task.cell.regime,
                seed=task.cell.seed,
                reason=failed[task.cell.digest].reason,
                log=task.cell.log.relative_to(out).as_posix(),
            )
            for task in tasks
            if task.cell.digest in failed
        ]
        record = assemble(
            self.plan,
            self.name,
            [(task, finished[task.cell.digest]) for task in tasks if task.cell.digest in finished],
            missing,
            out=out,
            reduced=reductions(self.plan, self.request.only, self._data),
            stands_in=self._data.folder is None,
        )
        record = msgspec.structs.replace(
            record,
            attempts=tuple(attempts_in(out, self.plan.name, other_than=self.name)),
            expected=self._expected.seconds if self._expected else None,
        ).sealed()
        write_whole(self.folder / RECORD, to_json(record))
        return record

    @cached_property
    def _suites(self) -> dict[str, Suite]:
        out = self.request.out
        return {
            name: suite.make(self._data, out, workers=self.workers, stage=self._stage)
            for name, suite in self._asked.items()
        }

    @cached_property
    def _tasks(self) -> list[Task]:
        suites = self._suites
        folders = {name: str(suite.folder) for name, suite in suites.items()}
        digests = sorted((name, suite.manifest.digest) for name, suite in suites.items())
        transfer = Transfer(str(self.request.data), self.plan.tasks) if self.plan.kind == "transfer" else None
        asked = [digests, list(transfer.tasks)] if transfer else digests
        key = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:16]
        after = tuple(folders[name] for name in self.plan.epochs)
        return [Task(cell, folders, key, after, transfer) for cell in self._cells]

    def _is_wanted(self, cell: Cell) -> bool:
        return all(str(getattr(cell, name)) in values for name, values in self.request.only.items())

    def _refuse_unknown(self, cells: Sequence[Cell]) -> None:
        for name, values in self.request.only.items():
            if name not in ONLY:
                raise UserError(f"--only {name}=...{did_you_mean(name, ONLY)} Cells have {', '.join(ONLY)}.")
            known = list(dict.fromkeys(str(getattr(cell, name)) for cell in cells))
            for value in values:
                if value not in known:
                    guess = did_you_mean(value, known)
                    raise UserError(f"No {name} {value!r} in this study{guess} There are {', '.join(known)}.")


def run_study(
    plan: StudyPlan,
    request: StudyRequest,
    *,
    dry_run: bool = False,
    executor: Executor | None = None,
    foresee: Callable[[Ahead], None] = lambda _: None,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> StudyRecord | None:
    """Run a plan; `foresee` is called with what is to come, and a dry run ends there, without a record.

    Cells are trained by processes of this machine, or by the workers of your executor, which must reach the same files
    under the same paths.
    """
    study = Study(plan, request if executor is None else request.absolute(), stage=stage, tell=tell)
    with ExitStack() as stack:
        lanes: AnyLanes = (
            stack.enter_context(Lanes(work_on, count=study.workers))
            if executor is None
            else SharedLanes(work_on, executor, count=study.workers)
        )
        foresee(study.look_ahead(lanes))
        return None if dry_run else study.carry_out(lanes)


def reduced_plan(plan: StudyPlan, request: StudyRequest) -> StudyPlan:
    """The plan with what the command line asks for."""

    def at_most(n: int | None) -> int | None:
        return min(filter(None, (n, request.sample)), default=None)

    changed = msgspec.structs.replace
    return changed(
        plan,
        data="",  # a record does not depend on where data are
        trainings=tuple(
            changed(
                each,
                preset=request.preset or each.preset,
                sample=at_most(each.sample),
                dev_sample=at_most(each.dev_sample),
            )
            for each in plan.trainings
        ),
        suites={
            name: changed(each, sample=at_most(each.sample) if each.source else None)
            for name, each in plan.suites.items()
        },
    )


def _few_seeds(cells: Sequence[Cell]) -> str:
    """What to know if conditions are compared over too few seeds; empty otherwise."""
    seeds = len({cell.seed for cell in cells if cell.spec})
    if seeds >= FEWEST or len({cell.regime for cell in cells if cell.spec}) < 2:
        return ""
    told = "One seed is" if seeds == 1 else f"{seeds} seeds are"
    return f"{told} too few for a verdict about conditions, which needs {FEWEST}: add some to the plan's seeds."
