"""The cache of answers: by model and text, in a file that is checked and survives a kill at any moment."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from assay.bench.ask.store_file import FAILURES, INSERT, is_damage, open_file, rebuild, unwrap, wrap
from assay.core.errors import ExternalError
from assay.core.options import option

T = TypeVar("T")

LAYOUT = "answers-2"
"""The name of the cached answers, as a folder in the user's cache and as a file next to a run. A new format gets a new
name, so that no version reads another's."""

AT_ONCE = 500
"""How many keys one query asks for."""


def home() -> Path:
    """Where answers are cached: $ASSAY_ANSWERS, or the user's cache."""
    if own := os.environ.get("ASSAY_ANSWERS"):
        return Path(own) / LAYOUT
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


def kept_path(identity: str, folder: Path, *, cache: bool) -> Path:
    """The file of cached answers: that of the model, or that of the run if nobody knows what decides the answers."""
    return home() / f"{identity[:32]}.sqlite" if cache and identity else folder / "kept.parts" / f"{LAYOUT}.sqlite"


class AnswersLostError(ExternalError):
    """Cached answers are gone, because their file was damaged or changed while it was in use."""


class Store:
    """Bytes by key. When `put` returns, everything that was put is stored for good; otherwise nothing is.

    A damaged value counts as missing. A file that can't be read is set aside, and a new one is started with what is
    left of it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "kept.sqlite") as store:
    ...     store.put([(b"a", b"1"), (b"b", b"2")])
    ...     store.get([b"b", b"c"])
    {b'b': b'2'}
    """

    def __init__(self, path: Path, *, tell: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self.tell = tell
        """Called with what a user should know about the file."""
        self.damaged: set[bytes] = set()
        """Keys whose values were damaged and deleted."""
        self._lock = threading.Lock()  # reading ahead and putting are done by two threads
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._opened()
            # The keys seen in this run are kept out of memory, in an unnamed file that is useless after a failure.
            self._met = sqlite3.connect("", check_same_thread=False, isolation_level=None)
            self._met.execute("PRAGMA journal_mode = OFF")
            self._met.execute("CREATE TABLE met (key BLOB PRIMARY KEY) WITHOUT ROWID")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._met.close()
        self._file.close()

    def first_time(self, keys: Iterable[bytes]) -> list[bool]:
        """Whether each key is seen for the first time since the store was opened."""
        with self._lock, self._errors(), _transaction(self._met, "BEGIN"):
            insert = "INSERT OR IGNORE INTO met VALUES (?)"
            return [self._met.execute(insert, (key,)).rowcount == 1 for key in keys]

    def forget_met(self) -> None:
        """Forget which keys were seen."""
        with self._lock, self._errors():
            self._met.execute("DELETE FROM met")

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The intact values of those keys that are stored."""
        return dict(self._intact(keys))

    def known(self, keys: Sequence[bytes]) -> set[bytes]:
        """Which of these keys are stored, with intact values."""
        return {key for key, _ in self._intact(keys)}

    def recall(self, keys: Sequence[bytes]) -> list[bytes]:
        """The values of keys that were all stored, in order."""
        kept = self.get(keys)
        if lost := {*keys} - kept.keys():
            raise AnswersLostError(
                f"{len(lost):,} answers that were stored in {self.path} are gone.\n"
                f"  Run the same again: only they are asked. {option('cache', False)} keeps answers with the run only."
            )
        return [kept[key] for key in keys]

    def put(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Store these; existing values stay as they are."""
        wrapped = wrap(rows)
        self._write(lambda file: file.executemany(INSERT, wrapped))

    def begin_anew(self) -> None:
        """Start a new file with what can be read of this one, and forget which keys were seen."""
        with self._lock, self._errors():
            self._renew()
            self._met.execute("DELETE FROM met")

    def _intact(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
        for start in range(0, len(keys), AT_ONCE):
            damaged = []
            for key, stored in self._select(keys[start : start + AT_ONCE]):
                if (value := unwrap(key, stored)) is None:
                    damaged.append(key)
                else:
                    yield key, value
            if damaged:
                self._forget(damaged)

    def _forget(self, keys: Sequence[bytes]) -> None:
        self.damaged.update(keys)
        self._write(lambda file: file.executemany("DELETE FROM kept WHERE key = ?", [(key,) for key in keys]))

    def _select(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
        marks = ",".join("?" * len(keys))
        select = f"SELECT key, value FROM kept WHERE key IN ({marks})"  # noqa: S608 - marks only
        return self._use(lambda file: file.execute(select, keys).fetchall())

    def _write(self, work: Callable[[sqlite3.Connection], object]) -> None:
        def whole(file: sqlite3.Connection) -> None:
            with _transaction(file, "BEGIN IMMEDIATE"):
                work(file)

        self._use(whole)

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the file; if it turns out to be damaged, do it with a new one."""
        with self._lock, self._errors():
            try:
                return work(self._file)
            except FAILURES as error:
                if not is_damage(error):
                    raise
            self._renew()
            return work(self._file)

    def _opened(self) -> sqlite3.Connection:
        try:
            return open_file(self.path)
        except FAILURES as error:
            if not is_damage(error):
                raise
        return self._rebuilt()

    def _renew(self) -> None:
        with suppress(*FAILURES):  # closing writes, which a damaged file may refuse
            self._file.close()
        self._file = self._rebuilt()

    def _rebuilt(self) -> sqlite3.Connection:
        file, aside, saved = rebuild(self.path)
        self.tell(
            f"The cached answers in {self.path} were damaged: {saved:,} of them could be read and are used, the others "
            f"are asked again. The damaged file is now {aside}; you can delete it."
        )
        return file

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise ExternalError(
                f"Can't store answers in {self.path}: {error}.\n"
                "  Free some space, or delete that file if it is damaged; then run the same command again. "
                f"{option('cache', False)} keeps answers with the run only."
            ) from error


@contextmanager
def _transaction(file: sqlite3.Connection, begin: str) -> Iterator[None]:
    file.execute(begin)
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # the original error is what matters
            file.execute("ROLLBACK")
        raise
    file.execute("COMMIT")
