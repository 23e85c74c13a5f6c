"""Stored runs: the record in a folder, with the cases and answers, which are checked before they are joined."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.run_record import RECORD_SCHEMA, ModelAnswers, RunRecord
from assay.core.serialise import decode_lines, read_sealed
from assay.evaluate.case_columns import AnswerColumns, AnswerRow, CaseColumns, CaseRow, Encoder, answer_columns
from assay.run.workers.pool import in_batches
from assay.storage.files import digest
from assay.storage.remote import is_address, local, open_address
from assay.storage.suite import Suite

AT_ONCE = 8192  # number of cases that are in memory at once
WAY_OUT = "Restore it from a copy, or repeat the run: cached answers are used again."

RECORD = "record.json"  # the file of a run that holds its record

Run = str | Path | RunRecord
"""A stored run: its folder, a folder of runs (which means the newest), or a record that knows its folder."""

TIME = len("20260101-120000")
"""The name of a run starts with its start time in seconds; of several in one second, the last to end is the newest."""


def run_folder(run: Run) -> Path:
    if isinstance(run, RunRecord):
        if run.folder is None:
            raise UserError(f"The record {run.id} does not know where it is stored.\n  Name its folder instead.")
        return run.folder
    if is_address(run):  # of a run, or of a folder of runs there
        with open_address(str(run)) as there:
            runs_there = [name.rpartition("/")[0] for name in there.files() if name.rpartition("/")[2] == RECORD]
        newest = max((name for name in runs_there if name.count("/") == 0), default="")
        run = f"{str(run).rstrip('/')}/{newest}".rstrip("/")
    folder = local(run)
    if not (folder / RECORD).is_file():
        runs = {record.parent: record.stat().st_mtime_ns for record in folder.glob(f"[!.]*/{RECORD}")}
        folder = max(runs, key=lambda each: (each.name[:TIME], runs[each]), default=folder)
    return folder


def open_run(run: Run) -> RunRecord:
    """The record of a stored run, if it is unchanged."""
    folder = run_folder(run)
    if isinstance(run, RunRecord):
        return run
    path = folder / RECORD
    if not path.is_file():
        raise BadInputError(
            f"not a run: there is no {RECORD}", where=str(folder), hint="`assay list runs` shows the stored runs."
        )
    record = read_sealed(path, RunRecord, made="the run", hint=WAY_OUT, oldest=RECORD_SCHEMA, newest=RECORD_SCHEMA)
    return record.stored_in(folder)


def suite_of(folder: str | Path, record: RunRecord, name: str) -> Suite:
    """A suite of a stored run, after checking that its cases are those that the models were run on."""
    suite = Suite(Path(folder) / "suites" / name, record.suites[name])
    suite.check()
    return suite


def answer_file(folder: str | Path, model: ModelAnswers, suite: str) -> Path:
    """The file of a model's answers to a suite, after checking that they are those that were measured."""
    stored = model.files[suite]
    path = Path(folder) / stored.file
    if not path.exists():
        raise BadInputError("damaged: this file of the run is missing", where=str(path), hint=WAY_OUT)
    if digest(path) != stored.digest:
        raise BadInputError(
            "damaged: it has been changed since the run (SHA-256 differs from the record's)",
            where=str(path),
            hint=WAY_OUT,
        )
    return path


class JoinedAnswers(NamedTuple):
    """A chunk of a suite's cases with models' answers, as columns; it never separates the cases of one source pair."""

    lines: Sequence[bytes]  # the cases, as they are stored
    cases: CaseColumns
    answers: AnswerColumns


class StoredRun:
    """The suites and answers in a run's folder; each case is read once for all models."""

    def __init__(
        self, folder: Path, suites: Mapping[str, Suite], models: Sequence[ModelAnswers], *, at_once: int = AT_ONCE
    ) -> None:
        self.folder = folder
        self.suites = suites
        self.models = models
        self._at_once = at_once

    @classmethod
    def of(cls, folder: str | Path, record: RunRecord) -> "StoredRun":
        suites = {name: suite_of(folder, record, name) for name in record.suites}
        return cls(Path(folder), suites, record.models)

    def joined(self, suite: str, encoder: Encoder, *, share: float = 1) -> Iterator[JoinedAnswers]:
        """The cases of a suite, or of a fraction of its source pairs, with every model's answers."""
        files = [answer_file(self.folder, each, suite) for each in self.models]
        return join_answers(self.suites[suite], files, encoder, at_once=self._at_once, share=share)


