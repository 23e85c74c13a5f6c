"""Answers that are kept: by model and text, in a file that survives being killed at any moment."""

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from assay.core.errors import ExternalError

LAYOUT = "answers-1"
"""The folder of the kept answers; a change of their shape gets a new name."""

AT_ONCE = 500
"""Keys in one question to the file."""


def home() -> Path:
    """Where answers are kept: $ASSAY_ANSWERS, or the user's cache."""
    if own := os.environ.get("ASSAY_ANSWERS"):
        return Path(own) / LAYOUT
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


class Store:
    """Bytes by key. What was put is there for good when `put` returns, all of it or nothing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "kept.sqlite") as store:
    ...     store.put([(b"a", b"1"), (b"b", b"2")])
    ...     store.get([b"b", b"c"])
    {b'b': b'2'}
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()  # reading ahead and putting are done by two threads
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("PRAGMA temp_store = FILE")  # what was met in this run stays out of memory
            self._file.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
            self._file.execute("CREATE TEMP TABLE met (key BLOB PRIMARY KEY) WITHOUT ROWID")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def first_time(self, keys: Iterable[bytes]) -> list[bool]:
        """Whether each key is met for the first time since the store was opened."""
        with self._lock, self._errors(), self._transaction("BEGIN"):
            insert = "INSERT OR IGNORE INTO met VALUES (?)"
            return [self._file.execute(insert, (key,)).rowcount == 1 for key in keys]

    def forget_met(self) -> None:
        """Meet every key for the first time again."""
        with self._lock, self._errors():
            self._file.execute("DELETE FROM met")

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept of these."""
        return {key: value for key, value in self._select("key, value", keys)}  # noqa: C416 - its rows are of any length

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Which of these are kept."""
        return {key for (key,) in self._select("key", keys)}

    def put(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep these; what is there already stays as it is."""
        with self._lock, self._errors(), self._transaction("BEGIN IMMEDIATE"):
            self._file.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", rows)

    def _select(self, columns: str, keys: Sequence[bytes]) -> Iterator[tuple[bytes, ...]]:
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            with self._lock, self._errors():
                rows = self._file.execute(f"SELECT {columns} FROM kept WHERE key IN ({marks})", some).fetchall()  # noqa: S608
            yield from rows

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._file.execute(begin)
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ExternalError(
                f"Can't keep answers in {self.path}: {error}.\n"
                "  Free some space, or delete that file if it is damaged; then give the same command again. "
                "--no-cache keeps answers beside the run only."
            ) from error
