"""The cache of answers: by model and text, in a file that is checked and survives a kill at any moment."""

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.core.errors import ExternalError
from assay.core.registry import option
from assay.storage.folders import cache_folder

CHECK = 8  # number of bytes before a value that tie it to its key


_AROUND = "AUTH BUSY CANTOPEN FULL INTERRUPT IOERR LOCKED NOMEM PERM PROTOCOL READONLY"
OUTSIDE = frozenset(getattr(sqlite3, f"SQLITE_{name}") for name in _AROUND.split())
"""Errors from around the file: the disk, the system, another program. All others mean that the file is damaged."""

INSERT = "INSERT OR IGNORE INTO kept VALUES (?, ?)"  # store a row; an existing one stays as it is


def open_file(path: Path) -> sqlite3.Connection:
    """The file, created if it does not exist; what was put into it survives a kill."""
    file = sqlite3.connect(path, timeout=60, check_same_thread=False, isolation_level="IMMEDIATE")
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
    """True if an error says that the file itself is damaged."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF not in OUTSIDE


def rebuild(path: Path) -> tuple[sqlite3.Connection, Path, int]:
    """Set a damaged file aside and start a new one with all of its intact rows; the last number says how many."""
    aside = path.with_name(f"{path.name}.damaged")
    for ending in ("", "-wal", "-shm"):  # SQLite finds its side files by name
        target = aside.with_name(f"{aside.name}{ending}")
        target.unlink(missing_ok=True)
        if (part := path.with_name(f"{path.name}{ending}")).exists():
            part.replace(target)
    file = open_file(path)
    for order in ("ASC", "DESC"):  # from both ends up to the damage
        for rows in _read_intact(aside, order):
            with file:
                file.executemany(INSERT, rows)
    ((saved,),) = file.execute("SELECT count(*) FROM kept")
    return file, aside, saved


def _read_intact(path: Path, order: str) -> Iterator[list[tuple[bytes, bytes]]]:
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
    return [(key, _checksum(key, value) + value) for key, value in rows]


def unwrap(key: Any, stored: Any) -> bytes | None:
    """The value in a stored row; None if the row is damaged.

    >>> ((key, stored),) = wrap([(b"key", b"value")])
    >>> unwrap(key, stored), unwrap(b"kez", stored), unwrap(key, stored[:-1])
    (b'value', None, None)
    """
    if not (isinstance(key, bytes) and isinstance(stored, bytes)):
        return None
    value = stored[CHECK:]
    return value if stored[:CHECK] == _checksum(key, value) else None


def _checksum(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(value, digest_size=CHECK, key=key).digest()


T = TypeVar("T")

ANSWERS = "answers-2"
"""The name of the cached answers, as a folder in the user's cache and as a file next to a run. A new format gets a new
name, so that no version reads another's."""

AT_ONCE = 500  # number of keys in one query


def cached_answers_path(identity: str, folder: Path, *, cache: bool) -> Path:
    """The file of cached answers: that of the model, or of the run if it is unknown what decides the answers."""
    if cache and identity:
        return cache_folder(ANSWERS) / f"{identity[:32]}.sqlite"
    return folder / "kept.parts" / f"{ANSWERS}.sqlite"


class AnswersLostError(ExternalError):
    """Cached answers are gone, because their file was damaged or changed while it was in use."""


