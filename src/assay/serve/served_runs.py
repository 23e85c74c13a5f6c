"""The runs in a folder and its subfolders, with their notes: searched each time, read only when their file changed."""

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import AssayError, BadInputError, UnknownNameError, UserError, did_you_mean
from assay.core.estimate import Estimate
from assay.core.registry import split_alias
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json, to_json
from assay.reports.family_notes import FamilyNote, family_notes
from assay.reports.headline import TEMPLATES, Headline, case_origins, headlines
from assay.reports.phrases import short_name
from assay.run.stored_run import RECORD, open_run
from assay.serve.run_view import run_view
from assay.serve.served_files import files_below
from assay.storage.files import write_whole

NOTES = "notes.json"

LONGEST_NAME = 80
LONGEST = {"name": LONGEST_NAME, "notes": 10_000}  # characters of a name and of notes
MOST_TAGS = 12


class RunNotes(msgspec.Struct, frozen=True, kw_only=True):
    """A user's name, notes and tags for a run."""

    schema: int = 1
    name: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()


def read_notes(folder: Path) -> RunNotes:
    """The notes of a run; a file that can't be read, or is a link, counts as none."""
    path = folder / NOTES
    try:
        return from_json(path, RunNotes, newest=1) if path.is_file() and not path.is_symlink() else RunNotes()
    except AssayError:
        return RunNotes()


def write_notes(folder: Path, *, name: str, notes: str, tags: str) -> None:
    """Store them; tags are separated by commas."""
    given = {"name": " ".join(name.split()), "notes": notes.replace("\r\n", "\n").strip()}
    for field, most in LONGEST.items():
        if len(given[field]) > most:
            raise UserError(f"The {field} of a run may have {most:,} characters.\n  Go back, and shorten it.")
    words = dict.fromkeys(word for tag in tags.split(",") if (word := " ".join(tag.split())[:40]))
    write_whole(
        folder / NOTES, to_json(RunNotes(name=given["name"], notes=given["notes"], tags=tuple(words)[:MOST_TAGS]))
    )


def default_name(record: RunRecord) -> str:
    """The models and the data of a run that nobody has named."""
    models = [each.model for each in record.models if not each.reference] or [each.model for each in record.models]
    names = [short_name(model) for model in models]
    data = [each.source for each in case_origins(record.suites.values()) if each.source != TEMPLATES] or [TEMPLATES]
    return f"{' and '.join(names) if len(names) < 3 else f'{len(names)} models'} on {', '.join(data)}"


WHOLE = 4  # largest number of whole records that are in memory at once; one may have tens of megabytes
FACETS = frozenset({"model", "suite", "family", "label"})  # names of the slices of a short record


class RunOverview(NamedTuple):
    folder: Path
    record: RunRecord  # its record with accuracies by family and label, and nothing else
    told: tuple[Headline, ...]
    notes: RunNotes = RunNotes()
    families: Sequence[FamilyNote] = ()  # what its families test, each with a case

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def name(self) -> str:
        return self.notes.name or default_name(self.record)

    @property
    def when(self) -> str:
        return self.record.created[:16].replace("T", " ")

    @property
    def age(self) -> tuple[str, str]:
        """Sort key: the oldest run first."""
        return self.record.created, self.record.id


def tell_apart(one: tuple[str, RunOverview], other: tuple[str, RunOverview]) -> tuple[str, str]:
    """The words after the names of two models that are called the same: what the alias stands for, the run or the time.

    They are empty if the names differ.
    """
    (first, run), (second, rival) = one, other
    if short_name(first) != short_name(second):
        return "", ""
    parts = [re.split(r"(?<=[:/@?&=])", split_alias(model).model) for model in (first, second)]
    same = sum(1 for _ in takewhile(lambda each: each[0] == each[1], zip(*parts, strict=False)))
    targets = ["".join(each[same:]) for each in parts]
    ways = (targets, (run.name, rival.name), (run.when, rival.when), (run.id, rival.id))
    return next(((f" ({mine})", f" ({theirs})") for mine, theirs in ways if mine != theirs), ("", ""))


class Broken(NamedTuple):
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

    def all(self) -> list[RunOverview | Broken]:
        """Every run, the newest first; those that can't be read come last."""
        with self._lock:
            there = {
                path: (*_stamp(path), *_stamp(path.with_name(NOTES)))
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
        """The run of this name. Names from pages are only looked up among existing runs."""
        known = {each.record.id: each for each in reversed(self.readable())}
        if name not in known:
            raise UnknownNameError(f"There is no run {name!r} here{did_you_mean(name, known)}")
        return known[name]

    def whole(self, name: str) -> RunRecord:
        folder = self.get(name).folder
        return _open_whole(folder, _stamp(folder / RECORD))


@lru_cache(maxsize=WHOLE)
def _open_whole(folder: Path, _changed: _Stamp) -> RunRecord:
    return open_run(folder)


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
    return RunOverview(path.parent, short, told, read_notes(path.parent), family_notes(record))


def is_shown(each: Estimate) -> bool:
    """True if a number is an accuracy by family, or by family and label."""
    return each.name == "accuracy" and each.slice.keys() <= FACETS


def _newest_first(each: RunOverview | Broken) -> tuple[bool, str, str]:
    return (True, *each.age) if isinstance(each, RunOverview) else (False, "", each.folder.name)
