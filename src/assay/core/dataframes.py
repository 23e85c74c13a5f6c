"""Records as columns for data frames, lines of csv, and HTML tables for notebooks."""

import csv
import io
from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core.errors import MissingExtraError

if TYPE_CHECKING:
    from assay.core.case import Case
    from assay.core.estimate import Estimate

FIELDS = ("id", "premise", "hypothesis", "label", "family", "variant", "origin", "root", "expects")
"""The columns of every suite; its groups have one each, called `group.NAME`."""

SLICES = ("model", "suite", "family", "label")  # the names that the slices of nearly all numbers have
VALUES = ("value", "low", "high", "n")  # the columns of the number itself

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters that a spreadsheet takes for the start of a formula, or skips before one; the last four are full width."""


def columns(cases: "Iterable[Case]") -> dict[str, list[str | None]]:
    """Each field and each group as a list of text; None if a case is not in a group, or has no label.

    >>> list(columns([]))
    ['id', 'premise', 'hypothesis', 'label', 'family', 'variant', 'origin', 'root', 'expects']
    """
    found: dict[str, list[str | None]] = {name: [] for name in FIELDS}
    groups: dict[str, list[str | None]] = {}
    count = 0
    for case in cases:
        for name in FIELDS:
            found[name].append(case.label and case.label.value if name == "label" else getattr(case, name))
        for name, value in case.group.items():
            column = groups.setdefault(f"group.{name}", [])
            column += [None] * (count - len(column))
            column.append(value)
        count += 1
    for column in groups.values():
        column += [None] * (count - len(column))
    return found | groups


def slice_columns(estimates: "Iterable[Estimate]") -> dict[str, str]:
    """The columns for the names of slices: first those that nearly every number has, then the others as they appear."""
    names = dict.fromkeys([*SLICES, *(name for e in estimates for name in e.slice)])
    return {f"slice.{name}" if name in ("figure", *VALUES) else name: name for name in names}


def estimate_columns(estimates: "Sequence[Estimate]") -> dict[str, list[Any]]:
    """The numbers by column; None if a number's slice has no such name, or nothing was measured.

    >>> list(estimate_columns([]))
    ['figure', 'model', 'suite', 'family', 'label', 'value', 'low', 'high', 'n']
    """
    return {
        "figure": [e.name for e in estimates],
        **{column: [e.slice.get(name) for e in estimates] for column, name in slice_columns(estimates).items()},
        **{name: [getattr(e, name) for e in estimates] for name in VALUES},
    }


def frame_library(name: str) -> Any:
    """A library for data frames, imported now; if it is not installed, the error names the extra that provides it."""
    try:
        return import_module(name)
    except ImportError as error:
        extra, frame = ("hf", "Hugging Face data set") if name == "datasets" else (name, f"{name} data frame")
        raise MissingExtraError(extra, needed_for=f"A {frame}") from error


def csv_line(values: "Iterable[object]") -> str:
    r"""A line of a csv file; a field with a line break of any kind is quoted.

    >>> csv_line([1, "a\rb", "c d"])
    '1,"a\rb",c d\n'
    """
    line = io.StringIO()
    csv.writer(line).writerow(values)  # it quotes the characters of its own line end, so that must be both
    return f"{line.getvalue()[:-2]}\n"


def guard_formula(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> guard_formula("-5 degrees"), guard_formula("5 degrees")
    ("'-5 degrees", '5 degrees')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


MOST = 60  # number of rows that are shown; the rest are counted
MARK = "*"  # marks a number that shows a problem, in tables that are plain text
REFERENCE = "baseline"  # marks a model that is a reference, after its name


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a caption; numbers are right-aligned.

    >>> html_table("<b>", ["family", "cases"], [["a & b", 3]])
    '<table><caption>&lt;b&gt;</caption><thead><tr><th>family</th><th>cases</th></tr></thead><tbody><tr><td>a &amp; b</td><td style="text-align: right">3</td></tr></tbody></table>'
    """  # noqa: E501 - one line of HTML
    found = list(rows)
    head = "".join(f"<th>{_html_text(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in found[:MOST])
    if len(found) > MOST:
        body += f'<tr><td colspan="{len(columns)}">... and {len(found) - MOST:,} more</td></tr>'
    return f"<table><caption>{_html_text(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


FEW = 20  # number of rows that are printed as text; the rest are counted


def text_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as plain text below its caption; numbers are right-aligned.

    >>> print(text_table("Two families", ["family", "cases"], [["negation", 30], ["swap", 1250]]))
    Two families
      family    cases
      negation     30
      swap      1,250
    """
    found = list(rows)
    shown = [[f"{each:,}" if isinstance(each, int) else str(each) for each in row] for row in found[:FEW]]
    numeric = [isinstance(each, int | ShownNumber) for each in found[0]] if found else []
    lines = [list(columns), *shown]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    printed = [
        "  ".join(
            f"{text:>{wide}}" if right else f"{text:<{wide}}"
            for text, wide, right in zip_longest(line, widths, numeric, fillvalue=False)
        )
        for line in lines
    ]
    more = [f"... and {len(found) - FEW:,} more"] if len(found) > FEW else []
    return "\n".join([caption, *(f"  {line}".rstrip() for line in [*printed, *more])])


class ShownTable(NamedTuple):
    """A table for a prompt or a notebook."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


class TableRecord:
    """A result that is printed as small tables, and shown as HTML tables by notebooks."""

    __slots__ = ()

    def _tables(self, *, brief: bool) -> list[ShownTable]:
        """Its tables; `brief` ones are for the prompt."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return "\n".join(text_table(*each) for each in self._tables(brief=True))

    def _repr_html_(self) -> str:
        return "".join(html_table(*each) for each in self._tables(brief=False))


class ShownNumber(str):
    __slots__ = ()


def share(value: float | None, *, marked: bool = False) -> ShownNumber:
    """A share in %, to one decimal; a dash if nothing was measured.

    >>> share(0.5), share(0.25, marked=True), share(None)
    ('50.0', '25.0*', '-')
    """
    return ShownNumber("-" if value is None else f"{value * 100:.1f}{MARK if marked else ''}")


def _html_cell(value: object) -> str:
    if isinstance(value, int | ShownNumber):
        shown = f"{value:,}" if isinstance(value, int) else value
        return f'<td style="text-align: right">{shown}</td>'
    return f"<td>{_html_text(str(value))}</td>"


def _html_text(text: str) -> str:
    """Escaped for HTML, with nothing in it that changes the direction of writing."""
    seen = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape(seen)
