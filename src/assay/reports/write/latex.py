"""A report as LaTeX: the papers' own tables, ready to include in an article."""

import re
from collections.abc import Sequence

from assay.reports.printable import printable
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.sheets import paper_sheets
from assay.reports.view import View

HEAD = r"""% Tables of Assay. Read them into an article: \input{report}
% The preamble needs \usepackage{booktabs}.
"""

ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
}
"""Characters that TeX would interpret or join, and how they are written instead."""

NEGATIVE = re.compile(r"-[0-9][0-9.]*\*?")


def document(view: View) -> str:
    """Every table that the run has figures for."""
    judged = [f"{suite}: {view.judged(suite)}" for suite in view.suites if view.judged(suite)]
    return "\n".join([HEAD, *(table(_judged(sheet, judged)) for sheet in paper_sheets(view))])


def _judged(sheet: Sheet, judged: Sequence[str]) -> Sheet:
    """The table, whose caption says how its suites are judged: in an article it has no other heading."""
    return sheet._replace(note=" ".join([sheet.note, *judged]))


def table(sheet: Sheet) -> str:
    """A table with its caption and label."""
    places = "".join("r" if column.is_number else "l" for column in sheet.columns)
    head = [escaped(column.name) for column in sheet.columns]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(sheet.title)}. {escaped(sheet.legend())}}}",
        rf"\label{{tab:assay-{sheet.name}}}",
        rf"\begin{{tabular}}{{{places}}}",
        r"\toprule",
        _line(head),
        r"\midrule",
        *(_line([_cell(cell.plain) for cell in row.cells]) for row in sheet.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""Text that TeX sets as it is; characters that its usual fonts lack are shown by code point.

    >>> print(escaped("50 % of a_b"), escaped("日"))
    50 \% of a\_b [U+65E5]
    """
    return "".join(_character(c) for c in printable(text)).replace("--", "-{}-")


def _character(c: str) -> str:
    return ESCAPES.get(c, c if c.isascii() else f"[U+{ord(c):04X}]")


def _cell(text: str) -> str:
    """The sign of a figure is a minus, not a hyphen."""
    return f"$-${text[1:]}" if NEGATIVE.fullmatch(text) else escaped(text)


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
