"""The file of cached answers: values are checked for damage, and a file that can't be read is replaced by a new one."""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

CHECK = 8
"""How many bytes before a value tie it to its key."""

AT_ONCE = 500
"""How many rows are copied at a time."""

OUTSIDE = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""Errors from around the file: the disk, the system, another program. All others mean that the file is damaged."""

INSERT = "INSERT OR IGNORE INTO kept VALUES (?, ?)"
"""Store a row; an existing one stays as it is."""


class Rebuilt(NamedTuple):
    """What was done about a damaged file."""

    file: sqlite3.Connection
    """A new file, with everything that could be read from the old one."""
    aside: Path
    """Where the damaged one is now."""
    saved: int
    """How many answers could be read."""


def open_file(path: Path) -> sqlite3.Connection:
    """The file, created if it does not exist; what was put into it survives a kill."""
    file = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level=None)
    try:
        file.text_factory = bytes  # a damaged value may look like invalid text
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
    except BaseException:
        file.close()
        raise
    return file


FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""Errors from reading a damaged file; the second occurs when SQLite's error quotes something that is not text."""


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file itself is damaged."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF not in OUTSIDE


def rebuild(path: Path) -> Rebuilt:
    """Set a damaged file aside and start a new one with all of its intact rows."""
    aside = path.with_name(f"{path.name}.damaged")
    for ending in ("", "-wal", "-shm"):  # SQLite finds its side files by name
        target = aside.with_name(f"{aside.name}{ending}")
        target.unlink(missing_ok=True)
        if (part := path.with_name(f"{path.name}{ending}")).exists():
            part.replace(target)
    file = open_file(path)
    for order in ("ASC", "DESC"):  # from both ends up to the damage
        for rows in _readable(aside, order):
            file.execute("BEGIN IMMEDIATE")
            file.executemany(INSERT, rows)
            file.execute("COMMIT")
    ((saved,),) = file.execute("SELECT count(*) FROM kept")
    return Rebuilt(file, aside, saved)


def _readable(path: Path, order: str) -> Iterator[list[tuple[bytes, bytes]]]:
    """The intact rows of a damaged file, as far as it can be read in this order."""
    some: list[tuple[bytes, bytes]] = []
    with closing(sqlite3.connect(path)) as file, suppress(*FAILURES):
        file.text_factory = bytes
        for key, stored in file.execute(f"SELECT key, value FROM kept ORDER BY key {order}"):  # noqa: S608 - one of two words
            if unwrap(key, stored) is not None:
                some.append((key, stored))
            if len(some) == AT_ONCE:
                yield some
                some = []
    yield some


def wrap(rows: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Rows as they are stored: each value after its check."""
    return [(key, _check(key, value) + value) for key, value in rows]


def unwrap(key: Any, stored: Any) -> bytes | None:
    """The value in a stored row; None if the row is damaged.

    >>> ((key, stored),) = wrap([(b"key", b"value")])
    >>> unwrap(key, stored), unwrap(b"kez", stored), unwrap(key, stored[:-1])
    (b'value', None, None)
    """
    if not (isinstance(key, bytes) and isinstance(stored, bytes)):
        return None
    value = stored[CHECK:]
    return value if stored[:CHECK] == _check(key, value) else None


def _check(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=CHECK, key=key).digest()
