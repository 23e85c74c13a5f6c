"""Text with a header and columns, separated by tabs, commas or semicolons, to rows."""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from assay.core.errors import BadInputError, BadRecordError
from assay.core.protocols import Row
from assay.corpora.files.lines import TextLine
from assay.corpora.files.table import Fault, Table, repeated, table, wrong_encoding

ANNOTATOR = re.compile(r"label\d+")
"""Columns that some rows of the releases' text files have more or fewer of than the header."""

RECORD_LINES = 1000
"""The most lines in a csv record; in a longer one, a quotation mark was opened by accident."""

RECORD_SIZE = 1 << 20
"""The most characters in a csv record of several lines, for the same reason."""

QUOTES_HINT = "Check the quotation marks: a field that contains one must be quoted, and the mark inside doubled."

Numbered = tuple[int, str | BadRecordError]
"""A line with its number."""

Fields = tuple[int, list[str] | BadRecordError]
"""The fields between the separators, with the number of the first line."""


def delimited_table(name: str, source: Iterable[TextLine], *, where: str) -> Table:
    """The rows below a header line; a broken header is fatal, because every row depends on it."""
    source = iter(source)
    number, first = next(
        item for item in enumerate(source, 1) if isinstance(item[1], BadRecordError) or item[1].strip()
    )
    numbered: Iterator[Numbered] = enumerate(map(_text, source), number + 1)
    head = _text(first)
    try:
        columns, separator = _header(head)
    except BadRecordError as error:
        raise BadInputError(str(error), where=f"{where}:{number}", hint=error.hint) from error
    if _has_no_header(columns):
        numbered = chain([(number, head)], numbered)
        columns = [str(i) for i in range(len(columns))]
    elif fault := repeated(columns):
        raise BadInputError(str(fault), where=f"{where}:{number}", hint=fault.hint)
    tabs = separator == "\t"
    records = _split_tabs(numbered) if tabs else _split_quoted(numbered, len(columns), separator)
    return table(name, "tsv" if tabs else "csv", _rows(name, records, columns), columns=columns)


def _header(head: str | BadRecordError) -> tuple[list[str], str]:
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


def _text(line: TextLine) -> str | BadRecordError:
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


def _rows(name: str, records: Iterable[Fields], columns: Sequence[str]) -> Iterator[Row | Fault]:
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
