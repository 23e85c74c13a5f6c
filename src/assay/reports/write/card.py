"""A card to share: one picture with the headline and the heatmap."""

from collections.abc import Iterator

from assay.core.errors import UserError
from assay.reports.charts.grid import Grid, family_grid
from assay.reports.headline import headlines
from assay.reports.lines import wrapped
from assay.reports.sources import sources
from assay.reports.view import View
from assay.reports.write.grid_svg import SOFT, WIDE, Cells, draw_grid, grid_size, names_width, svg, text
from assay.reports.write.pictures import drawing, signed

WIDTH, HEIGHT = 1200, 630
"""In pixels: what links to pages are shown with."""

EDGE = 48
ACCENT = "#0b5c8f"

SIZES = ((34, 3), (29, 3), (25, 4), (21, 5))
"""Sizes of the headline, and how many lines of it fit; the first that holds the words is taken."""

MOST_ROWS = 16


def as_card(view: View) -> dict[str, bytes]:
    """The card as PNG."""
    return {"card.png": signed(bytes(drawing().svg_to_png(card_svg(view))))}


def card_svg(view: View) -> str:
    """The card as SVG."""
    grid = family_grid(view)
    if grid is None:
        raise UserError("There is nothing to show on a card: no figure is by family and label.")
    return svg(_parts(view, grid), WIDTH, HEIGHT)


def _parts(view: View, grid: Grid) -> Iterator[str]:
    first = headlines(view)[0]
    yield text(EDGE, 54, "Assay: right for the right reasons?", size=18, colour=ACCENT, weight=700)
    said = f"{first.name} {first.words}."
    size, most = next((each for each in SIZES if len(_lines(said, each[0])) <= each[1]), SIZES[-1])
    lines = _lines(said, size)[:most]
    for number, line in enumerate(lines):
        yield text(EDGE, 54 + (number + 1) * size * 1.25 + 8, line, size=size, weight=600)
    top = 54 + len(lines) * size * 1.25 + 18
    room = HEIGHT - top - 62
    small = grid._replace(lines=grid.lines[:MOST_ROWS])
    cells = Cells(width=46, height=min(36, (room - 72) / len(small.lines)), font=15, gap=14)
    small = _fitting(small, cells)
    cells = cells._replace(width=min(110, _room(grid, cells) / len(small.models) / max(1, len(grid.columns)) - 6))
    yield from draw_grid(small, cells, name=view.name, x=EDGE, y=top + (room - grid_size(small, cells)[1]) / 2)
    found = sources(view.suites.values())
    origin = f"{sum(each.n for each in found):,} cases of {' and '.join(each.source for each in found)}"
    names = ", ".join(f"{short}: {name}" for short, name in zip("ENC", grid.columns, strict=False))
    told = f"{origin}; right answers in per cent by label ({names}); {view.runs[0].created[:10]}"
    yield text(EDGE, HEIGHT - 26, told, size=15, colour=SOFT)


def _lines(words: str, size: float) -> list[str]:
    return wrapped(words.replace("-", "\u2011"), (WIDTH - 2 * EDGE) / (size * WIDE))


def _room(grid: Grid, cells: Cells) -> float:
    """The width that the cells may take."""
    return WIDTH - 2 * EDGE - names_width(grid, cells.font)


def _fitting(grid: Grid, cells: Cells) -> Grid:
    """As many models as the card has room for; those that the report is about come first."""
    columns = max(1, len(grid.columns))
    kept = grid.models[: max(1, int(_room(grid, cells) / (columns * cells.width + cells.gap)))]
    lines = [each._replace(cells=[cell for cell in each.cells if cell.where["model"] in kept]) for each in grid.lines]
    return grid._replace(models=kept, lines=lines)
