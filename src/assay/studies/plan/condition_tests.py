"""A system trained in two ways: the tests of a study, with verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from assay.evaluate.trainings import Standing, TrainingsTest, adjust, is_at_chance, judge_trainings
from assay.studies.plan.study_record import StudyTest


class Pairing(NamedTuple):
    """Two conditions of a system."""

    system: str
    condition: str
    """The condition that is judged."""
    baseline: str
    """The condition that it is compared with."""


def study_tests(pairing: Pairing, tests: Iterable[TrainingsTest], standings: Sequence[Standing]) -> Iterator[StudyTest]:
    """Every slice, without a verdict."""
    for test in tests:
        yield StudyTest(
            system=pairing.system,
            condition=pairing.condition,
            baseline=pairing.baseline,
            slice=test.slice,
            n=test.n,
            seeds=test.trainings,
            difference=test.difference.value,
            low=test.difference.low,
            high=test.difference.high,
            p=test.p,
            exchange=test.exchange,
            at_chance=is_at_chance(test.slice, standings),
        )


def judge_tests(tests: Iterable[StudyTest]) -> tuple[StudyTest, ...]:
    """The tests of a table with their verdicts, corrected for all of them."""
    rows = list(tests)
    adjusted = adjust([(row.p, row.exchange) for row in rows])
    return tuple(
        msgspec.structs.replace(
            row, adjusted=p, verdict=judge_trainings(row.difference, p, row.seeds, at_chance=row.at_chance)
        )
        for row, p in zip(rows, adjusted, strict=True)
    )
