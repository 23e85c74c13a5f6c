"""Files that the server reads and writes, always inside the served folder, even if it contains links."""

import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.label import Label
from assay.run.api import build
from assay.storage.files import write_whole

DEPTH = 4  # largest number of folders below the served one that are searched


def files_below(folder: Path, name: str) -> Iterator[Path]:
    """Files of this name, a few folders deep. Folders below such a folder, and links, are not searched."""
    left = [(folder, 0)]
    while left:
        here, depth = left.pop()
        if _is_own_file(here / name):
            yield here / name
        elif depth < DEPTH:
            try:
                inside = [each for each in here.iterdir() if not each.name.startswith(".")]
                left += [(each, depth + 1) for each in inside if each.is_dir() and not each.is_symlink()]
            except OSError:
                continue  # a folder that may not be read holds nothing to show


def files_in(folder: Path, pattern: str) -> Iterator[Path]:
    """Files of a folder whose names fit a pattern; links are left out, also if the folder is one."""
    if not folder.is_symlink():
        yield from filter(_is_own_file, folder.glob(pattern))


def place_to_write(folder: Path, *names: str) -> Path:
    """A path inside the served folder; an error if a link on the way leads outside."""
    place = folder.joinpath(*names)
    if not place.resolve().is_relative_to(folder.resolve()):
        raise UserError(
            f"{'/'.join(names)} would not be written to the served folder, because a link leads out of it."
            f"\n  Look at {names[0].partition('/')[0]} there, and replace the link."
        )
    return place


def _is_own_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


PAIRS = "my-pairs.jsonl"  # the file of kept pairs
SUITE = "suites/my-pairs"  # the suite that is built from them
LONGEST = 20_000  # characters of a text that is kept
_LOCK = threading.Lock()


def kept_pairs(folder: Path) -> list[dict[str, str]]:
    path = folder / PAIRS
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()] if path.is_file() else []


def keep_pair(folder: Path, premise: str, hypothesis: str, label: Label) -> None:
    """Add a pair to the file, unless it is there, and build the suite again."""
    if not premise or not hypothesis or max(len(premise), len(hypothesis)) > LONGEST:
        raise UserError(f"A pair needs two texts of at most {LONGEST:,} characters.\n  Go back, and fill in both.")
    with _LOCK:
        known = kept_pairs(folder)
        new = {"premise": premise, "hypothesis": hypothesis, "label": label.value}
        if new in [{name: each[name] for name in new} for each in known]:
            return
        lines = [*known, {"id": f"mine-{len(known) + 1}", **new}]
        pairs, suite = place_to_write(folder, PAIRS), place_to_write(folder, SUITE)
        write_whole(pairs, b"".join(msgspec.json.encode(each) + b"\n" for each in lines))
        build(ORIGINAL, pairs, out=suite, overwrite=True)


def shown_path(path: Path) -> str:
    """The path of a folder, relative to where the server was started if it is below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path != here and path.is_relative_to(here) else str(path)
