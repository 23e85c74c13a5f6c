"""Rows of text files that our readers read back unchanged; what a format can't hold is refused with its id."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay.core.case import Case
from assay.core.dataframes import csv_line
from assay.core.errors import UserError
from assay.core.label_space import TWO_LABELS
from assay.core.pair import Pair, Parses
from assay.corpora.byte_streams import LINE_LIMIT
from assay.corpora.text_tables import RECORD_LINES, RECORD_SIZE

INSTEAD = "Export --to snli or parquet instead."  # the formats that hold any text
SHORTER = "No text file can hold it: leave it out, or export --to parquet."


def labelled_cases(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases that have a label; others, such as swapped pairs, have no single right answer."""
    return (case for case in cases if case.label)


def tab_line(values: Iterable[str], *, name: str) -> str:
    """A row of a tab-separated table; `name` is what errors call it."""
    row = list(values)
    if any(mark in value for value in row for mark in "\t\n\r"):
        raise _refusal(name, "a tab or a line break", INSTEAD)
    _refuse_nul(row, name, INSTEAD)
    return _check_length("\t".join(row) + "\n", name)


def comma_separated(values: Iterable[str], *, name: str, instead: str = INSTEAD) -> str:
    """A row of a csv file; `instead` says what to do about one that a csv file can't hold."""
    row = list(values)
    _refuse_nul(row, name, instead)
    longest = csv.field_size_limit()
    if any(len(value) > longest for value in row):
        raise _refusal(name, f"a text of more than {longest:,} characters", instead)
    line = csv_line(row)
    breaks = line.count("\n")
    if breaks > RECORD_LINES or (breaks > 1 and len(line) > RECORD_SIZE):
        raise _refusal(name, "too many lines of text", instead)
    return _check_length(line, name)


def json_line(fields: Mapping[str, Any], *, name: str) -> str:
    return _check_length(json.dumps(fields, ensure_ascii=False) + "\n", name)


def _refuse_nul(row: Sequence[str], name: str, instead: str) -> None:
    if any("\0" in value for value in row):
        raise _refusal(name, "a NUL character", instead)


def _check_length(line: str, name: str) -> str:
    # A character is at most four bytes, so most lines need not be encoded to know.
    if len(line) > LINE_LIMIT // 4 and len(line.encode()) > LINE_LIMIT:
        raise _refusal(name, f"more than {LINE_LIMIT >> 20} MiB", SHORTER)
    return line


def _refusal(name: str, what: str, instead: str) -> UserError:
    return UserError(f"{name!r} contains {what}, which this format can't hold.\n  {instead}")


PARSES = ("sentence1_binary_parse", "sentence2_binary_parse", "sentence1_parse", "sentence2_parse")
HANS_COLUMNS = ("gold_label", *PARSES, "sentence1", "sentence2", "pairID", "heuristic", "subcase", "template")

_NO_PARSES = Parses()


def hans_header(ending: str) -> str:
    """The lines before the first row."""
    return "" if ending == ".jsonl" else "\t".join(HANS_COLUMNS) + "\n"


def hans_line(pair: Pair, ending: str) -> str:
    r"""A pair as a row of a `.jsonl` file, or else of a tab-separated table.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="ex0", premise="The judge ran .", hypothesis="The actor ran .", label=Label.NEUTRAL)
    >>> hans_line(pair, ".txt")
    'non-entailment\t\t\t\t\tThe judge ran .\tThe actor ran .\tex0\t\t\t\n'
    """
    trees = pair.parses or _NO_PARSES
    values = (
        TWO_LABELS.read(pair.label).value,
        *(trees.premise_binary, trees.hypothesis_binary, trees.premise, trees.hypothesis),
        *(pair.premise, pair.hypothesis, pair.id),
        *(pair.group.get(column) for column in HANS_COLUMNS[-3:]),
    )
    row = {column: value or "" for column, value in zip(HANS_COLUMNS, values, strict=True)}
    return json_line(row, name=pair.id) if ending == ".jsonl" else tab_line(row.values(), name=pair.id)
