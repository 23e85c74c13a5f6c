"""Charts, heatmaps and the shareable card as pictures."""

import struct
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any, Literal, NamedTuple
from zlib import crc32

import msgspec

from assay.core.errors import MissingExtraError, UserError
from assay.reports.charts.heatmap import DARK, INITIALS, Grid, Heat, family_grid, fill, grey, grids, ink
from assay.reports.charts.report_charts import charts
from assay.reports.charts.vegalite import Spec
from assay.reports.formatting import FEWEST_SHOWN, printable, wrap_words
from assay.reports.headline import case_origins, headlines
from assay.reports.view import ReportView

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
SOFT = "#5b616d"
WIDE = 0.6  # about how wide a letter is, compared with the size of the font
HATCH = 6  # distance of the lines of a hatched cell


class GridSize(NamedTuple):
    width: float = 40
    height: float = 28
    font: float = 14
    gap: float = 10


def svg_text(
    x: float, y: float, words: str, *, size: float, colour: str = DARK, weight: int = 400, at: str = "start"
) -> str:
    """A line of text, which is never interpreted."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}" font-size="{size:g}" font-weight="{weight}" '
        f'fill="{colour}" text-anchor="{at}">{escape(printable(words))}</text>'
    )


def names_width(grid: Grid, size: float) -> float:
    """The room that the names of the rows take."""
    return max(len(line.name) for line in grid.lines) * size * WIDE + 14


def grid_size(grid: Grid, cells: GridSize) -> tuple[float, float]:
    columns = max(1, len(grid.columns))
    wide = names_width(grid, cells.font) + len(grid.models) * (columns * cells.width + cells.gap)
    return wide, len(grid.lines) * cells.height + _head(grid, cells)


def draw_grid(grid: Grid, cells: GridSize, *, name: Callable[[str], str], x: float = 0, y: float = 0) -> Iterator[str]:
    """The heatmap with its names, from a place on."""
    columns = max(1, len(grid.columns))
    start, top = x + names_width(grid, cells.font), y + _head(grid, cells)
    of_model = columns * cells.width + cells.gap
    roomy = all(len(label) * cells.font * WIDE < cells.width for label in grid.columns)
    for place, model in enumerate(grid.models):
        left = start + place * of_model
        colour, weight = (SOFT, 400) if model in grid.grey else (DARK, 700)
        lines = wrap_words(name(model), of_model / (cells.font * WIDE))
        for number, words in enumerate(reversed(lines)):
            above = top - 8 - (number + bool(grid.columns)) * (cells.font + 3)
            middle = left + (of_model - cells.gap) / 2
            yield svg_text(middle, above, words, size=cells.font, colour=colour, weight=weight, at="middle")
        for column, label in enumerate(grid.columns):
            middle = left + (column + 0.5) * cells.width
            short = label if roomy else INITIALS.get(label, label)
            yield svg_text(middle, top - 7, short, size=cells.font - 1, colour=SOFT, at="middle")
    for row, line in enumerate(grid.lines):
        above = top + row * cells.height
        yield svg_text(x, above + cells.height / 2 + cells.font * 0.35, line.name, size=cells.font)
        yield from _row(grid, line.cells, cells, start, above)


def _row(grid: Grid, own: Sequence[Heat], cells: GridSize, start: float, above: float) -> Iterator[str]:
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
        if cell.is_small:
            yield _hatching(left, above, wide, cells.height - 2)
            continue
        place = f'x="{left:.1f}" y="{above:.1f}" width="{wide:.1f}" height="{cells.height - 2:g}"'
        yield f'<rect {place} rx="4" fill="{colour}"/>'
        low = above + (cells.height - 2) / 2 + cells.font * 0.35
        yield svg_text(left + wide / 2, low, cell.text, size=cells.font, colour=ink(colour), at="middle")
        if cell.lost:
            yield f'<circle cx="{left + wide - 5:.1f}" cy="{above + 5:.1f}" r="2" fill="{ink(colour)}"/>'


def _hatching(left: float, above: float, wide: float, high: float) -> str:
    """A cell with too few cases for a colour: diagonal lines within its borders."""
    lines = []
    for start in range(int(-high) + HATCH, int(wide), HATCH):
        first, last = max(0.0, -start), min(high, wide - start)
        ends = [(left + start + way, above + high - way) for way in (first, last)]
        lines.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in ends))
    return f'<path d="{"".join(lines)}" stroke="{SOFT}" stroke-width="0.7" stroke-opacity="0.6"/>'


def _head(grid: Grid, cells: GridSize) -> float:
    """The height of the names above the columns."""
    return (3 + bool(grid.columns)) * (cells.font + 3) + 4


def make_svg(parts: Iterator[str], width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><rect width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(parts)}</svg>"
    )


SCALE = 2  # pixels for each point of the chart, so that it is sharp on paper
PNG = b"\x89PNG"
HEADER_END = 33  # end of the first chunk of every PNG
DRAWN_BY = b"Drawn by Assay"


def draw_report(view: ReportView, kind: Literal["png", "svg"]) -> dict[str, bytes]:
    """Every heatmap and chart as a picture, by file name."""
    load_drawing_library()  # an extra that is missing is named before any work
    drawn = {f"{grid.name}.{kind}": picture_of(draw_heatmap(grid, name=view.name), kind) for grid in grids(view)}
    return drawn | {f"{chart.name}.{kind}": draw_chart(chart.spec, kind) for chart in charts(view)}


def draw_chart(spec: Spec, kind: Literal["png", "svg"]) -> bytes:
    tool = load_drawing_library()
    if kind == "png":
        return sign_picture(bytes(tool.vegalite_to_png(vl_spec=on_paper(spec), scale=SCALE)))
    return sign_picture(str(tool.vegalite_to_svg(vl_spec=on_paper(spec))).encode())


def sign_picture(picture: bytes) -> bytes:
    """The picture with our name in it, which nobody sees, so that `--overwrite` knows it again."""
    if not picture.startswith(PNG):
        start, _, rest = picture.partition(b">")
        return b"%b><!-- %b -->%b" % (start, DRAWN_BY, rest)
    text = b"tEXtSoftware\0" + DRAWN_BY
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", crc32(text))
    return picture[:HEADER_END] + chunk + picture[HEADER_END:]


def draw_heatmap(grid: Grid, *, name: Callable[[str], str]) -> str:
    cells = GridSize(width=40 if grid.columns else 84)
    width, height = grid_size(grid, cells)
    return make_svg(draw_grid(grid, cells, name=name, x=12, y=12), width + 24, height + 24)


def picture_of(drawn: str, kind: Literal["png", "svg"]) -> bytes:
    """An SVG as a file, or as a PNG."""
    return sign_picture(
        bytes(load_drawing_library().svg_to_png(drawn, scale=SCALE)) if kind == "png" else drawn.encode()
    )


def on_paper(spec: Spec) -> Spec:
    """The chart with its own text and background colours, since a picture has no page to take them from."""
    text = msgspec.json.encode(spec).replace(b'"currentColor"', msgspec.json.encode("#16181d"))
    made: Spec = msgspec.json.decode(text)
    made["config"]["background"] = "#ffffff"
    return made


def load_drawing_library() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("report", needed_for="Drawing charts as pictures") from error
    return vl_convert


WIDTH, HEIGHT = 1200, 630  # in pixels: what links to pages are shown with
EDGE = 48

SIZES = ((34, 3), (29, 3), (25, 4), (21, 5))
"""Sizes of the headline, and how many lines of it fit; the first that holds the words is taken."""


def as_card(view: ReportView) -> dict[str, bytes]:
    return {"card.png": sign_picture(bytes(load_drawing_library().svg_to_png(card_svg(view))))}


def card_svg(view: ReportView) -> str:
    grid = family_grid(view)
    if grid is None:
        raise UserError("There is nothing to show on a card: no number is by family and label.")
    return make_svg(_parts(view, grid), WIDTH, HEIGHT)


def _parts(view: ReportView, grid: Grid) -> Iterator[str]:
    first = headlines(view)[0]
    yield svg_text(EDGE, 54, "Assay: right for the right reasons?", size=18, colour="#0b5c8f", weight=700)
    said = f"{first.name} {first.words}."
    size, most = next((each for each in SIZES if len(_lines(said, each[0])) <= each[1]), SIZES[-1])
    lines = _lines(said, size)[:most]
    for number, line in enumerate(lines):
        yield svg_text(EDGE, 54 + (number + 1) * size * 1.25 + 8, line, size=size, weight=600)
    top = 54 + len(lines) * size * 1.25 + 18
    room = HEIGHT - top - 62
    small = grid._replace(lines=grid.lines[:16])  # as many rows as fit
    cells = GridSize(width=46, height=min(36, (room - 72) / len(small.lines)), font=15, gap=14)
    columns, width = max(1, len(grid.columns)), WIDTH - 2 * EDGE - names_width(grid, cells.font)
    # As many models as there is room for; those that the report is about come first.
    kept = small.models[: max(1, int(width / (columns * cells.width + cells.gap)))]
    rows = [row._replace(cells=[cell for cell in row.cells if cell.where["model"] in kept]) for row in small.lines]
    small = small._replace(models=kept, lines=rows)
    cells = cells._replace(width=min(110, width / len(kept) / columns - 6))
    yield from draw_grid(small, cells, name=view.name, x=EDGE, y=top + (room - grid_size(small, cells)[1]) / 2)
    found = case_origins(view.suites.values())
    origin = f"{sum(each.n for each in found):,} cases of {' and '.join(each.source for each in found)}"
    names = ", ".join(f"{short}: {name}" for short, name in zip("ENC", grid.columns, strict=False))
    is_hatched = any(cell.is_small for row in small.lines for cell in row.cells)
    hatched = f"; hatched: n < {FEWEST_SHOWN}" if is_hatched else ""
    told = f"{origin}; right answers in % by label ({names}){hatched}; {view.runs[0].created[:10]}"
    yield svg_text(EDGE, HEIGHT - 26, told, size=15, colour=SOFT)


def _lines(words: str, size: float) -> list[str]:
    return wrap_words(words.replace("-", "\u2011"), (WIDTH - 2 * EDGE) / (size * WIDE))
