"""One record from all training runs: tables, tests between conditions, and notes on missing or reduced parts."""

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.label_space import TWO_LABELS
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Encoder
from assay.evaluate.trainings import TrainingBoard
from assay.models.systems.system_card import MAKING
from assay.run.measure import measure
from assay.run.stored_run import StoredRun, answer_file, join_answers, open_run, suite_of
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.analyses.directions import analyse_directions
from assay.studies.analyses.epochs import analyse_epochs
from assay.studies.plan.joint_records import digest_result, only_some
from assay.studies.plan.plan_options import chosen_for
from assay.studies.plan.study_data import StudyData
from assay.studies.plan.study_metrics import (
    RANKED,
    RANKING,
    TrainingRunMetrics,
    deviation_figures,
    is_in,
    judge_tests,
    study_figures,
    study_tests,
    transfer_figures,
)
from assay.studies.plan.study_plan import OF_ERRORS, StudyPlan, TablePlan, TrainingPlan
from assay.studies.plan.study_record import FailedTraining, FinishedTraining, StudyRecord, StudyTable, StudyTest
from assay.studies.plan.training_runs import TrainingRun
from assay.studies.plan.training_worker import Done, WorkTask, read_figures
from assay.training.train_system import TrainingProvenance
from assay.version import __version__


def assemble_record(
    plan: StudyPlan,
    name: str,
    finished: Sequence[tuple[WorkTask, Done]],
    missing: Sequence[FailedTraining],
    *,
    out: Path,
    reduced: Iterable[str],
    stands_in: bool,
) -> StudyRecord:
    """The record of a study, without earlier attempts and the forecast, which only the command knows."""
    asked = [(task, each) for task, each in finished if task.tasks is None]
    runs = [(task, open_run(Path(task.training.folder) / each.run)) for task, each in asked]
    measured = [
        (task.training.seed, TrainingRunMetrics(task.training.system, task.training.condition, figures))
        for task, each in finished
        for figures in [[*read_figures(task, each), *_further_figures(plan, task, each)]]
    ]
    tests = list(_compare_conditions(plan, runs))
    tables = tuple(_make_table(each, plan, measured, tests) for each in plan.tables)
    analyses = tuple(_analyse_baseline(plan, finished))
    return StudyRecord(
        id=name,
        created=datetime.now(UTC).replace(microsecond=0).isoformat(),
        plan=plan,
        trainings=tuple(_finished_training(task.training, each, out) for task, each in finished),
        missing=tuple(missing),
        tables=tables,
        analyses=analyses,
        suites={name: manifest.cases for name, manifest in runs[0][1].suites.items()} if runs else {},
        reduced=tuple(dict.fromkeys(reduced)),
        stands_in=stands_in,
        spent=round(sum(each.training + each.asking for _, each in finished), 1),
        versions=_collect_versions(),
        result=digest_result(tables, analyses),
    )


def _further_figures(plan: StudyPlan, task: WorkTask, done: Done) -> Iterator[Estimate]:
    """The numbers that tables need beyond the estimates of a run."""
    folder = Path(task.training.folder) / done.run
    if any(table.measure in OF_ERRORS for table in plan.tables):
        with suppress(UserError):  # suites with two labels have no directions
            yield from analyse_directions(folder).estimates
    ranked = [suite for table in plan.tables if table.measure == RANKING for suite in table.suites or plan.suites]
    if ranked:
        stored = StoredRun.of(folder, open_run(folder))
        for suite in dict.fromkeys(ranked):
            found = measure(stored, suite, TWO_LABELS).estimates
            yield from (msgspec.structs.replace(each, name=RANKED) for each in found if each.name == RANKING)


def _collect_versions() -> dict[str, str]:
    """Versions that affect numbers: a training run differs by some points between machines and versions of PyTorch."""
    found = {"assay": __version__, "python": platform.python_version(), "numpy": numpy.__version__}
    with suppress(PackageNotFoundError):
        found["torch"] = version("torch")
    return {**found, "machine": f"{platform.system()} {platform.machine()}"}


def _finished_training(training: TrainingRun, done: Done, out: Path) -> FinishedTraining:
    made = from_json(training.trained / MAKING, TrainingProvenance, newest=1) if training.spec else None
    folder = Path(training.folder)
    return FinishedTraining(
        system=training.system,
        condition=training.condition,
        seed=training.seed,
        digest=training.digest,
        folder=folder.relative_to(out).as_posix(),
        run=(folder / done.run).relative_to(out).as_posix(),
        pairs=made.data.pairs if made else 0,
        epochs=made.epochs if made else 0,
        accuracy=made.accuracy if made else None,
        seconds=round(done.training + done.asking, 1),
    )


def _make_table(
    table: TablePlan, plan: StudyPlan, trainings: Sequence[tuple[int, TrainingRunMetrics]], tests: Iterable[StudyTest]
) -> StudyTable:
    if table.measure == "deviation":
        swapped = {each.condition: round(100 * each.swap) for each in plan.trainings}
        return StudyTable(plan=table, figures=deviation_figures(table, trainings, swapped))
    if table.measure == "transfer":
        return StudyTable(plan=table, figures=transfer_figures([each for _, each in trainings]))
    own = (test for test in tests if table.tests and table.measure == "accuracy" and is_in(table, test.slice))
    return StudyTable(
        plan=table,
        figures=study_figures(table, [each for _, each in trainings]),
        tests=judge_tests(test for test in own if not table.conditions or test.condition in table.conditions),
    )


