"""Names, notes and tags of runs, in a file next to the sealed record, which does not change."""

from pathlib import Path

import msgspec

from assay.core.errors import AssayError, UserError
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json, to_json
from assay.reports.headline import TEMPLATES, case_origins
from assay.reports.phrases import short_name
from assay.storage.files import write_whole

FILE = "notes.json"

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
    path = folder / FILE
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
        folder / FILE, to_json(RunNotes(name=given["name"], notes=given["notes"], tags=tuple(words)[:MOST_TAGS]))
    )


def default_name(record: RunRecord) -> str:
    """The models and the data of a run that nobody has named."""
    models = [each.model for each in record.models if not each.reference] or [each.model for each in record.models]
    names = [short_name(model) for model in models]
    data = [each.source for each in case_origins(record.suites.values()) if each.source != TEMPLATES] or [TEMPLATES]
    return f"{' and '.join(names) if len(names) < 3 else f'{len(names)} models'} on {', '.join(data)}"
