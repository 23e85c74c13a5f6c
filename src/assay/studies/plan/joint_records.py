"""Several records of one plan as one: systems that were trained at different times or on different machines."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.serialise import read_sealed
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.plan.study_metrics import judge_tests
from assay.studies.plan.study_record import STUDY_SCHEMA, Attempt, StudyRecord, StudyTable


def only_some(what: str, values: Sequence[str] = ()) -> str:
    """Sentence of a record that was run for some systems, conditions or seeds only; without values, its beginning.

    >>> only_some("system", ["esim", "kim"])
    'Only system esim, kim.'
    """
    return f"Only {what} {', '.join(values)}." if values else f"Only {what} "


def digest_result(tables: Sequence[StudyTable], analyses: Sequence[Analysis]) -> str:
    bare = msgspec.json.encode([tables, [each.estimates for each in analyses]], order="deterministic")
    return hashlib.sha256(bare).hexdigest()


def join_records(records: Sequence[StudyRecord]) -> StudyRecord:
    """One record with the systems of all; the tests are corrected again, because there are more of them."""
    first, *others = records
    for other in others:
        _check_fits(first, other)
    if not others:
        return first
    _check_apart(records)
    plan = msgspec.structs.replace(
        first.plan,
        trainings=tuple(
            each
            for record in records
            for each in record.plan.trainings
            if each.name in record.systems  # a record that was run with --only has the whole plan
        ),
        models=tuple(dict.fromkeys(each for record in records for each in record.plan.models)),
    )
    tables = tuple(_join_tables(same) for same in zip(*(record.tables for record in records), strict=True))
    analyses = tuple(each for record in records for each in record.analyses)
    return StudyRecord(
        id=plan.name,
        created=max(record.created for record in records),
        plan=plan,
        trainings=tuple(dict.fromkeys(training for record in records for training in record.trainings)),
        missing=tuple(training for record in records for training in record.missing),
        tables=tables,
        analyses=analyses,
        suites=first.suites,
        reduced=tuple(_join_reductions(records)),
        stands_in=first.stands_in,
        spent=round(sum(record.spent for record in records), 1),
        versions={
            name: ", ".join(dict.fromkeys(record.versions.get(name, "unknown") for record in records))
            for name in first.versions
        },
        result=digest_result(tables, analyses),
    ).sealed()


def _join_tables(same: Sequence[StudyTable]) -> StudyTable:
    figures = {
        (each.system, each.condition, *sorted(each.slice.items())): each for table in same for each in table.figures
    }
    return StudyTable(
        plan=same[0].plan,
        figures=tuple(figures.values()),  # a ready model may be in several records, with the same numbers
        tests=judge_tests(test for table in same for test in table.tests),
    )


def _join_reductions(records: Sequence[StudyRecord]) -> list[str]:
    """Reductions of all records, each with its systems."""
    names = [", ".join(record.systems) for record in records]
    found = [f"Put together from {len(records)} studies: {'; '.join(names)}."]
    for record, systems in zip(records, names, strict=True):
        for line in record.reduced:
            if line.startswith(only_some("system")):
                continue
            if line.startswith(record.systems) or all(line in other.reduced for other in records):
                found.append(line)
            else:
                found.append(f"{systems}: {line[0].lower()}{line[1:]}")
    return list(dict.fromkeys(found))


def _check_fits(first: StudyRecord, other: StudyRecord) -> None:
    for what in ("name", "kind", "corpora", "vectors", "baseline", "conditions", "suites", "epochs", "tables", "tasks"):
        if getattr(first.plan, what) != getattr(other.plan, what):
            raise BadInputError(
                f"{other.id} is not from the same plan as {first.id}: its {what} differ",
                hint="Only studies with the same plan and different systems (--only) can be shown together.",
            )
    if first.suites != other.suites or first.stands_in != other.stands_in:
        raise BadInputError(
            f"{other.id} was not tested on the same cases as {first.id}",
            hint="Run both with the same --data and --sample.",
        )


def _check_apart(records: Sequence[StudyRecord]) -> None:
    found: dict[str, str] = {}
    for record in records:
        for system in record.systems:
            if system in found and system not in record.plan.models:
                raise BadInputError(
                    f"{system} is in both {found[system]} and {record.id}", hint="Leave one of them out."
                )
            found[system] = record.id


RECORD = "study.json"


def open_study(folder: str | Path) -> StudyRecord:
    """The record in a folder, or in a file, if it is unchanged."""
    path = Path(folder)
    path = path / RECORD if path.is_dir() else path
    hint = "Repeat the study: finished training runs are kept."
    return read_sealed(path, StudyRecord, made="the study", hint=hint, oldest=STUDY_SCHEMA, newest=STUDY_SCHEMA)


def open_studies(folders: Sequence[str | Path]) -> StudyRecord:
    """The records in several folders or files as one: they are of one plan and differ in their systems."""
    return join_records([open_study(folder) for folder in folders])


def find_attempts(out: Path, study: str, *, other_than: str) -> Iterator[Attempt]:
    """Other studies of the same plan's name, the newest first."""
    found = []
    for path in out.glob(f"{study}-*/{RECORD}"):
        try:
            record = open_study(path)
        except UserError:
            continue  # a damaged record is not a reason to stop
        is_same = path.parent.name == other_than
        if record.plan.name == study and not (is_same and not record.missing):
            found.append((path, record))
    for path, record in sorted(found, key=lambda each: each[1].created, reverse=True):
        yield Attempt(
            record=path.relative_to(out).as_posix(),
            created=record.created,
            trainings=len(record.trainings),
            missing=len(record.missing),
            reduced=record.reduced,
        )