def _compare_conditions(plan: StudyPlan, runs: Sequence[tuple[WorkTask, RunRecord]]) -> Iterable[StudyTest]:
    """Every condition against the baseline of its system, on the seeds that both have."""
    there = {(task.training.system, task.training.condition, task.training.seed): (task, run) for task, run in runs}
    for system in plan.systems:
        for condition in plan.conditions:
            seeds = [
                seed
                for seed in plan.seeds
                if {(system, condition, seed), (system, plan.baseline, seed)} <= there.keys()
            ]
            if condition == plan.baseline or not seeds:
                continue
            ours = [there[system, condition, seed][1] for seed in seeds]
            theirs = [there[system, plan.baseline, seed][1] for seed in seeds]
            boards = [_fill_board(suite, ours, theirs) for suite in plan.suites]
            standings = [standing for board in boards if (standing := board.standing())]
            for board in boards:
                yield from study_tests((system, condition, plan.baseline), board.tests(), standings)


def _fill_board(suite: str, ours: Sequence[RunRecord], theirs: Sequence[RunRecord]) -> TrainingBoard:
    first = theirs[0]
    assert first.folder is not None
    encoder = Encoder(first.label_space)
    board = TrainingBoard(suite=suite, encoder=encoder, candidates=len(ours))
    files = [answer_file(run.folder, run.models[0], suite) for run in (*ours, *theirs) if run.folder]
    for chunk in join_answers(suite_of(first.folder, first, suite), files, encoder):
        board.add(chunk.cases, RIGHT[chunk.answers.label, chunk.cases.label])
    return board


def _analyse_baseline(plan: StudyPlan, finished: Sequence[tuple[WorkTask, Done]]) -> Iterable[Analysis]:
    """The analysis of epochs for the training runs of the baseline."""
    own = [task for task, _ in finished if task.training.spec and task.training.condition == plan.baseline]
    for suite in plan.epochs if own else ():
        first = [task for task in own if task.training.seed == own[0].training.seed]
        yield analyse_epochs([task.training.trained for task in first], own[0].suites[suite])


def list_reductions(plan: StudyPlan, only: Mapping[str, Sequence[str]], data: StudyData) -> Iterator[str]:
    """Sentences on how a study is smaller than the papers or the plan; some may be repeated."""
    if data.folder is None:
        yield (
            "The bundled corpus stands in for all data: this shows how the study works, not what the papers measured."
        )
    for name, values in only.items():
        yield only_some(name, values)
    wanted = [each for each in plan.trainings if each.name in only.get("system", (each.name,))]
    yield from _changed_settings(wanted)
    if plan.vectors and wanted and data.folder is not None:
        yield f"Word vectors: {Path(plan.vectors).name}."
    for name in dict.fromkeys(name for each in wanted for name in each.sources):
        if (drawn := data.sample(name)) is not None:
            yield f"{drawn:,} training pairs of the {data.size(name):,} in {name}, the same for all seeds."
    for each in wanted:
        there = sum(data.training_size(name) for name in each.sources)
        if each.sample is not None and each.sample < there:
            yield f"{each.sample:,} training pairs of the {there:,} in {' and '.join(each.sources)}."
        if each.sample is None and (most := each.each) is not None:
            own = [name for name in each.sources if most < data.training_size(name)]
            yield from (f"{most:,} training pairs of the {data.training_size(name):,} in {name}." for name in own)
        if each.redraw is not None and each.redraw < 1:
            yield f"Each epoch draws {100 * each.redraw:g}% of the training pairs."
    yield from list_replacements(wanted)
    for name, suite in plan.suites.items():
        if suite.source and suite.sample is not None and suite.sample < data.size(suite.source):
            yield f"Suite {name}: {suite.sample:,} of {data.size(suite.source):,} pairs."


def list_replacements(trainings: Sequence[TrainingPlan]) -> Iterator[str]:
    if any(each.augment and each.augment.share and each.sample is not None for each in trainings):
        yield "Pairs that a condition adds replace others, so all conditions have the same number of training pairs."
    if any(len(each.sources) > 1 and each.sample is not None for each in trainings):
        yield "Several corpora contribute equal parts of the training pairs, not all of their pairs."


def _changed_settings(trainings: Sequence[TrainingPlan]) -> Iterator[str]:
    """Every setting in which the first condition of a system differs from the system's paper."""
    first = {each.name: each for each in reversed(trainings)}
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(each.name for each in trainings):
        if said := ", ".join(list_differences(first[name])):
            alike.setdefault(f"preset {first[name].preset}: {said}", []).append(name)
    for how, names in alike.items():
        yield f"{', '.join(names)}, {how}."


def list_differences(training: TrainingPlan) -> Iterator[str]:
    """Every setting of a training that differs from the preset of the system's paper, by name.

    >>> esim = TrainingPlan(name="esim", condition="plain", system="esim/v1", sources=("train",), dev="dev")
    >>> [each for each in list_differences(esim) if each.startswith(("dropout", "rate"))]
    ['dropout 0.2 instead of 0.5', 'rate 0.001 instead of 0.0004']
    """
    paper = TrainingPlan(name="", condition="", system=training.system, sources=(), dev="", preset="paper")
    ours, theirs = (chosen_for(each) for each in (training, paper))
    for one, other in ((ours.config, theirs.config), (ours.plan, theirs.plan)):
        for field in msgspec.structs.fields(one):
            used, published = getattr(one, field.name), getattr(other, field.name)
            if used != published:
                yield f"{field.name.replace('_', '-')} {_format_setting(used)} instead of {_format_setting(published)}"


def _format_setting(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(map(str, value))
    return {True: "on", False: "off", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)
