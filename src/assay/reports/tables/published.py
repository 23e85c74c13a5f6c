"""Published figures as tables in the terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from assay.reports.published.figures import Figure, paper, table
from assay.reports.write.terminal import plain_table

MARK = "*"
"""Stands beside a doubtful figure."""


def published_tables(figures: Sequence[Figure]) -> RenderableType:
    """Each table of which there is a figure, with what is doubtful below it."""
    parts: list[RenderableType] = []
    for key, number in dict.fromkeys((each.paper, each.table) for each in figures):
        parts += [*_one(key, number, [each for each in figures if (each.paper, each.table) == (key, number)]), Text("")]
    return Group(*parts[:-1])


def _one(key: str, number: str, own: Sequence[Figure]) -> list[RenderableType]:
    shown = table(key, number)
    cells = {(each.row, each.column): f"{each.printed}{MARK if each.doubt else ''}" for each in own}
    rows, columns = list(dict.fromkeys(each.row for each in own)), list(dict.fromkeys(each.column for each in own))
    if _width(columns, rows) > _width(rows, columns):
        rows, columns, cells = columns, rows, {(column, row): cell for (row, column), cell in cells.items()}
    body = [{"": row, **{f">{column}": cells.get((row, column), "-") for column in columns}} for row in rows]
    place = number if number.startswith("section") else f"table {number}"
    below = [shown.note] if shown.note else []
    if any(each.doubt for each in own):
        facts = dict.fromkeys(each.fact for each in paper(key).doubts if each.table == number)
        below += [f"{MARK} {fact}" for fact in facts]
    head = Text(f"{key}, {place}: {shown.title} ({shown.unit})", style="bold")
    return [head, plain_table(body), *(Text(each, style="dim") for each in below)]


def _width(columns: Sequence[str], rows: Sequence[str]) -> int:
    return max(map(len, rows)) + sum(len(column) + 1 for column in columns)
