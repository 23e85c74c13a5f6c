"""Records of one plan, run for different systems, shown as one."""

import msgspec
import pytest

from assay.core.comparison import Band
from assay.core.errors import BadInputError
from assay.studies.plan.joint_records import join_records
from assay.studies.plan.study_plan import StudyPlan, SuitePlan, TablePlan, TrainingPlan
from assay.studies.plan.study_record import FinishedTraining, StudyFigure, StudyRecord, StudyTable, StudyTest


def record(system: str, p: float, **changes: object) -> StudyRecord:
    """A study of one system under two conditions with four seeds."""
    trainings = tuple(
        TrainingPlan(name=system, condition=condition, system=f"{system}/v1", sources=("train",), dev="dev")
        for condition in ("0 %", "50 %")
    )
    table = TablePlan(title="By family")
    plan = StudyPlan(
        name="mine",
        title="Mine",
        trainings=trainings,
        baseline="0 %",
        seeds=(0, 1, 2, 3),
        suites={"test": SuitePlan(source="test", families=("original",))},
        tables=(table,),
    )
    where = {"suite": "test", "family": "original"}
    band = Band(n=4, mean=0.5, low=0.4, high=0.6, deviation=0.1)
    figures = [StudyFigure(system=system, condition=each.condition, slice=where, band=band, n=40) for each in trainings]
    test = StudyTest(
        system=system,
        condition="50 %",
        baseline="0 %",
        slice=where,
        n=40,
        seeds=4,
        difference=0.1,
        low=0.01,
        high=0.2,
        p=p,
        adjusted=p,
        exchange=0.029,
        verdict="better",
    )
    whole = StudyRecord(
        id=f"mine-{system}",
        created=f"2026-01-0{len(system)}",
        plan=plan,
        trainings=(FinishedTraining(system=system, condition="0 %", seed=0, digest=system, folder="a", run="b"),),
        tables=(StudyTable(plan=table, figures=tuple(figures), tests=(test,)),),
        suites={"test": 40},
        reduced=(f"Only system {system}.", "20 training pairs."),
        spent=2.0,
        versions={"assay": "1"},
    )
    return msgspec.structs.replace(whole, **changes)


def test_all_systems_are_there_and_tests_are_corrected_for_all_of_them() -> None:
    made = join_records([record("cbow", 0.03), record("esim", 0.04)])
    (table,) = made.tables
    assert made.plan.systems == ("cbow", "esim")
    assert [each.system for each in table.figures] == ["cbow", "cbow", "esim", "esim"]
    assert [(test.adjusted, test.verdict) for test in table.tests] == [
        (0.06, "not significant"),
        (0.06, "not significant"),
    ]
    assert [training.system for training in made.trainings] == ["cbow", "esim"]
    assert made.spent == 4.0
    assert made.reduced == ("Put together from 2 studies: cbow; esim.", "20 training pairs.")
    assert made.seal != record("cbow", 0.03).seal


def test_a_part_of_a_plan_counts_as_the_systems_that_were_run() -> None:
    parts = [record("cbow", 0.03), record("esim", 0.04)]
    everything = tuple(training for part in parts for training in part.plan.trainings)
    whole = msgspec.structs.replace(parts[0].plan, trainings=everything, seeds=(0,))
    reduced = ("Only system esim.", "Only seed 0.", "esim, preset laptop: 100 states.")
    made = join_records(
        [
            msgspec.structs.replace(parts[0], plan=whole),
            msgspec.structs.replace(parts[1], plan=whole, reduced=reduced),
        ]
    )
    assert made.plan.trainings == everything
    assert made.reduced == (
        "Put together from 2 studies: cbow; esim.",
        "cbow: 20 training pairs.",
        "esim: only seed 0.",
        "esim, preset laptop: 100 states.",
    )


def test_one_record_stays_as_it_is() -> None:
    assert join_records([record("cbow", 0.03)]) == record("cbow", 0.03)


def test_a_system_is_not_counted_twice() -> None:
    with pytest.raises(BadInputError, match="cbow is in both mine-cbow and mine-cbow"):
        join_records([record("cbow", 0.03), record("cbow", 0.03)])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"suites": {"test": 41}}, "not tested on the same cases"),
        ({"stands_in": True}, "not tested on the same cases"),
        ({"plan": StudyPlan(name="another", title="Another")}, "not from the same plan as mine-cbow: its name differ"),
    ],
)
def test_studies_that_do_not_belong_together_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        join_records([record("cbow", 0.03), record("esim", 0.04, **changes)])
