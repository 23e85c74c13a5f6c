"""The layout of an index of cases on disk: columns, kinds of cases, and searchable words."""

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.core.run_record import RunRecord
from assay.evaluate.case_columns import Bools, Ints
from assay.storage.files import write_whole
from assay.storage.folders import cache_folder

LAYOUT = "cases-v3"
"""The folder of all indexes; a new layout gets a new name, so an old index is never misread."""

MOST_VALUES = 200
"""A group with more values than this, such as a score, can be searched for but is not a facet."""

FAILED, RIGHT, HELD = 1, 2, 4
"""Flags of an answer: not what the case expects; the label of the case; right on the source pair."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """Description of the columns."""

    schema: int = 1
    """Version of this description's shape."""
    run: str
    cases: int
    models: tuple[str, ...]
    """The models, by number."""
    values: dict[str, tuple[str, ...]]
    """The values of each facet, and of answers, by code."""
    facets: tuple[str, ...]
    """The facets of cases, in the order of the table of kinds: suite, family, variant, label, expects, group.NAME."""
    starts: dict[str, int]
    """The row of each suite's first case."""
    seconds: float


def index_folder(record: RunRecord) -> Path:
    """The folder of the index of a run: its name is the run's seal, so it can't be out of date."""
    return cache_folder(LAYOUT) / record.seal


def index_is_there(record: RunRecord) -> bool:
    """True if the index of a run was built."""
    return (index_folder(record) / "index.json").is_file()


def copy_name(suite: int) -> str:
    """The file with the cases of a suite that is not stored as lines."""
    return f"cases-{suite}.jsonl"


LARGEST = 1 << 62
"""The largest number that codes are mixed into."""


class Kinds(NamedTuple):
    """The kinds of some cases."""

    of_cases: Any
    """The kind of each case, by number."""
    table: Any
    """The codes of each kind, a row for each facet."""


def kinds_of(codes: Sequence[Any]) -> Kinds:
    """The kinds of cases, by the codes of each facet.

    >>> kinds = kinds_of([numpy.array([0, 1, 0, 1]), numpy.array([2, 2, 2, 0])])
    >>> kinds.of_cases.tolist(), kinds.table.tolist()
    ([0, 2, 0, 1], [[0, 1, 1], [2, 0, 2]])
    """
    mixed: Ints = numpy.zeros(len(codes[0]), dtype=numpy.int64)
    span = 1
    for column in codes:
        size = int(column.max(initial=0)) + 1
        if span * size > LARGEST:
            mixed = numpy.unique(mixed, return_inverse=True)[1]
            span = int(mixed.max(initial=0)) + 1
        mixed = mixed * size + column
        span *= size
    _, first, of_cases = numpy.unique(mixed, return_index=True, return_inverse=True)
    return Kinds(of_cases.astype(numpy.uint32), numpy.array([column[first] for column in codes], dtype=numpy.uint32))


LEAST, RARE, MOST = 5_000, 100, 300
"""A word is frequent if more than `LEAST` cases have it, and one in `RARE`; at most `MOST` words are."""

PIECE = re.compile(r'"([^"]*)"|(\S+)')


def query_of(typed: str) -> str:
    """Every word must be there, a phrase in this order; a word that ends in * is the beginning of one.

    >>> query_of('not "the old" trun*')
    '"not" "the old" "trun"*'
    >>> query_of("a NEAR(b OR")
    '"a" "NEAR(b" "OR"'
    """
    pieces = []
    for phrase, word in PIECE.findall(typed.replace("\0", " ")):
        text = phrase or word
        begins = bool(word) and word.endswith("*")
        quoted = (word.rstrip("*") if begins else text).replace('"', '""')
        if quoted.strip():
            pieces.append(f'"{quoted}"{"*" if begins else ""}')
    return " ".join(pieces)


def keep_common(connection: sqlite3.Connection, out: Path, cases: int) -> None:
    """Store which cases have each frequent word, as bits, because reading a million rows of a search takes long."""
    connection.execute("CREATE VIRTUAL TABLE temp.seen USING fts5vocab('main', 'words', 'row')")
    least = max(LEAST, cases // RARE)
    rows = connection.execute("SELECT term FROM temp.seen WHERE doc > ? ORDER BY doc DESC LIMIT ?", [least, MOST])
    terms = [term for (term,) in rows]
    bits = numpy.zeros((len(terms), -(-cases // 8)), dtype=numpy.uint8)
    for place, term in enumerate(terms):
        found = numpy.zeros(cases, dtype=bool)
        found[match_rows(connection, term)] = True
        bits[place] = numpy.packbits(found)
    numpy.save(out / "common.npy", bits)
    write_whole(out / "common.json", msgspec.json.encode(terms))


class Common:
    """The frequent words of an index."""

    def __init__(self, folder: Path, cases: int) -> None:
        terms: list[str] = msgspec.json.decode((folder / "common.json").read_bytes())
        self._places = {term: place for place, term in enumerate(terms)}
        self._bits = numpy.load(folder / "common.npy", mmap_mode="r") if terms else None
        self._cases = cases

    def get(self, typed: str) -> Bools | None:
        """The cases with all words, if each of them is frequent."""
        places = [self._places.get(word) for word in typed.lower().split()]
        if not places or None in places or self._bits is None:
            return None
        together = numpy.bitwise_and.reduce(self._bits[places])
        return numpy.unpackbits(together, count=self._cases).view(bool)


def match_rows(connection: sqlite3.Connection, typed: str) -> Ints:
    """The rows of the cases with these words. They arrive as one text, which is much faster than row by row."""
    query = query_of(typed)
    if not query:
        return numpy.zeros(0, dtype=numpy.int64)
    (rows,) = connection.execute("SELECT group_concat(rowid) FROM words WHERE words MATCH ?", [query]).fetchone()
    return numpy.fromstring(rows, dtype=numpy.int64, sep=",") if rows else numpy.zeros(0, dtype=numpy.int64)
