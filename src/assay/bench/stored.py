"""Stored runs: the record in a folder, and the suites and answers beside it, each checked before it is believed."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.files import digest, from_json
from assay.core.prediction import Prediction
from assay.core.run import RECORD_SCHEMA, ModelAnswers, RunRecord
from assay.core.seal import seal_fits
from assay.core.suite import Suite

WAY_OUT = "Restore it from a copy, or make the run again: answers that are kept are not asked a second time."

RECORD = "record.json"
"""The file of a run that holds its record."""


Run = str | Path | RunRecord
"""A stored run: its folder, a folder of runs of which the newest is meant, or a record that knows its folder."""

TIME = len("20260101-120000")
"""The name of a run begins with the second in which it began; of those in one, the last to end is the newest."""


def run_folder(run: Run) -> Path:
    """Where a run is stored."""
    if isinstance(run, RunRecord):
        if run.folder is None:
            raise UserError(f"The record {run.id} does not know where it is stored.\n  Name its folder instead.")
        return run.folder
    folder = Path(run)
    if not (folder / RECORD).is_file():
        runs = {record.parent: record.stat().st_mtime_ns for record in folder.glob(f"*/{RECORD}")}
        folder = max(runs, key=lambda each: (each.name[:TIME], runs[each]), default=folder)
    return folder


def open_run(run: Run) -> RunRecord:
    """The record of a stored run, if it is as it was stored."""
    folder = run_folder(run)
    if isinstance(run, RunRecord):
        return run
    path = folder / RECORD
    if not path.is_file():
        raise BadInputError(
            f"no run here: it has no {RECORD}", where=str(folder), hint="`assay list runs` shows the stored runs."
        )
    try:
        record = from_json(path, RunRecord, oldest=RECORD_SCHEMA, newest=RECORD_SCHEMA)
    except BadInputError as error:
        raise BadInputError(error.fact, where=error.where, hint=error.hint or WAY_OUT) from error
    if not seal_fits(path.read_bytes(), record.seal):
        raise BadInputError(
            "damaged: it was changed since the run (its seal does not fit)", where=str(path), hint=WAY_OUT
        )
    return record.stored_in(folder)


def suite_of(folder: str | Path, record: RunRecord, name: str) -> Suite:
    """A suite of a stored run, if its cases are those that the models were asked."""
    suite = Suite(Path(folder) / "suites" / name, record.suites[name])
    _must_be(suite.cases_file, suite.manifest.file_digest)
    return suite


def answers_of(folder: str | Path, model: ModelAnswers, suite: str) -> Iterator[Prediction]:
    """A model's answers to a suite of a stored run, if they are those that were measured."""
    stored = model.files[suite]
    path = Path(folder) / stored.file
    _must_be(path, stored.digest)
    return read_answers(path)


def _must_be(path: Path, said: str) -> None:
    """Stop where a file of a run is not the one that its record knows by digest."""
    if not path.is_file():
        raise BadInputError("damaged: this file of the run is missing", where=str(path), hint=WAY_OUT)
    if digest(path) != said:
        raise BadInputError(
            "damaged: it was changed since the run (SHA-256 differs from the record's)", where=str(path), hint=WAY_OUT
        )


def read_answers(path: Path) -> Iterator[Prediction]:
    """The predictions in a file."""
    decode = msgspec.json.Decoder(Prediction).decode
    try:
        file = path.open("rb")
    except OSError as error:
        raise UserError(f"No predictions at {path}: {error.strerror}.") from error
    with file:
        for number, line in enumerate(file, 1):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadInputError(f"not a prediction: {error}", where=f"{path}:{number}") from error
