"""Stored records of studies."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.core.errors import UserError
from assay.core.guard.seal import read_sealed
from assay.core.study.record import STUDY_SCHEMA, Attempt, StudyRecord
from assay.evaluate.study.together import together

RECORD = "study.json"
"""The file of a study's record."""


def open_study(folder: str | Path) -> StudyRecord:
    """The record in a folder, or in a file, if it is unchanged."""
    path = Path(folder)
    path = path / RECORD if path.is_dir() else path
    hint = "Repeat the study: finished cells are kept."
    return read_sealed(path, StudyRecord, made="the study", hint=hint, oldest=STUDY_SCHEMA, newest=STUDY_SCHEMA)


def open_studies(folders: Sequence[str | Path]) -> StudyRecord:
    """The records in several folders or files as one: they are of one plan and differ in their systems."""
    return together([open_study(folder) for folder in folders])


def attempts_in(out: Path, study: str, *, other_than: str) -> Iterator[Attempt]:
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
            cells=len(record.cells),
            missing=len(record.missing),
            reduced=record.reduced,
        )
