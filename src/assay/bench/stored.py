"""Stored runs: the record in a folder, and the answers beside it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.files import from_json
from assay.core.prediction import Prediction
from assay.core.run import RECORD_SCHEMA, RunRecord


def open_run(folder: str | Path) -> RunRecord:
    """The record of a stored run."""
    folder = Path(folder)
    if not (folder / "record.json").is_file():
        raise BadInputError(
            "no run here: it has no record.json", where=str(folder), hint="`assay list runs` shows the stored runs."
        )
    return from_json(folder / "record.json", RunRecord, oldest=RECORD_SCHEMA, newest=RECORD_SCHEMA)


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
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BadInputError(f"not a prediction: {error}", where=f"{path}:{number}") from error