def join_answers(
    suite: Suite, answers: Sequence[Path], encoder: Encoder, *, at_once: int = AT_ONCE, share: float = 1
) -> Iterator[JoinedAnswers]:
    """The cases of a suite with the answers in some files, which must be for these cases, in the same order."""
    cases = _decode_batches(suite.lines(), CaseRow, suite.cases_file, "a case", at_once)
    said = [_decode_batches(_read_lines(path), AnswerRow, path, "a prediction", at_once) for path in answers]

    def batches() -> Iterator[list[list[Any]]]:
        for (rows, lines), *given in zip_longest(cases, *said, fillvalue=([], [])):
            for path, (answered, _) in zip(answers, given, strict=True):
                _must_answer(rows, answered, path)
            yield [rows, lines, *(answered for answered, _ in given)]

    for columns in recut(batches(), lambda row: row.root):
        if share < 1:
            kept = [in_share(row.root, share) for row in columns[0]]
            columns = [list(compress(column, kept)) for column in columns]
        rows, lines, *by_model = columns
        if rows:
            yield JoinedAnswers(lines, encoder.cases(rows), answer_columns(by_model))


def in_share(root: str, share: float) -> bool:
    """True if a source pair belongs to the chosen fraction, which depends on its name alone.

    >>> [in_share(root, 0.5) for root in ("p1", "p2", "p3", "p4")]
    [True, False, False, True]
    """
    return crc32(root.encode()) < share * (1 << 32)


def recut(batches: Iterable[Sequence[list[Any]]], key: Callable[[Any], str]) -> Iterator[list[list[Any]]]:
    """Parallel lists, split again so that neighbours with the same key in the first list stay together.

    >>> list(recut([[["a1", "b1"], [1, 2]], [["b2", "c1"], [3, 4]]], key=lambda each: each[0]))
    [[['a1'], [1]], [['b1', 'b2'], [2, 3]], [['c1'], [4]]]
    """
    held: list[list[Any]] = []
    for batch in batches:
        held = [before + new for before, new in zip(held, batch, strict=True)] if held else list(batch)
        keys = held[0]
        end = len(keys)
        while end and key(keys[end - 1]) == key(keys[-1]):
            end -= 1
        if end:
            yield [each[:end] for each in held]
            held = [each[end:] for each in held]
    if held and held[0]:
        yield held


def count_answers(path: Path) -> int:
    """Number of answers a file holds; an error names the first line that is not one."""
    return sum(len(rows) for rows, _ in _decode_batches(_read_lines(path), AnswerRow, path, "a prediction", AT_ONCE))


def _read_lines(path: Path) -> Iterator[bytes]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise UserError(f"No predictions at {path}: {error.strerror}.") from error
    with file:
        yield from file


def _decode_batches(
    lines: Iterable[bytes], kind: type[Any], path: Path, what: str, at_once: int
) -> Iterator[tuple[list[Any], list[bytes]]]:
    """Batches of rows, each decoded together, and their JSON lines; an error names the line."""
    decoder = msgspec.json.Decoder(kind)
    before = 0
    for batch in in_batches(lines, at_once):
        try:
            rows = decoder.decode_lines(b"\n".join(batch))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            rows = []
        if len(rows) != len(batch):  # something is damaged, or a line is empty
            rows = list(decode_lines(batch, kind, path, what, first=before + 1))
        yield rows, batch
        before += len(batch)


def _must_answer(cases: Sequence[CaseRow], answers: Sequence[AnswerRow], path: Path) -> None:
    asked, answered = [case.id for case in cases], [answer.id for answer in answers]
    if asked == answered:
        return
    for case, answer in zip(asked, answered, strict=False):
        if case != answer:
            raise BadInputError(f"answers {answer!r}, but the suite has {case!r}", where=str(path))
    raise BadInputError("does not have as many answers as the suite has cases", where=str(path))
