"""Text files to rows: tab- and comma-separated, JSON lines, word vectors."""

import csv
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from assay.core.errors import BadInputError, BadRecordError
from assay.core.protocols import Row, Sample
from assay.corpora.byte_streams import TextLine

LOOK = 100  # the number of broken lines that are skipped to find out what a file holds


class Fault(NamedTuple):
    """A row that can't be read."""

    number: int  # line number in the file, from 1
    error: BadRecordError


class RowTable(NamedTuple):
    """The rows of a file and a sample of the first."""

    sample: Sample  # the sample by which formats recognise the file
    rows: Iterator[Row | Fault]  # all rows, the first one included


def sample_table(
    name: str, container: str, rows: Iterator[Row | Fault], *, columns: Iterable[str] | None = None
) -> RowTable:
    """Sample the first readable row; its columns are those of the table, unless a header names them."""
    peeked: list[Row | Fault] = []
    first = None
    while first is None and len(peeked) < LOOK and (row := next(rows, None)):
        peeked.append(row)
        first = row.fields if isinstance(row, Row) else None
    return RowTable(Sample(name, container, tuple(columns or first or ()), first or {}), chain(peeked, rows))


def repeated_column(columns: Sequence[str]) -> BadRecordError | None:
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


ANNOTATOR = re.compile(r"label\d+")
"""Columns that some rows of the releases' text files have more or fewer of than the header."""

RECORD_LINES = 1000  # maximum number of lines in a csv record; in a longer one, a quotation mark was opened by accident
RECORD_SIZE = 1 << 20  # maximum number of characters in a csv record of several lines, for the same reason
QUOTES_HINT = "Check the quotation marks: a field that contains one must be quoted, and the mark inside doubled."

Numbered = tuple[int, str | BadRecordError]
Fields = tuple[int, list[str] | BadRecordError]  # the fields between the separators, with the number of the first line


def delimited_table(name: str, source: Iterable[TextLine], *, where: str) -> RowTable:
    """The rows below a header line; a broken header is fatal, because every row depends on it."""
    source = iter(source)
    number, first = next(
        item for item in enumerate(source, 1) if isinstance(item[1], BadRecordError) or item[1].strip()
    )
    numbered: Iterator[Numbered] = enumerate(map(_decode_line, source), number + 1)
    head = _decode_line(first)
    try:
        columns, separator = _read_header(head)
    except BadRecordError as error:
        raise BadInputError(str(error), where=f"{where}:{number}", hint=error.hint) from error
    if _has_no_header(columns):
        numbered = chain([(number, head)], numbered)
        columns = [str(i) for i in range(len(columns))]
    elif fault := repeated_column(columns):
        raise BadInputError(str(fault), where=f"{where}:{number}", hint=fault.hint)
    tabs = separator == "\t"
    records = _split_tabs(numbered) if tabs else _split_quoted(numbered, len(columns), separator)
    return sample_table(name, "tsv" if tabs else "csv", _read_rows(name, records, columns), columns=columns)


def _read_header(head: str | BadRecordError) -> tuple[list[str], str]:
    """The columns, and what separates them: a spreadsheet writes semicolons where the comma is for decimals."""
    if isinstance(head, BadRecordError):
        raise head
    if "\t" in head:
        return head.rstrip("\r").split("\t"), "\t"
    try:
        split = {separator: next(csv.reader([head], strict=True, delimiter=separator)) for separator in ",;"}
    except csv.Error as error:
        raise BadRecordError("broken csv header", detail=str(error), hint=QUOTES_HINT) from error
    separator = max(split, key=lambda separator: len(split[separator]))
    if len(split[separator]) < 2:
        raise BadRecordError(
            "neither JSON lines nor columns separated by tabs, commas or semicolons",
            hint="Use one record per line: JSON objects, or a header and columns.",
        )
    return split[separator], separator


def _has_no_header(columns: Sequence[str]) -> bool:
    """SciTail's tab-separated files have no header: the third column is a label, unless each label has a column."""
    is_label = len(columns) in (3, 4) and columns[2].strip().lower() in ("entails", "neutral")
    return is_label and "entailment" not in columns


def _decode_line(line: TextLine) -> str | BadRecordError:
    if isinstance(line, BadRecordError):
        return line
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        return wrong_encoding(error)


def _split_tabs(source: Iterable[Numbered]) -> Iterator[Fields]:
    """The published data sets never quote fields: a quotation mark is just a quotation mark."""
    for number, line in source:
        if isinstance(line, BadRecordError):
            yield number, line
        elif line := line.rstrip("\r"):
            yield number, line.split("\t")


