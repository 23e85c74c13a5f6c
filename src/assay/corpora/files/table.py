"""A table: the rows of a file before they are interpreted, and a sample of the first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from assay.core.errors import BadRecordError
from assay.core.protocols import Row, Sample

LOOK = 100
"""How many broken lines are skipped to find out what a file holds."""


class Fault(NamedTuple):
    """A row that can't be read."""

    number: int
    """Line number in the file, from 1."""
    error: BadRecordError
    """Why."""


class Table(NamedTuple):
    """The rows of a file and a sample of the first."""

    sample: Sample
    """What formats recognise the file by."""
    rows: Iterator[Row | Fault]
    """All rows, the first one included."""


def table(name: str, container: str, rows: Iterator[Row | Fault], *, columns: Iterable[str] | None = None) -> Table:
    """Sample the first readable row; its columns are those of the table, unless a header names them."""
    peeked: list[Row | Fault] = []
    first = None
    while first is None and len(peeked) < LOOK and (row := next(rows, None)):
        peeked.append(row)
        first = row.fields if isinstance(row, Row) else None
    return Table(Sample(name, container, tuple(columns or first or ()), first or {}), chain(peeked, rows))


def repeated(columns: Sequence[str]) -> BadRecordError | None:
    """The error if two columns have the same name."""
    if len(set(columns)) == len(columns):
        return None
    name = Counter(columns).most_common(1)[0][0]
    return BadRecordError("duplicate column", detail=repr(name), hint="Rename or drop one of them.")


def wrong_encoding(error: UnicodeDecodeError) -> BadRecordError:
    """The error for a line that is not text."""
    return BadRecordError(
        "wrong encoding",
        detail=f"byte 0x{error.object[error.start]:02x} can't be decoded",
        hint="If it is a text file, say how it is encoded, for example --encoding latin-1 or utf-16.",
    )