class AnswerCache:
    """Bytes by key. When `put` returns, everything that was put is stored for good; otherwise nothing is.

    A damaged value counts as missing. A file that can't be read is set aside, and a new one is started with what is
    left of it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, AnswerCache(Path(folder) / "kept.sqlite") as store:
    ...     store.put([(b"a", b"1"), (b"b", b"2")])
    ...     store.get([b"b", b"c"])
    {b'b': b'2'}
    """

    def __init__(self, path: Path, *, tell: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self.tell = tell  # called with notes about the file for the user
        self.damaged: set[bytes] = set()  # keys whose values were damaged and deleted
        self.added = 0  # number of rows that were put since the cache was opened
        self._lock = threading.Lock()  # reading ahead and putting are done by two threads
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._file = open_file(path)
            except FAILURES as error:
                if not is_damage(error):
                    raise
                self._rebuild()
            # The keys seen in this run are kept out of memory, in an unnamed file that is useless after a failure.
            self._met = sqlite3.connect("", check_same_thread=False)
            self._met.execute("PRAGMA journal_mode = OFF")
            self._met.execute("CREATE TABLE met (key BLOB PRIMARY KEY) WITHOUT ROWID")

    def __enter__(self) -> "AnswerCache":
        return self

    def __exit__(self, *_: object) -> None:
        self._met.close()
        self._file.close()

    def first_time(self, keys: Iterable[bytes]) -> list[bool]:
        """True if each key is seen for the first time since the store was opened."""
        with self._lock, self._errors(), self._met:
            insert = "INSERT OR IGNORE INTO met VALUES (?)"
            return [self._met.execute(insert, (key,)).rowcount == 1 for key in keys]

    def forget_met(self) -> None:
        """Forget which keys were seen."""
        with self._lock, self._errors(), self._met:
            self._met.execute("DELETE FROM met")

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The intact values of those keys that are stored."""
        return dict(self._intact(keys))

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Those of these keys that are stored with intact values."""
        return {key for key, _ in self._intact(keys)}

    def recall(self, keys: Sequence[bytes]) -> list[bytes]:
        """The values of keys that were all stored, in order."""
        kept = self.get(keys)
        if lost := {*keys} - kept.keys():
            raise AnswersLostError(
                f"{len(lost):,} answers that were stored in {self.path} are gone.\n"
                f"  Run the same again: only they are computed. "
                f"{option('cache', False)} stores answers with the run only."
            )
        return [kept[key] for key in keys]

    def put(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Store these; existing values stay as they are."""
        wrapped = wrap(rows)
        self.added += len(wrapped)
        self._use(lambda file: file.executemany(INSERT, wrapped))

    def begin_anew(self) -> None:
        """Start a new file with the readable rows of this one, and forget which keys were seen."""
        with self._lock, self._errors(), self._met:
            self._rebuild()
            self._met.execute("DELETE FROM met")

    def _intact(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        for start in range(0, len(keys), AT_ONCE):
            damaged = []
            for key, stored in self._select(keys[start : start + AT_ONCE]):
                if (value := unwrap(key, stored)) is None:
                    damaged.append((key,))
                else:
                    yield key, value
            if damaged:
                self.damaged.update(key for (key,) in damaged)
                self._delete(damaged)

    def _select(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
        marks = ",".join("?" * len(keys))
        select = f"SELECT key, value FROM kept WHERE key IN ({marks})"  # noqa: S608 - marks only
        return self._use(lambda file: file.execute(select, keys).fetchall())

    def _delete(self, keys: Sequence[tuple[bytes]]) -> None:
        self._use(lambda file: file.executemany("DELETE FROM kept WHERE key = ?", keys))

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the file, all or nothing; if it turns out to be damaged, do it with a new one."""
        with self._lock, self._errors():
            try:
                with self._file:
                    return work(self._file)
            except FAILURES as error:
                if not is_damage(error):
                    raise
            self._rebuild()
            with self._file:
                return work(self._file)

    def _rebuild(self) -> None:
        with suppress(
            AttributeError, *FAILURES
        ):  # it may not be open; and closing writes, which a damaged file refuses
            self._file.close()
        self._file, aside, saved = rebuild(self.path)
        self.tell(
            f"The cached answers in {self.path} were damaged: {saved:,} of them could be read and are used, the others "
            f"are computed again. The damaged file is now {aside}; you can delete it."
        )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ExternalError(
                f"Can't store answers in {self.path}: {error}.\n"
                "  Free some space, or delete that file if it is damaged; then run the same command again. "
                f"{option('cache', False)} stores answers with the run only."
            ) from error


ROWS = "answers.rows"  # the file of a model's answers by text
LENGTH = 8  # number of bytes that hold the length of a piece
Rows = list[tuple[bytes, bytes]]


def writing_rows(store: AnswerCache, write: Callable[[bytes], None]) -> Callable[[Sequence[bytes]], None]:
    """A function that copies the values of keys from a store into a file."""
    encode = msgspec.msgpack.Encoder().encode

    def copy(keys: Sequence[bytes]) -> None:
        piece = encode(list(zip(keys, store.recall(keys), strict=True)))
        write(len(piece).to_bytes(LENGTH, "little") + piece)

    return copy


def read_rows(path: Path) -> Iterator[Rows]:
    """The pieces of a file."""
    decode = msgspec.msgpack.Decoder(Rows).decode
    with path.open("rb") as file:
        while head := file.read(LENGTH):
            yield decode(file.read(int.from_bytes(head, "little")))
