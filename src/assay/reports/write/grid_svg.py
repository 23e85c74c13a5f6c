"""Heatmaps as SVG, for pictures."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from assay.reports.charts.grid import INITIALS, Grid, Heat
from assay.reports.charts.heat import DARK, fill, grey, ink
from assay.reports.lines import wrapped
from assay.reports.printable import printable

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
SOFT = "#5b616d"
WIDE = 0.6
"""About how wide a letter is, compared with the size of the font."""


class Cells(NamedTuple):
    """The sizes of a drawing, in pixels."""

    width: float = 40
    """Of a cell."""
    height: float = 28
    """Of a cell."""
    font: float = 14
    """Of text in cells and beside them."""
    gap: float = 10
    """Between models."""


def text(
    x: float, y: float, words: str, *, size: float, colour: str = DARK, weight: int = 400, at: str = "start"
) -> str:
    """A line of text; whatever it says is text."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}" font-size="{size:g}" font-weight="{weight}" '
        f'fill="{colour}" text-anchor="{at}">{escape(printable(words))}</text>'
    )


def names_width(grid: Grid, size: float) -> float:
    """The room that the names of the rows take."""
    return max(len(line.name) for line in grid.lines) * size * WIDE + 14


def grid_size(grid: Grid, cells: Cells) -> tuple[float, float]:
    """The width and height of a drawing."""
    columns = max(1, len(grid.columns))
    wide = names_width(grid, cells.font) + len(grid.models) * (columns * cells.width + cells.gap)
    return wide, len(grid.lines) * cells.height + _head(grid, cells)


def draw_grid(grid: Grid, cells: Cells, *, name: Callable[[str], str], x: float = 0, y: float = 0) -> Iterator[str]:
    """The heatmap with its names, from a place on."""
    columns = max(1, len(grid.columns))
    start, top = x + names_width(grid, cells.font), y + _head(grid, cells)
    of_model = columns * cells.width + cells.gap
    roomy = all(len(label) * cells.font * WIDE < cells.width for label in grid.columns)
    for place, model in enumerate(grid.models):
        left = start + place * of_model
        colour, weight = (SOFT, 400) if model in grid.grey else (DARK, 700)
        lines = wrapped(name(model), of_model / (cells.font * WIDE))
        for number, words in enumerate(reversed(lines)):
            above = top - 8 - (number + bool(grid.columns)) * (cells.font + 3)
            yield text(
                left + (of_model - cells.gap) / 2,
                above,
                words,
                size=cells.font,
                colour=colour,
                weight=weight,
                at="middle",
            )
        for column, label in enumerate(grid.columns):
            middle = left + (column + 0.5) * cells.width
            short = label if roomy else INITIALS.get(label, label)
            yield text(middle, top - 7, short, size=cells.font - 1, colour=SOFT, at="middle")
    for row, line in enumerate(grid.lines):
        above = top + row * cells.height
        yield text(x, above + cells.height / 2 + cells.font * 0.35, line.name, size=cells.font)
        yield from _row(grid, line.cells, cells, start, above)


def _row(grid: Grid, own: Sequence[Heat], cells: Cells, start: float, above: float) -> Iterator[str]:
    columns = max(1, len(grid.columns))
    column = 0
    for cell in own:
        left = start + column * cells.width + column // columns * cells.gap
        column += cell.span
        if cell.value is None:
            continue
        is_grey = cell.where["model"] in grid.grey
        colour = grey(cell.value) if is_grey else fill(cell.value)
        wide = cell.span * cells.width - 2
        place = f'x="{left:.1f}" y="{above:.1f}" width="{wide:.1f}" height="{cells.height - 2:g}"'
        yield f'<rect {place} rx="4" fill="{colour}"/>'
        low = above + (cells.height - 2) / 2 + cells.font * 0.35
        yield text(left + wide / 2, low, cell.text, size=cells.font, colour=ink(colour), at="middle")
        if cell.lost:
            yield f'<circle cx="{left + wide - 5:.1f}" cy="{above + 5:.1f}" r="2" fill="{ink(colour)}"/>'


def _head(grid: Grid, cells: Cells) -> float:
    """The height of the names above the columns."""
    return (3 + bool(grid.columns)) * (cells.font + 3) + 4


def svg(parts: Iterator[str], width: float, height: float) -> str:
    """A picture on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><rect width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(parts)}</svg>"
    )
