"""Stored runs: the record in a folder, and the answers beside it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.files import from_json
from assay.core.prediction import Prediction
from assay.core.run import RECORD_SCHEMA, RunRecord

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
    """The record of a stored run."""
    folder = run_folder(run)
    if isinstance(run, RunRecord):
        return run
    if not (folder / RECORD).is_file():
        raise BadInputError(
            f"no run here: it has no {RECORD}", where=str(folder), hint="`assay list runs` shows the stored runs."
        )
    return from_json(folder / RECORD, RunRecord, oldest=RECORD_SCHEMA, newest=RECORD_SCHEMA).stored_in(folder)


def read_answers(path: Path) -> Iterator[Prediction]:
    """The predictions of a stored run."""
    decode = msgspec.json.Decoder(Prediction).decode
    try:
        file = path.open("rb")
    except OSError as error:
        raise UserError(f"No predictions at {path}: {error.strerror}.") from error
    with file:
        for number, line in enumerate(file, 1):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInputError(f"not a prediction: {error}", where=f"{path}:{number}") from error
