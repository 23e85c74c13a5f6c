"""Slow work for pages: done in another process, one task at a time, and cached."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from assay.core.run_record import RunRecord
from assay.run.case_index.case_index import CaseIndex, index_folder, index_is_there
from assay.run.case_index.index_builder import build_index
from assay.run.workers.pool import start_processes
from assay.serve.served_runs import RunOverview
from assay.storage.files import write_whole

T = TypeVar("T")
PATIENCE = 1.0  # seconds that a reader waits before seeing that something is under way
KEPT = 64  # largest number of results that are kept


class PendingError(Exception):
    """A result is not ready: the reader sees a page with this title, which reloads."""

    def __init__(self, title: str, *, share: float | None = None, run: str = "") -> None:
        super().__init__(title)
        self.title, self.share, self.run = title, share, run


class Background:
    """One other process, which ends when there is nothing to do, so that its memory is given back.

    With `at_once`, everything is done here instead, and no reader waits.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._work: dict[Hashable, Future[Any]] = {}
        self._done: OrderedDict[Hashable, Any] = OrderedDict()

    def result(
        self, key: Hashable, function: Callable[..., T], *arguments: Any, title: str = "", at_once: bool = False
    ) -> T:
        """The result of a function of a module, which is called once for each key: elsewhere, or here if it is quick.

        An error is raised to one reader.
        """
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                kept: T = self._done[key]
                return kept
        here = at_once or self._at_once
        found = function(*arguments) if here else self._elsewhere(key, title, function, *arguments)
        with self._lock:
            self._done[key] = found
            while len(self._done) > KEPT:
                self._done.popitem(last=False)
        return found

    def _elsewhere(self, key: Hashable, title: str, function: Callable[..., T], *arguments: Any) -> T:
        with self._lock:
            if key not in self._work:
                self._pool = self._pool or start_processes(1)
                self._work[key] = self._pool.submit(function, *arguments)
            work: Future[T] = self._work[key]
        wait([work], timeout=PATIENCE)
        if not work.done():
            raise PendingError(title)
        with self._lock:
            self._work.pop(key, None)
            if not self._work and self._pool is not None:
                self._pool.shutdown(wait=False)
                self._pool = None
        return work.result()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


SMALL = 20_000
"""Runs with at most this many cases are indexed while the reader waits: starting a process would take longer."""

OPEN = 8  # largest number of indexes that are open at once


class Indexes:
    def __init__(self, background: Background) -> None:
        self._background = background
        self._lock = threading.Lock()
        self._open: OrderedDict[str, CaseIndex] = OrderedDict()

    def ready(self, run: RunOverview) -> CaseIndex | None:
        """The index of a run; None if it is being built."""
        try:
            return self.get(run)
        except PendingError:
            return None

    def get(self, run: RunOverview) -> CaseIndex:
        """The index of a run; while it is being built, an error that reports the progress."""
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
                title = f"Preparing {size_of(run.record):,} cases"
                raise PendingError(title, share=_progress(run.record), run=run.id) from None
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
