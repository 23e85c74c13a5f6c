"""Work that takes longer than a reader waits: done by another process, one thing at a time, and kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from assay.core.run_record import RunRecord
from assay.run.case_index.case_index import CaseIndex, index_folder, index_is_there
from assay.run.case_index.index_builder import build_index
from assay.run.workers.pool import start_processes
from assay.serve.served_runs import RunOverview
from assay.storage.files import write_whole

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that a reader waits before seeing that something is under way."""

KEPT = 64
"""Largest number of results that are kept."""


class PendingError(Exception):
    """The result is not there yet."""


class Background:
    """One other process, which ends when there is nothing to do, so that its memory is given back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._work: dict[Hashable, Future[Any]] = {}
        self._done: OrderedDict[Hashable, Any] = OrderedDict()

    def result(self, key: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """The result of a function of a module; it is called once for each key. An error is raised to one reader."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                kept: T = self._done[key]
                return kept
            if key not in self._work:
                self._pool = self._pool or start_processes(1)
                self._work[key] = self._pool.submit(function, *arguments)
            work: Future[T] = self._work[key]
        wait([work], timeout=PATIENCE)
        if not work.done():
            raise PendingError
        with self._lock:
            self._work.pop(key, None)
            if not self._work and self._pool is not None:
                self._pool.shutdown(wait=False)
                self._pool = None
        found = work.result()
        self.keep(key, found)
        return found

    def at_once(self, key: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """The same for what takes no time: done here, and kept."""
        with self._lock:
            if key in self._done:
                kept: T = self._done[key]
                return kept
        found = function(*arguments)
        self.keep(key, found)
        return found

    def keep(self, key: Hashable, found: Any) -> None:
        """Keep a result."""
        with self._lock:
            self._done[key] = found
            while len(self._done) > KEPT:
                self._done.popitem(last=False)

    def close(self) -> None:
        """Stop."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


SMALL = 20_000
"""Runs with at most this many cases are indexed while the reader waits: starting a process would take longer."""

OPEN = 8
"""Largest number of indexes that are open at once."""


class Building(NamedTuple):
    """An index that is not ready."""

    share: float
    """The finished share."""
    cases: int
    """Number of cases it will have."""


class Indexes:
    """The indexes of runs."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._lock = threading.Lock()
        self._open: OrderedDict[str, CaseIndex] = OrderedDict()

    def get(self, run: RunOverview) -> CaseIndex | Building:
        """The index of a run, or how far it is."""
        seal = run.record.seal
        with self._lock:
            if seal in self._open:
                self._open.move_to_end(seal)
                return self._open[seal]
            if not index_is_there(run.record) and is_small(run.record):
                build_index(run.folder)
        if not index_is_there(run.record):
            try:
                self._background.result(("index", seal), _build, run.folder, _progress_file(run.record))
            except PendingError:
                return Building(_progress(run.record), size_of(run.record))
        with self._lock:
            self._open[seal] = CaseIndex(index_folder(run.record), run.folder, run.record)
            while len(self._open) > OPEN:
                self._open.popitem(last=False)
            return self._open[seal]


def size_of(record: RunRecord) -> int:
    """Number of cases a run has."""
    return sum(manifest.cases for manifest in record.suites.values())


def is_small(record: RunRecord) -> bool:
    """True if a pass over the run's cases is quick enough for a page."""
    return size_of(record) <= SMALL


def _build(folder: Path, progress: Path) -> Path:
    try:
        return build_index(folder, tell=lambda share: write_whole(progress, f"{share:.4f}".encode()))
    finally:
        with suppress(OSError):
            progress.unlink()


def _progress_file(record: RunRecord) -> Path:
    return index_folder(record).with_suffix(".progress")


def _progress(record: RunRecord) -> float:
    try:
        return float(_progress_file(record).read_text())
    except (OSError, ValueError):
        return 0.0
