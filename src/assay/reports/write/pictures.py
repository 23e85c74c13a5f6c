"""The charts of a report as pictures."""

import struct
from typing import Any, Literal
from zlib import crc32

import msgspec

from assay.core.errors import MissingExtraError
from assay.reports.charts.charts import charts
from assay.reports.charts.grid import grids
from assay.reports.charts.vegalite import Spec
from assay.reports.view import View
from assay.reports.write.grid_svg import Cells, draw_grid, grid_size, svg

SCALE = 2
"""Pixels for each point of the chart, so that it is sharp on paper."""

PNG = b"\x89PNG"
HEADER_END = 33
"""Where the first chunk of every PNG ends."""

DRAWN_BY = b"Drawn by Assay"

INK = "#16181d"
PAPER = "#ffffff"


def as_png(view: View) -> dict[str, bytes]:
    """Every heatmap and chart as PNG, by name."""
    tool = drawing()
    made = _heatmaps(view)
    heatmaps = {f"{name}.png": signed(bytes(tool.svg_to_png(each, scale=SCALE))) for name, each in made.items()}
    return heatmaps | _pictures(view, "png")


def as_svg(view: View) -> dict[str, bytes]:
    """Every heatmap and chart as SVG, by name."""
    drawing()  # an extra that is missing is named before any work
    heatmaps = {f"{name}.svg": signed(made.encode()) for name, made in _heatmaps(view).items()}
    return heatmaps | _pictures(view, "svg")


def drawn(spec: Spec, kind: Literal["png", "svg"]) -> bytes:
    """One chart as a picture."""
    tool = drawing()
    if kind == "png":
        return signed(bytes(tool.vegalite_to_png(vl_spec=_on_paper(spec), scale=SCALE)))
    return signed(str(tool.vegalite_to_svg(vl_spec=_on_paper(spec))).encode())


def signed(picture: bytes) -> bytes:
    """The picture with our name in it, which nobody sees, so that `--overwrite` knows it again."""
    if not picture.startswith(PNG):
        start, _, rest = picture.partition(b">")
        return b"%b><!-- %b -->%b" % (start, DRAWN_BY, rest)
    text = b"tEXtSoftware\0" + DRAWN_BY
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", crc32(text))
    return picture[:HEADER_END] + chunk + picture[HEADER_END:]


def _heatmaps(view: View) -> dict[str, str]:
    made = {}
    for grid in grids(view):
        cells = Cells(width=40 if grid.columns else 84)
        width, height = grid_size(grid, cells)
        parts = draw_grid(grid, cells, name=view.name, x=12, y=12)
        made[grid.name] = svg(parts, width + 24, height + 24)
    return made


def _pictures(view: View, kind: Literal["png", "svg"]) -> dict[str, bytes]:
    return {f"{chart.name}.{kind}": drawn(chart.spec, kind) for chart in charts(view)}


def _on_paper(spec: Spec) -> Spec:
    """The chart with its own text and background colours, since a picture has no page to take them from."""
    text = msgspec.json.encode(spec).replace(b'"currentColor"', msgspec.json.encode(INK))
    made: Spec = msgspec.json.decode(text)
    made["config"]["background"] = PAPER
    return made


def drawing() -> Any:
    """The library that draws."""
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("report", needed_for="Drawing charts as pictures") from error
    return vl_convert
