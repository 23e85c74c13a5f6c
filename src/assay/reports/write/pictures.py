"""The charts of a report as pictures."""

from collections.abc import Callable
from typing import Any

import msgspec

from assay.core.errors import MissingExtraError
from assay.reports.charts.charts import charts
from assay.reports.charts.vegalite import Spec
from assay.reports.view import View

SCALE = 2
"""Pixels for each point of the chart, so that it is sharp on paper."""

INK = "#16181d"
PAPER = "#ffffff"


def as_png(view: View) -> dict[str, bytes]:
    """Every chart as PNG, by name."""
    draw = _drawing().vegalite_to_png
    return _pictures(view, "png", lambda spec: bytes(draw(vl_spec=spec, scale=SCALE)))


def as_svg(view: View) -> dict[str, bytes]:
    """Every chart as SVG, by name."""
    draw = _drawing().vegalite_to_svg
    return _pictures(view, "svg", lambda spec: str(draw(vl_spec=spec)).encode())


def _pictures(view: View, kind: str, draw: Callable[[Spec], bytes]) -> dict[str, bytes]:
    return {f"{chart.name}.{kind}": draw(_on_paper(chart.spec)) for chart in charts(view)}


def _on_paper(spec: Spec) -> Spec:
    """The chart with its own text and background colours, since a picture has no page to take them from."""
    text = msgspec.json.encode(spec).replace(b'"currentColor"', msgspec.json.encode(INK))
    made: Spec = msgspec.json.decode(text)
    made["config"]["background"] = PAPER
    return made


def _drawing() -> Any:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("report", needed_for="Drawing charts as pictures") from error
    return vl_convert
