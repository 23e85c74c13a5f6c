"""The file of answers: its tables, and transactions that reach the disk before they are confirmed."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from assay.core.errors import BadInputError, ExternalError
from assay.core.files import sync_folder

FILE = "answers.sqlite"
"""The file's name, beside the key of the sample."""

SCHEMA = 2
"""The version of the tables."""

WAIT = 30
"""How many seconds to wait for another process that is writing."""

TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    storage TEXT NOT NULL,
    token BLOB UNIQUE,
    at TEXT NOT NULL
);
CREATE TABLE places (
    person INTEGER NOT NULL REFERENCES people,
    place INTEGER NOT NULL,
    key TEXT NOT NULL,
    shown TEXT NOT NULL,
    PRIMARY KEY (person, place),
    UNIQUE (person, key),
    UNIQUE (person, shown)
) WITHOUT ROWID;
CREATE TABLE answers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL REFERENCES people,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    said TEXT NOT NULL,
    done INTEGER NOT NULL,
    undoes INTEGER UNIQUE REFERENCES answers,
    request TEXT NOT NULL,
    at TEXT NOT NULL,
    digest TEXT,
    UNIQUE (person, key, version),
    UNIQUE (person, request)
);
CREATE INDEX answers_in_order ON answers (person, seq);
CREATE TRIGGER answers_stay BEFORE UPDATE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never changed'); END;
CREATE TRIGGER answers_are_kept BEFORE DELETE ON answers BEGIN SELECT RAISE(ABORT, 'answers are never deleted'); END;
"""


class AnswerFile:
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

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent look at the file."""
        with self._transaction("BEGIN") as file:
            yield file

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A change, which is made as a whole or not at all, and is on disk afterwards."""
        with self._transaction("BEGIN IMMEDIATE") as file:
            yield file

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
            hint="pip install --upgrade nli-assay",
        )
    if version == 0:
        for statement in _statements(TABLES):
            file.execute(statement)
    elif version == 1:
        file.execute("ALTER TABLE answers ADD COLUMN digest TEXT")
    file.execute(f"PRAGMA user_version = {SCHEMA}")


def _statements(text: str) -> Iterator[str]:
    """The statements of a script, one by one: `executescript` would end the transaction."""
    statement = ""
    for line in text.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ExternalError(
            f"Can't use {path}: {error}.\n"
            "  If the disk is full, free some space. If the file is damaged, restore it from a copy."
        ) from error
