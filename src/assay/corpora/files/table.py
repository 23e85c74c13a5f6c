"""A table: the rows of a file, before any of it means anything, and a look at the first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from assay.core.errors import BadRecordError
from assay.core.protocols import Row, Sample

LOOK = 100
"""How many broken lines are passed over to find out what a file holds."""


class Fault(NamedTuple):
    """A row that can't be read."""

    number: int
    """Line in the file, from 1."""
    error: BadRecordError
    """Why."""


class Table(NamedTuple):
    """The rows of a file and a look at the first."""

    sample: Sample
    """For the formats to recognise."""
    rows: Iterator[Row | Fault]
    """All rows, the first one included."""


def table(name: str, container: str, rows: Iterator[Row | Fault], *, columns: Iterable[str] | None = None) -> Table:
    """Look at the first row that can be read; its columns are the table's, unless a header named them."""
    peeked: list[Row | Fault] = []
    first = None
    while first is None and len(peeked) < LOOK and (row := next(rows, None)):
        peeked.append(row)
        first = row.fields if isinstance(row, Row) else None
    return Table(Sample(name, container, tuple(columns or first or ()), first or {}), chain(peeked, rows))


def repeated(columns: Sequence[str]) -> BadRecordError | None:
    """What is wrong with columns, if two have the same name."""
    if len(set(columns)) == len(columns):
        return None
    name = Counter(columns).most_common(1)[0][0]
    return BadRecordError("duplicate column", detail=repr(name), hint="Rename or drop one of the two.")


def wrong_encoding(error: UnicodeDecodeError) -> BadRecordError:
    """What is wrong with a line that is no text."""
    return BadRecordError(
        "wrong encoding",
        detail=f"byte 0x{error.object[error.start]:02x} can't be decoded",
        hint="If it is a text file, say how it is encoded, for example --encoding latin-1 or utf-16.",
    )
