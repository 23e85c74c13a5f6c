"""Pairs that people keep: a file of pairs in the served folder, and a suite that is built from it."""

import threading
from pathlib import Path

import msgspec

from assay.app.web.places import place_to_write
from assay.bench.api import build
from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.files import write_whole
from assay.core.label import Label

PAIRS = "my-pairs.jsonl"
"""The file of kept pairs."""

SUITE = "suites/my-pairs"
"""The suite that is built from them."""

LONGEST = 20_000
"""Characters of a text that is kept."""

_LOCK = threading.Lock()


def kept_pairs(folder: Path) -> list[dict[str, str]]:
    """The pairs that were kept so far."""
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
