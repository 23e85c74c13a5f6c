"""Lines to rows: JSON lines, delimited text and parquet, before any of it means anything."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core.errors import BadInputError, BadRecordError
from assay.core.protocols import Row, Sample
from assay.corpora.lines import Line

MIN_DIMENSIONS = 10
"""A line with a word and fewer numbers than this is no word vector."""


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


def text_table(name: str, source: Iterable[Line]) -> Table | None:
    """Look at the first line to see how a text file stores its rows; None if there is no line."""
    source = iter(source)
    early: list[Line] = []
    for line in source:
        early.append(line)
        if line.fault or line.data.strip():
            break
    else:
        return None
    first = early[-1]
    rest = chain([first], source)
    if first.fault:
        return Table(Sample(name, "unreadable", (), {}), (Fault(line.number, line.fault) for line in [first] if line.fault))
    start = first.data.lstrip()
    if start.startswith(b"["):
        raise BadInputError("a JSON array, not JSON lines", where=f"{name}:{first.number}", hint="Convert it with `jq -c '.[]'`.")
    if start.startswith(b"{"):
        return _json_lines(name, rest)
    if _is_vector(first.data):
        return _vectors(name, rest)
    return _delimited(name, rest)


def _json_lines(name: str, source: Iterator[Line]) -> Table:
    peeked = list(islice(source, 1))
    for line in peeked:
        _refuse_duplicate_keys(name, line)
    first = next(_json_rows(peeked), None)
    fields = first.fields if isinstance(first, Row) else {}
    return Table(Sample(name, "jsonl", tuple(fields), fields), _json_rows(chain(peeked, source)))


def _json_rows(source: Iterable[Line]) -> Iterator[Row | Fault]:
    decode = msgspec.json.Decoder().decode
    for number, data, fault in source:
        if fault:
            yield Fault(number, fault)
            continue
        try:
            fields = decode(data)
        except UnicodeDecodeError as error:
            yield Fault(number, _wrong_encoding(error))
            continue
        except msgspec.DecodeError as error:
            if data.strip():
                yield Fault(number, BadRecordError("not JSON", detail=f"{error} in {_start(data)}", hint="One JSON object a line is expected."))
            continue
        if type(fields) is dict:
            yield Row(number, fields)
        else:
            yield Fault(number, BadRecordError("not a JSON object", detail=_start(data), hint="One JSON object a line is expected."))


def _refuse_duplicate_keys(name: str, line: Line) -> None:
    def check(pairs: list[tuple[str, Any]]) -> None:
        _refuse_duplicates(f"{name}:{line.number}", [key for key, _ in pairs])

    try:
        json.loads(line.data, object_pairs_hook=check)
    except (ValueError, RecursionError):
        return  # the row reader says what is wrong


def _delimited(name: str, source: Iterator[Line]) -> Table:
    first = next(source)
    try:
        head = first.data.decode()
    except UnicodeDecodeError as error:
        return Table(Sample(name, "unreadable", (), {}), iter([Fault(first.number, _wrong_encoding(error))]))
    tabs = "\t" in head
    records = _split_tabs(source) if tabs else _split_commas(source)
    columns: Sequence[str] = head.split("\t") if tabs else next(csv.reader([head]))
    if len(columns) < 2:
        raise BadInputError(
            "neither JSON lines nor columns separated by tabs or commas",
            where=f"{name}:{first.number}",
            hint="Give one record a line: JSON objects, or a header and columns.",
        )
    _refuse_duplicates(f"{name}:{first.number}", columns)
    if _has_no_header(columns):
        opening: list[Row | Fault] = [Row(first.number, dict(zip(map(str, range(len(columns))), columns, strict=True)))]
        columns = [str(i) for i in range(len(columns))]
    else:
        opening = []
    rows = chain(opening, _with_columns(records, columns))
    peeked = list(islice(rows, 1))
    fields = peeked[0].fields if peeked and isinstance(peeked[0], Row) else {}
    return Table(Sample(name, "tsv" if tabs else "csv", tuple(columns), fields), chain(peeked, rows))


def _has_no_header(columns: Sequence[str]) -> bool:
    """SciTail's tab-separated files have no header: the third column is a label."""
    return len(columns) in (3, 4) and columns[2].strip().lower() in ("entails", "neutral")


