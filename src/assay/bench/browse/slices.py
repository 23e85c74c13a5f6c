"""Named slices: filters of cases that people saved, in one file beside the runs."""

import re
import threading
from pathlib import Path

import msgspec

from assay.bench.browse.choice import Choice
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.files import from_json, to_json, write_whole

FILE = "slices.json"
"""The file of saved slices, in a folder of runs."""

NAME = re.compile(r"[\w][\w .,:+-]{0,59}")
"""What a slice may be called."""


DEPTH = 4
"""How many folders above a run are searched for the file; a server finds runs as deep."""


class SliceFile(msgspec.Struct, frozen=True, kw_only=True):
    """Saved slices."""

    schema: int = 1
    """Version of this file's shape."""
    slices: dict[str, Choice] = {}
    """The filter of each slice, by name."""


class Slices:
    """The slices that were saved in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()

    def all(self) -> dict[str, Choice]:
        """Every slice, by name."""
        return from_json(self._path, SliceFile, newest=1).slices if self._path.is_file() else {}

    def get(self, name: str) -> Choice:
        """The filter of one slice."""
        known = self.all()
        if name not in known:
            raise UnknownNameError(f"No slice {name!r} in {self._path}{did_you_mean(name, known)}")
        return known[name]

    def save(self, name: str, choice: Choice) -> None:
        """Save a slice; one of the same name is replaced."""
        if not NAME.fullmatch(name):
            raise UserError("A slice is called by letters, digits and blanks, at most 60.\n  Give it another name.")
        with self._lock:
            write_whole(self._path, to_json(SliceFile(slices={**self.all(), name: choice})))


def slices_near(run: Path) -> Slices:
    """The slices that were saved in the nearest folder above a run."""
    above = run.resolve().parents[:DEPTH]
    return Slices(next((folder for folder in above if (folder / FILE).is_file()), above[0]))