def _split_quoted(source: Iterator[Numbered], width: int, separator: str) -> Iterator[Fields]:
    """Records of quoted fields, which may span several lines.

    A stray quotation mark swallows what follows. Once that is noticed, only the line where it began is lost.
    """
    waiting: deque[Numbered] = deque()
    taken: list[Numbered] = []

    def feed() -> Iterator[str]:
        size = 0
        while len(taken) < RECORD_LINES and size <= RECORD_SIZE:
            line = waiting.popleft() if waiting else next(source, None)
            if line is None:
                return
            taken.append(line)
            if isinstance(line[1], BadRecordError):
                return
            size += len(line[1]) + 1
            yield line[1] + "\n"

    while True:
        taken.clear()
        fault = None
        fields: list[str] = []
        try:
            fields = next(csv.reader(feed(), strict=True, delimiter=separator), [])
        except csv.Error as error:
            fault = BadRecordError("broken csv", detail=str(error), hint=QUOTES_HINT)
        if not taken:
            return
        number, line = taken[0]
        if isinstance(line, BadRecordError):
            fault = line
        if len(taken) > 1 and (fault or len(fields) != width):
            waiting.extendleft(reversed(taken[1:]))
        if fault or fields:
            yield number, fault or fields


def _read_rows(name: str, records: Iterable[Fields], columns: Sequence[str]) -> Iterator[Row | Fault]:
    width = len(columns)
    annotated = bool(ANNOTATOR.fullmatch(columns[-1]))
    for number, fields in records:
        if isinstance(fields, BadRecordError):
            yield Fault(number, fields)
        elif len(fields) == width or (annotated and (len(fields) > width or ANNOTATOR.fullmatch(columns[len(fields)]))):
            yield Row(number, dict(zip(columns, fields, strict=False)), name)
        else:
            detail = f"{len(fields)}, but the header names {width}"
            yield Fault(number, BadRecordError("wrong number of columns", detail=detail))


HINT = "One JSON object per line is expected."
ARRAY_HINT = "This looks like a JSON array: convert it to one object per line with `jq -c '.[]'`."


def json_table(name: str, source: Iterable[TextLine]) -> RowTable:
    """The objects of a file, one per line; blank lines are ignored."""
    return sample_table(name, "jsonl", _json_rows(name, source))


def _json_rows(name: str, source: Iterable[TextLine]) -> Iterator[Row | Fault]:
    decode = msgspec.json.Decoder().decode
    for number, line in enumerate(source, 1):
        try:
            if isinstance(line, BadRecordError):
                raise line
            fields = decode(line)
            if type(fields) is not dict:
                raise BadRecordError("not a JSON object", detail=_start(line), hint=_hint(line))
            # Each key has a colon, so only a line with more colons than keys can have a duplicate key.
            if line.count(b":") != len(fields) and (fault := _repeated_key(line)):
                raise fault
        except BadRecordError as error:
            yield Fault(number, error)
        except UnicodeDecodeError as error:
            yield Fault(number, wrong_encoding(error))
        except RecursionError:
            yield Fault(number, BadRecordError("nested too deeply", detail=_start(line), hint=_hint(line)))  # type: ignore[arg-type]
        except msgspec.DecodeError as error:
            if line.strip():  # type: ignore[union-attr]
                yield Fault(number, BadRecordError("not JSON", detail=f"{error} in {_start(line)}", hint=_hint(line)))  # type: ignore[arg-type]
        else:
            yield Row(number, fields, name)


def _repeated_key(line: bytes) -> BadRecordError | None:
    def check(pairs: list[tuple[str, Any]]) -> None:
        if fault := repeated_column([key for key, _ in pairs]):
            raise fault

    try:
        json.loads(line, object_pairs_hook=check)
    except BadRecordError as fault:
        return fault
    return None


def _hint(line: bytes) -> str:
    return ARRAY_HINT if line.lstrip().startswith(b"[") else HINT


def _start(line: bytes) -> str:
    text = line[:60].decode("utf-8", "replace")
    return repr(text + ("..." if len(line) > 60 else ""))


MIN_DIMENSIONS = 10  # a line with a word and fewer numbers than this is not a word vector


def is_vector(line: bytes) -> bool:
    """True if a line is a word and its numbers.

    >>> is_vector(b"dog " + b" ".join([b"0.1"] * 50)), is_vector(b"a dog barks")
    (True, False)
    """
    word, *values = line.split(b" ")
    if len(values) < MIN_DIMENSIONS or not word:
        return False
    try:
        return all(float(value) is not None for value in values)
    except ValueError:
        return False


def vector_table(name: str, source: Iterable[TextLine], *, width: int) -> RowTable:
    """A word and `width` numbers per line; the word itself may contain blanks."""
    return sample_table(name, "vectors", _vector_rows(name, source, width))


def _vector_rows(name: str, source: Iterable[TextLine], width: int) -> Iterator[Row | Fault]:
    for number, line in enumerate(source, 1):
        try:
            if isinstance(line, BadRecordError):
                raise line
            word, *values = line.rstrip().rsplit(b" ", width)
            if len(values) == width:
                yield Row(number, {"word": word.decode(), "values": tuple(map(float, values))}, name)
            elif line.strip():
                raise BadRecordError(
                    "wrong number of dimensions", detail=f"{len(values)}, but the first line has {width}"
                )
        except BadRecordError as error:
            yield Fault(number, error)
        except ValueError as error:
            yield Fault(number, BadRecordError("not a word vector", detail=str(error)))
