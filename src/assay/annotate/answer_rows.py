"""The file of annotators' answers: its tables, its rows, and transactions that reach the disk."""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from assay.annotate.layouts import SheetStorage
from assay.core.errors import BadInputError, ExternalError, UserError
from assay.storage.files import sync_folder

FILE = "answers.sqlite"  # the file's name, beside the key of the sample
SCHEMA = 2
WAIT = 30  # number of seconds to wait for another process that is writing


class AnswerDatabase:
    """One connection, shared by threads, one at a time; other processes may have their own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        is_new = not path.exists()
        with _explained(path):
            self._file = sqlite3.connect(path, timeout=WAIT, check_same_thread=False, isolation_level=None)
        try:
            with _explained(path):
                self._file.execute("PRAGMA journal_mode = WAL")
                self._file.execute("PRAGMA synchronous = FULL")  # an answer is on disk before it is acknowledged
                self._file.execute("PRAGMA foreign_keys = ON")
            with self.writing() as file:
                _create(file, path)
        except BaseException:
            self._file.close()
            raise
        if is_new:
            sync_folder(path.parent)

    def close(self) -> None:
        """Close the connection; everything is on disk already."""
        with self._lock:
            self._file.close()

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._transaction("BEGIN")

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A transaction that writes: it is on disk afterwards, as a whole or not at all."""
        return self._transaction("BEGIN IMMEDIATE")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, _explained(self.path):
            self._file.execute(begin)
            try:
                yield self._file
                self._file.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # the original error is what matters
                    self._file.execute("ROLLBACK")
                raise


def _create(file: sqlite3.Connection, path: Path) -> None:
    ((version,),) = file.execute("PRAGMA user_version")
    if version > SCHEMA:
        raise BadInputError(
            f"written by a newer Assay (schema {version}; this version reads up to {SCHEMA})",
            where=str(path),
            hint="Use a newer version of Assay.",
        )
    if version == 0:
        tables = (files("assay.annotate") / "answers.sql").read_text("utf-8")
        for statement in tables.split(";\n"):  # `executescript` would end the transaction
            file.execute(statement)
    elif version == 1:
        file.execute("ALTER TABLE answers ADD COLUMN digest TEXT")
    file.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ExternalError(
            f"Can't use {path}: {error}.\n"
            "  If the disk is full, free some space. If the file is damaged, restore it from a copy."
        ) from error


COLUMNS = "seq, person, key, version, said, done, undoes, request, at, digest"  # the stored columns of a change
Row = tuple[int, int, str, int, str, int, int | None, str, str, str | None]
LONGEST_REQUEST = 100  # largest number of characters the name of a request may have


class Annotator(NamedTuple):
    id: int
    name: str  # their name, which is also the name of their file
    storage: SheetStorage


class CasePosition(NamedTuple):
    """A case in a person's own order."""

    place: int
    key: str  # the case, as the sample calls it
    shown: str  # the case, as this person knows it


class AnswerState(NamedTuple):
    key: str  # the case, as the sample calls it
    version: int = 0
    said: Mapping[str, str] = {}
    done: bool = False  # True if all questions that need an answer have one
    seq: int = 0  # the number of the change among all changes to the sample
    at: str = ""


def add_person(
    file: sqlite3.Connection, name: str, storage: SheetStorage, order: Sequence[tuple[str, str]]
) -> Annotator:
    """Add a person with their order of the cases, each with its key and the name that the person sees."""
    row = file.execute("INSERT INTO people (name, storage, at) VALUES (?, ?, ?)", (name, storage, _now("")))
    number = row.lastrowid or 0
    file.executemany(
        "INSERT INTO places VALUES (?, ?, ?, ?)",
        [(number, place, key, shown) for place, (key, shown) in enumerate(order)],
    )
    return Annotator(number, name, storage)


def state_of(file: sqlite3.Connection, person: Annotator, key: str) -> AnswerState:
    newest = _first(file, "person = ? AND key = ? ORDER BY version DESC LIMIT 1", (person.id, key))
    return newest or AnswerState(key)


def states_of(file: sqlite3.Connection, person: Annotator) -> dict[str, AnswerState]:
    """A person's current answers to all cases that they have touched, by key."""
    newest = "version = (SELECT max(version) FROM answers WHERE person = a.person AND key = a.key)"
    rows = _rows(file, f"person = ? AND {newest}", (person.id,))
    return {state.key: state for state in map(_state, rows)}


def said_before(file: sqlite3.Connection, person: Annotator, state: AnswerState) -> dict[str, str]:
    """A person's answer to a case before a change."""
    found = _first(file, "person = ? AND key = ? AND version = ?", (person.id, state.key, state.version - 1))
    return dict(found.said) if found else {}


def made_by(file: sqlite3.Connection, person: Annotator, request: str) -> AnswerState | None:
    """The change that a request has made; None if the request is new."""
    if not 0 < len(request) <= LONGEST_REQUEST:
        raise UserError(f"A request needs a name of 1 to {LONGEST_REQUEST} characters.")
    return _first(file, "person = ? AND request = ?", (person.id, request))


def newest_change(file: sqlite3.Connection, person: Annotator) -> AnswerState | None:
    """The newest change that can be undone: neither undone yet, nor read from a file."""
    change = "undoes IS NULL AND request NOT LIKE 'file:%'"
    stands = "NOT EXISTS (SELECT 1 FROM answers WHERE undoes = a.seq)"
    return _first(file, f"person = ? AND {change} AND {stands} ORDER BY seq DESC LIMIT 1", (person.id,))


def append(
    file: sqlite3.Connection, person: Annotator, new: AnswerState, *, request: str, undoes: int | None = None
) -> AnswerState:
    """Add a change; its number and time are given here."""
    last = file.execute("SELECT at FROM answers ORDER BY seq DESC LIMIT 1").fetchone()
    at = _now(last[0] if last else "")
    content = (
        person.id,
        new.key,
        new.version,
        json.dumps(dict(new.said), ensure_ascii=False),
        int(new.done),
        undoes,
        request,
        at,
    )
    row = file.execute(
        f"INSERT INTO answers ({COLUMNS.removeprefix('seq, ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own
        (*content, _digest(content)),
    )
    return new._replace(seq=row.lastrowid or 0, at=at)


def _digest(content: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def is_intact(row: Row) -> bool:
    """True if a change is as it was stored. Changes stored by an older version have no digest."""
    _seq, *content, stored = row
    return stored is None or stored == _digest(tuple(content))


def _rows(file: sqlite3.Connection, where: str, given: tuple[object, ...]) -> sqlite3.Cursor:
    return file.execute(f"SELECT {COLUMNS} FROM answers AS a WHERE {where}", given)  # noqa: S608 - our own words


def _first(file: sqlite3.Connection, where: str, given: tuple[object, ...]) -> AnswerState | None:
    row = _rows(file, where, given).fetchone()
    return _state(row) if row else None


def _state(row: Row) -> AnswerState:
    seq, _person, key, version, said, done, _undoes, _request, at, _stored = row
    if not is_intact(row):
        raise sqlite3.DatabaseError(f"change {seq} is not as it was stored")
    return AnswerState(key, version, json.loads(said), bool(done), seq, at)


def _now(last: str) -> str:
    """The current time, or the last one if the clock was set back."""
    return max(datetime.now(UTC).isoformat(timespec="microseconds"), last)
