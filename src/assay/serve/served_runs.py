"""The runs below a folder: found anew at each look, but read only when their file changed."""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import BadInputError, UnknownNameError, did_you_mean
from assay.core.estimate import Estimate
from assay.core.run_record import RunRecord
from assay.reports.headline import Headline, headlines
from assay.run.stored_run import RECORD, open_run
from assay.serve import run_notes
from assay.serve.run_notes import RunNotes, default_name, read_notes
from assay.serve.run_view import run_view
from assay.serve.served_files import files_below

WHOLE = 4
"""Largest number of whole records that are in memory at once; one may have tens of megabytes."""

FACETS = frozenset({"model", "suite", "family", "label"})
"""Names of the slices of a short record."""


class RunOverview(NamedTuple):
    """A run, in short."""

    folder: Path
    record: RunRecord
    """Its record with accuracies by family and label, and nothing else."""
    told: tuple[Headline, ...]
    """Each model in one sentence."""
    notes: RunNotes = RunNotes()

    @property
    def id(self) -> str:
        """The name of its folder."""
        return self.record.id

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.notes.name or default_name(self.record)

    @property
    def when(self) -> str:
        """Date and time."""
        return self.record.created[:16].replace("T", " ")


class Broken(NamedTuple):
    """A run that can't be read."""

    folder: Path
    problem: str
    hint: str


_Stamp = tuple[int, ...]


class Runs:
    """The stored runs below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[_Stamp, RunOverview | Broken]] = {}
        self._whole: OrderedDict[tuple[Path, _Stamp], RunRecord] = OrderedDict()

    def all(self) -> list[RunOverview | Broken]:
        """Every run, the newest first; those that can't be read come last."""
        with self._lock:
            there = {
                path: (*_stamp(path), *_stamp(path.with_name(run_notes.FILE)))
                for path in sorted(files_below(self._folder, RECORD))
            }
            for path, stamp in there.items():
                if self._known.get(path, (None,))[0] != stamp:
                    self._known[path] = stamp, _short(path)
            found = [self._known[path][1] for path in there]
        return sorted(found, key=_newest_first, reverse=True)

    def readable(self) -> list[RunOverview]:
        """Every run that can be read, the newest first."""
        return [each for each in self.all() if isinstance(each, RunOverview)]

    def get(self, name: str) -> RunOverview:
        """The run of this name. A name is only ever looked up among the runs that are there."""
        known = {each.record.id: each for each in reversed(self.readable())}
        if name not in known:
            raise UnknownNameError(f"There is no run {name!r} here{did_you_mean(name, known)}")
        return known[name]

    def whole(self, name: str) -> RunRecord:
        """The whole record of a run."""
        folder = self.get(name).folder
        key = folder, _stamp(folder / RECORD)
        with self._lock:
            if key not in self._whole:
                self._whole[key] = open_run(folder)
            self._whole.move_to_end(key)
            while len(self._whole) > WHOLE:
                self._whole.popitem(last=False)
            return self._whole[key]


def _stamp(path: Path) -> _Stamp:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return ()
    return stat.st_mtime_ns, stat.st_size


def _short(path: Path) -> RunOverview | Broken:
    try:
        record = open_run(path.parent)
    except BadInputError as error:
        return Broken(path.parent, error.fact, error.hint)
    told = tuple(headlines(run_view(record)))
    kept = tuple(each for each in record.estimates if is_shown(each))
    short = msgspec.structs.replace(record, estimates=kept, examples=(), support=(), diagnosis=None)
    return RunOverview(path.parent, short, told, read_notes(path.parent))


def is_shown(each: Estimate) -> bool:
    """True if a figure is an accuracy by family, or by family and label."""
    return each.name == "accuracy" and each.slice.keys() <= FACETS


def _newest_first(each: RunOverview | Broken) -> tuple[bool, str, str]:
    return (
        (True, each.record.created, each.record.id) if isinstance(each, RunOverview) else (False, "", each.folder.name)
    )
