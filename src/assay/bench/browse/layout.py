"""What an index looks like on disk: one file per column, one for the words, and a description of them.

Cases that have the same value of every facet are of one kind. A million cases have a few thousand kinds, so each case
stores the number of its kind, and a table says what the kinds are: filters and counts work on kinds, not on cases.
"""

import os
from pathlib import Path

import msgspec

from assay.core.run import RunRecord

LAYOUT = "cases-v3"
"""The folder of all indexes; a new layout gets a new name, so an old index is never misread."""

MOST_VALUES = 200
"""A group with more values than this, such as a score, can be searched for but is not a facet."""

FAILED, RIGHT, HELD = 1, 2, 4
"""Flags of an answer: not what the case expects; the label of the case; right on the source pair."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """What the columns mean."""

    schema: int = 1
    """Version of this description's shape."""
    run: str
    """The id of the run."""
    cases: int
    """How many cases there are, over all suites."""
    models: tuple[str, ...]
    """The models, by number."""
    values: dict[str, tuple[str, ...]]
    """The values of each facet, and of answers, by code."""
    facets: tuple[str, ...]
    """The facets of cases, in the order of the table of kinds: suite, family, variant, label, expects, group.NAME."""
    starts: dict[str, int]
    """The row of each suite's first case."""
    two_way: tuple[str, ...]
    """Suites whose cases and answers are judged by two labels."""
    seconds: float
    """How long it took to build."""


def index_home() -> Path:
    """Where indexes are kept: $ASSAY_INDEXES, or the user's cache."""
    given = os.environ.get("ASSAY_INDEXES")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


def index_folder(record: RunRecord) -> Path:
    """Where the index of a run is: its name is the run's seal, so it can't be out of date."""
    return index_home() / record.seal


def index_is_there(record: RunRecord) -> bool:
    """Whether the index of a run was built."""
    return (index_folder(record) / "index.json").is_file()


def copy_name(suite: int) -> str:
    """The file with the cases of a suite that is not stored as lines."""
    return f"cases-{suite}.jsonl"
