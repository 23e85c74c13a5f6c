r"""A report as LaTeX: the papers' own tables and thresholds, ready to include in an article of one or two columns."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from assay.core.estimate import Interval, SeedRange
from assay.reports.formatting import ends, percent, printable, wrap_words
from assay.reports.tables.report_tables import ARTICLE, sheets
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn
from assay.reports.view import ReportView

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
    '"': "{''}",
    "'": "'{}",
    "`": r"\textasciigrave{}",
}
"""Characters that TeX would interpret or join, and how they are written instead."""

NEGATIVE = re.compile(r"(?<![\w.)-])-(?=[0-9])")  # the sign of a negative number, also within an interval
COLUMN, PAGE = 215.0, 450.0  # the room in one column and across both, in points, in the narrowest style of conferences
LETTER, BETWEEN = 4.4, 6.0  # width of a letter of the tables' font, and the space between two columns, in points
NARROW = 9  # longer names of columns are broken into lines
TALLEST = 50  # lines of a table that fit on a page, with a long caption
BEST = {"naik": "column", "mccoy": "column", "glockner": "row"}  # whether the best of each column or row is bold


class Style(NamedTuple):
    tables: Sequence[str] = ()
    intervals: bool = False  # whether 95% intervals, or ranges of seeds, are below the numbers
    marks: bool = True  # whether unexpected numbers are marked


PLAIN = Style()


def document(view: ReportView, style: Style = PLAIN) -> str:
    """The tables that the run has numbers for."""
    chosen = [each for each in sheets(view, ARTICLE) if not style.tables or each.name in style.tables]
    # A caption says how the suites of its table are judged: in an article it has no other heading.
    told = [each._replace(note=f"{each.note} {view.judged(each.suites)}".strip()) for each in chosen]
    return "\n".join([HEAD, *(table(each, style, plain=view.references | view.seeds) for each in told)])


def table(sheet: Sheet, style: Style = PLAIN, *, plain: frozenset[str] = frozenset()) -> str:
    """A table with its caption and label: across both columns if one is too narrow, in parts if a page is too small.

    The best numbers are bold, but not those of the models `plain`.
    """
    own = [part for page in _pages(sheet, TALLEST // 2 if style.intervals else TALLEST) for part in _parts(page, style)]
    names = [sheet.name, *(f"{sheet.name}-{number}" for number in range(2, len(own) + 1))]
    return "\n".join(
        _table(each._replace(name=name), sheet, style, plain) for each, name in zip(own, names, strict=True)
    )


def _table(sheet: Sheet, whole: Sheet, style: Style, plain: frozenset[str]) -> str:
    wide = width(sheet, style)
    star, size = "*" if wide > COLUMN else "", r"\scriptsize" if wide > PAGE else r"\footnotesize"
    places = "".join("r" if column.is_number else "l" for column in sheet.columns)
    best = _best(sheet, BEST.get(whole.name, ""), plain)
    lines = [
        rf"\begin{{table{star}}}[t]",
        rf"\centering{size}\setlength{{\tabcolsep}}{{3pt}}\setlength{{\belowcaptionskip}}{{4pt}}",
        rf"\caption{{{escape_tex(_caption(whole, style, best=bool(best)))}}}",
        rf"\label{{tab:assay-{sheet.name}}}",
        rf"\begin{{tabular}}{{@{{}}{places}@{{}}}}",
        r"\toprule",
        *_head(sheet.columns),
        r"\midrule",
        *(_body(sheet, style, best)),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\end{{table{star}}}",
        "",
    ]
    return "\n".join(lines)


def _pages(sheet: Sheet, most: int) -> Iterator[Sheet]:
    """The table, or several with as many rows as fit on a page; rows that are indented twice stay below their head."""
    rows = sheet.rows
    while len(rows) > most:
        heads = (place for place in range(most // 2, most + 1) if not rows[place].cells[0].text.startswith("    "))
        cut = max(heads, default=most)
        yield sheet._replace(rows=rows[:cut])
        rows = rows[cut:]
    yield sheet._replace(rows=rows)


def _parts(sheet: Sheet, style: Style) -> Iterator[Sheet]:
    """The table, or several with as many columns as fit on a page in a smaller font; the first columns are repeated."""
    fixed = [place for place, column in enumerate(sheet.columns) if not column.is_number]
    here: list[int] = []
    for place in (place for place in range(len(sheet.columns)) if place not in fixed):
        if here and width(sheet.only([*fixed, *here, place]), style) * 0.8 > PAGE:  # in a smaller font
            yield sheet.only([*fixed, *here])
            here = []
        here.append(place)
    yield sheet.only([*fixed, *here])


def width(sheet: Sheet, style: Style = PLAIN) -> float:
    """About how wide the table is, in points."""
    wide = 0.0
    for place, column in enumerate(sheet.columns):
        cells = [row.cells[place] for row in sheet.rows]
        letters = [len(line) for line in wrap_words(_lower(column.name), NARROW)] + [len(cell.plain) for cell in cells]
        below = [ends(cell.ends.low, cell.ends.high) for cell in cells if style.intervals and cell.ends]
        # Intervals have smaller letters than numbers.
        wide += max([*letters, *((len(each) + 1) * 0.62 for each in below)]) * LETTER + BETWEEN
    return wide


def _caption(sheet: Sheet, style: Style, *, best: bool) -> str:
    marked = sheet if style.marks else sheet._replace(mark="")
    told = [f"{sheet.title}.", marked.legend()]
    if style.intervals:
        there = {type(cell.ends) for row in sheet.rows for cell in row.cells}
        below = ["95% interval"] if Interval in there else []
        below += ["of a mean over seeds, the lowest and the highest seed"] if SeedRange in there or not below else []
        told.append(f"Below: {'; '.join(below)}.")
    told += ["Bold: the best, without baselines and single seeds of a mean."] if best else []
    return " ".join(told)


def _head(columns: Sequence[SheetColumn]) -> Iterator[str]:
    """The names of the columns; those of one kind, such as `entailment: subsequence`, have its name above them."""
    kinds = [column.name.partition(": ")[0] if ": " in column.name else "" for column in columns]
    if any(kinds):
        above, rules, place = [], [], 1
        for kind, own in groupby(kinds):
            many = len(list(own))
            above += [rf"\multicolumn{{{many}}}{{c}}{{{escape_tex(kind)}}}"] if kind else [""] * many
            rules += [rf"\cmidrule(lr){{{place}-{place + many - 1}}}"] if kind else []
            place += many
        yield _line(above)
        yield "".join(rules)
    yield _line([_name(_lower(column.name), is_number=column.is_number) for column in columns])


def _lower(name: str) -> str:
    return name.partition(": ")[2] or name


def _name(name: str, *, is_number: bool) -> str:
    """A name in as many lines as it needs; numbers are aligned to the right, and so are their names."""
    lines = [escape_tex(each) for each in wrap_words(name, NARROW)]
    if len(lines) == 1:
        return lines[0]
    stacked = r"\\".join(lines)
    return rf"\shortstack[{'r' if is_number else 'l'}]{{{stacked}}}"


def _best(sheet: Sheet, way: str, plain: frozenset[str]) -> set[tuple[int, int]]:
    """The places of the highest numbers, by row and column; none where all are equal."""
    found: dict[int, list[tuple[float, tuple[int, int]]]] = {}
    for y, row in enumerate(sheet.rows):
        for x, (column, cell) in enumerate(zip(sheet.columns, row.cells, strict=True)):
            model = row.model or column.model
            if way and model and model not in plain and cell.value is not None:
                found.setdefault(x if way == "column" else y, []).append((cell.value, (y, x)))
    return {place for own in found.values() for value, place in own if value == max(own)[0] > min(own)[0]}


def _body(sheet: Sheet, style: Style, best: set[tuple[int, int]]) -> Iterator[str]:
    for y, row in enumerate(sheet.rows):
        if not row.model and y and sheet.rows[y - 1].model:
            yield r"\midrule"
        above = sheet.rows[y - 1].model if y else ""  # a model that has a row above is not named again
        same = bool(row.model) and row.model == above and not sheet.columns[1].is_number
        cells = [_cell(cell, style, bold=(y, x) in best) for x, cell in enumerate(row.cells)]
        yield _line(["" if same and x == 0 else each for x, each in enumerate(cells)])
        if style.intervals and any(_ends(cell) for cell in row.cells):
            yield _line([_ends(cell) for cell in row.cells])


def _cell(cell: SheetCell, style: Style, *, bold: bool) -> str:
    """A number; its sign is a minus, not a hyphen. Indented names stay indented."""
    shown = cell.plain if style.marks else cell.text
    indent = (len(shown) - len(shown.lstrip())) // 2
    text = r"\quad " * indent + NEGATIVE.sub("$-$", escape_tex(shown.lstrip()))
    return rf"\textbf{{{text}}}" if bold else text


def _ends(cell: SheetCell) -> str:
    """The interval or range, for the line below the number."""
    if cell.ends is None:
        return ""
    low, high = (percent(each).replace("-", "$-$") for each in cell.ends)
    return rf"{{\tiny {low}--{high}}}" if "-" not in low + high else rf"{{\tiny {low} to {high}}}"


def escape_tex(text: str) -> str:
    r"""Text that TeX sets as it is; characters that its usual fonts lack are shown by code point.

    >>> print(escape_tex("50% of a_b"), escape_tex("日"))
    50\% of a\_b [U+65E5]
    """
    shown = (ESCAPES.get(c, c if c.isascii() else f"[U+{ord(c):04X}]") for c in printable(text))
    return "".join(shown).replace("--", "-{}-")


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