def _split_tabs(source: Iterable[Line]) -> Iterator[tuple[int, list[str] | BadRecordError]]:
    """The releases of the field never quote: a quotation mark is a quotation mark."""
    for number, data, fault in source:
        if fault:
            yield number, fault
            continue
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            yield number, _wrong_encoding(error)
            continue
        if text:
            yield number, text.split("\t")


def _split_commas(source: Iterable[Line]) -> Iterator[tuple[int, list[str] | BadRecordError]]:
    faults: list[tuple[int, BadRecordError]] = []
    at = 1

    def texts() -> Iterator[str]:
        nonlocal at
        for number, data, fault in source:
            at = number
            try:
                text = data.decode()
            except UnicodeDecodeError as error:
                fault = _wrong_encoding(error)
            if fault:
                faults.append((number, fault))
                continue
            yield text + "\n"

    reader = csv.reader(texts(), strict=True)
    while True:
        try:
            fields = next(reader, None)
        except csv.Error as error:
            hint = "Check the quotation marks: a field that holds one is quoted, and the mark inside doubled."
            yield at, BadRecordError("broken csv", detail=str(error), hint=hint)
            continue
        yield from faults
        faults.clear()
        if fields is None:
            return
        if fields:
            yield at, fields


def _with_columns(records: Iterable[tuple[int, list[str] | BadRecordError]], columns: Sequence[str]) -> Iterator[Row | Fault]:
    width = len(columns)
    for number, fields in records:
        if isinstance(fields, BadRecordError):
            yield Fault(number, fields)
        elif len(fields) == width:
            yield Row(number, dict(zip(columns, fields, strict=True)))
        elif len(fields) > width and columns[-1].startswith("label"):
            # The released SNLI and MultiNLI text files have rows with more annotators than their header names.
            yield Row(number, dict(zip(columns, fields, strict=False)))
        else:
            detail = f"{len(fields)} where the header names {width}"
            yield Fault(number, BadRecordError("wrong number of columns", detail=detail, hint="Repair the row, or use --on-error skip."))


def _is_vector(data: bytes) -> bool:
    word, *values = data.split(b" ")
    if len(values) < MIN_DIMENSIONS or not word:
        return False
    try:
        [float(value) for value in values]
    except ValueError:
        return False
    return True


def _vectors(name: str, source: Iterator[Line]) -> Table:
    first = next(source)
    width = first.data.count(b" ")

    def rows() -> Iterator[Row | Fault]:
        for number, data, fault in chain([first], source):
            word, *values = data.rstrip(b" ").rsplit(b" ", width)
            try:
                if fault:
                    raise fault
                if len(values) != width:
                    raise BadRecordError("wrong number of dimensions", detail=f"{len(values)}, not {width}")
                yield Row(number, {"word": word.decode(), "values": [float(value) for value in values]})
            except BadRecordError as error:
                yield Fault(number, error)
            except ValueError as error:
                yield Fault(number, BadRecordError("not a word vector", detail=str(error)))

    return Table(Sample(name, "vectors", ("word", "values"), {}), rows())


def parquet_table(name: str, path: Path) -> Table:
    """The rows of a parquet file, read in chunks."""
    import duckdb

    connection = duckdb.connect()
    try:
        result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
    except duckdb.Error as error:
        raise BadInputError(f"not a readable parquet file: {error}", where=name) from error
    columns = tuple(column[0] for column in result.description or ())

    def rows() -> Iterator[Row | Fault]:
        number = 0
        while chunk := result.fetchmany(4096):
            for values in chunk:
                number += 1
                yield Row(number, dict(zip(columns, values, strict=True)))
        connection.close()

    return Table(Sample(name, "parquet", columns, {}), rows())


def _refuse_duplicates(where: str, columns: Sequence[str]) -> None:
    repeated = [column for column, count in Counter(columns).items() if count > 1]
    if repeated:
        raise BadInputError(f"duplicate column {repeated[0]!r}", where=where, hint="Rename or drop one of the two.")


def _wrong_encoding(error: UnicodeDecodeError) -> BadRecordError:
    return BadRecordError(
        "not UTF-8 text",
        detail=f"byte 0x{error.object[error.start]:02x}",
        hint="Say how the file is encoded, for example --encoding latin-1.",
    )


def _start(data: bytes) -> str:
    text = data[:60].decode("utf-8", "replace")
    return repr(text + ("..." if len(data) > 60 else ""))
