"""The indexes of runs: opened if they are there, otherwise built in the background."""

import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from assay.app.web.background import Background, PendingError
from assay.app.web.runs import Found
from assay.bench.browse.build import build_index
from assay.bench.browse.index import CaseIndex
from assay.bench.browse.layout import index_folder, index_home, index_is_there
from assay.core.files import write_whole
from assay.core.run import RunRecord

SMALL = 20_000
"""Runs with at most this many cases are indexed while the reader waits: starting a process would take longer."""

OPEN = 8
"""How many indexes are open at once."""


class Building(NamedTuple):
    """An index that is not ready."""

    share: float
    """How much of it is done."""
    cases: int
    """How many cases it will have."""


class Indexes:
    """The indexes of runs."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._lock = threading.Lock()
        self._open: OrderedDict[str, CaseIndex] = OrderedDict()

    def get(self, run: Found) -> CaseIndex | Building:
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
    """How many cases a run has."""
    return sum(manifest.cases for manifest in record.suites.values())


def is_small(record: RunRecord) -> bool:
    """Whether a pass over the run's cases takes no longer than a reader waits."""
    return size_of(record) <= SMALL


def _build(folder: Path, progress: Path) -> Path:
    try:
        return build_index(folder, tell=lambda share: write_whole(progress, f"{share:.4f}".encode()))
    finally:
        with suppress(OSError):
            progress.unlink()


def _progress_file(record: RunRecord) -> Path:
    return index_home() / f"{record.seal}.progress"


def _progress(record: RunRecord) -> float:
    try:
        return float(_progress_file(record).read_text())
    except (OSError, ValueError):
        return 0.0
