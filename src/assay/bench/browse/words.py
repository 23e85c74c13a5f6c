"""Searching for words: what people type, as a query that SQLite's full-text search can't misunderstand."""

import re
import sqlite3
from pathlib import Path

import msgspec
import numpy

from assay.core.files import write_whole
from assay.evaluate.count.columns import Bools, Ints

LEAST, RARE, MOST = 5_000, 100, 300
"""A word is frequent if more than `LEAST` cases have it, and one in `RARE`; at most `MOST` words are."""

PIECE = re.compile(r'"([^"]*)"|(\S+)')
"""A phrase in quotes, or a word."""


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
        found[matched(connection, term)] = True
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


def matched(connection: sqlite3.Connection, typed: str) -> Ints:
    """The rows of the cases with these words. They arrive as one text, which is much faster than row by row."""
    query = query_of(typed)
    if not query:
        return numpy.zeros(0, dtype=numpy.int64)
    (rows,) = connection.execute("SELECT group_concat(rowid) FROM words WHERE words MATCH ?", [query]).fetchone()
    return numpy.fromstring(rows, dtype=numpy.int64, sep=",") if rows else numpy.zeros(0, dtype=numpy.int64)
