"""One record from the runs of all cells: tables, tests between conditions, and what is missing or was reduced."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy

from assay.bench.analyses.epochs import analyse_epochs
from assay.bench.experiment.cells import Cell
from assay.bench.experiment.work import Done, Task, figures_of
from assay.bench.stored import answer_file, joined, open_run, suite_of
from assay.bench.training.train import Made
from assay.core.analysis import Analysis
from assay.core.files import from_json
from assay.core.run import RunRecord
from assay.core.study.plan import StudyPlan, TablePlan
from assay.core.study.record import MissingCell, StudyCell, StudyRecord, StudyTable, StudyTest
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.count.columns import Encoder
from assay.evaluate.study.figures import Measured, deviation_figures, is_in, study_figures, transfer_figures
from assay.evaluate.study.together import result_of
from assay.evaluate.study.verdicts import Pairing, judge_tests, study_tests
from assay.evaluate.trainings import TrainingBoard
from assay.models.systems.card import MAKING
from assay.version import __version__

Finished = Mapping[str, tuple[Cell, Done]]
"""Finished cells by digest."""


def assemble(
    plan: StudyPlan,
    name: str,
    finished: Sequence[tuple[Task, Done]],
    missing: Sequence[MissingCell],
    *,
    out: Path,
    reduced: Sequence[str],
    stands_in: bool,
) -> StudyRecord:
    """The record of a study, without what is only known to the command: earlier attempts and the forecast."""
    asked = [(task, each) for task, each in finished if not task.transfer]
    runs = [(task, open_run(Path(task.cell.folder) / each.run)) for task, each in asked]
    measured = [
        (task.cell.seed, Measured(task.cell.system, task.cell.regime, figures_of(task, each)))
        for task, each in finished
    ]
    tests = list(_tests(plan, runs))
    tables = tuple(_table(each, plan, measured, tests) for each in plan.tables)
    analyses = tuple(_analyses(plan, finished))
    return StudyRecord(
        id=name,
        created=datetime.now(UTC).replace(microsecond=0).isoformat(),
        plan=plan,
        cells=tuple(_cell(task.cell, each, out) for task, each in finished),
        missing=tuple(missing),
        tables=tables,
        analyses=analyses,
        suites={name: manifest.cases for name, manifest in runs[0][1].suites.items()} if runs else {},
        reduced=tuple(reduced),
        stands_in=stands_in,
        spent=round(sum(each.training + each.asking for _, each in finished), 1),
        versions=_versions(),
        result=result_of(tables, analyses),
    )


def _versions() -> dict[str, str]:
    """What decides the figures: the same training differs by some points from one machine or PyTorch to another."""
    found = {"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__}
    with suppress(PackageNotFoundError):
        found["torch"] = version("torch")
    return {**found, "machine": f"{platform.system()} {platform.machine()}"}


def _cell(cell: Cell, done: Done, out: Path) -> StudyCell:
    made = from_json(cell.trained / MAKING, Made, newest=1) if cell.spec else None
    folder = Path(cell.folder)
    return StudyCell(
        system=cell.system,
        regime=cell.regime,
        seed=cell.seed,
        digest=cell.digest,
        folder=folder.relative_to(out).as_posix(),
        run=(folder / done.run).relative_to(out).as_posix(),
        pairs=made.data.pairs if made else 0,
        epochs=made.epochs if made else 0,
        accuracy=made.accuracy if made else None,
        seconds=round(done.training + done.asking, 1),
    )


def _table(
    table: TablePlan, plan: StudyPlan, cells: Sequence[tuple[int, Measured]], tests: Iterable[StudyTest]
) -> StudyTable:
    if table.measure == "deviation":
        swapped = {each.regime: round(100 * each.swap) for each in plan.trainings}
        return StudyTable(plan=table, figures=deviation_figures(table, cells, swapped))
    if table.measure == "transfer":
        return StudyTable(plan=table, figures=transfer_figures([each for _, each in cells]))
    own = (test for test in tests if table.tests and is_in(table, test.slice))
    return StudyTable(
        plan=table,
        figures=study_figures(table, [each for _, each in cells]),
        tests=judge_tests(test for test in own if not table.regimes or test.regime in table.regimes),
    )


def _tests(plan: StudyPlan, runs: Sequence[tuple[Task, RunRecord]]) -> Iterable[StudyTest]:
    """Every regime against the baseline of its system, on the seeds that both have."""
    there = {(task.cell.system, task.cell.regime, task.cell.seed): (task, run) for task, run in runs}
    for system in plan.systems:
        for regime in plan.regimes:
            seeds = [
                seed for seed in plan.seeds if {(system, regime, seed), (system, plan.baseline, seed)} <= there.keys()
            ]
            if regime == plan.baseline or not seeds:
                continue
            ours = [there[system, regime, seed][1] for seed in seeds]
            theirs = [there[system, plan.baseline, seed][1] for seed in seeds]
            boards = [_board(suite, ours, theirs) for suite in plan.suites]
            standings = [standing for board in boards if (standing := board.standing())]
            for board in boards:
                yield from study_tests(Pairing(system, regime, plan.baseline), board.tests(), standings)


def _board(suite: str, ours: Sequence[RunRecord], theirs: Sequence[RunRecord]) -> TrainingBoard:
    first = theirs[0]
    assert first.folder is not None
    encoder = Encoder(two_way=first.is_two_way(suite))
    board = TrainingBoard(suite=suite, encoder=encoder, candidates=len(ours))
    files = [answer_file(run.folder, run.models[0], suite) for run in (*ours, *theirs) if run.folder]
    for chunk in joined(suite_of(first.folder, first, suite), files, encoder):
        board.add(chunk.cases, RIGHT[chunk.answers.label, chunk.cases.label])
    return board


def _analyses(plan: StudyPlan, finished: Sequence[tuple[Task, Done]]) -> Iterable[Analysis]:
    """What the baseline's cells got wrong again and again while they were trained."""
    own = [task for task, _ in finished if task.cell.spec and task.cell.regime == plan.baseline]
    for suite in plan.epochs if own else ():
        first = [task for task in own if task.cell.seed == own[0].cell.seed]
        yield analyse_epochs([task.cell.trained for task in first], own[0].suites[suite])
