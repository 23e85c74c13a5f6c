"""The building blocks of charts: rows of data, scales, marks and a look, in Vega-Lite."""

import colorsys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.reports.formatting import interval, percent, printable
from assay.reports.view import ReportView

Spec = dict[str, Any]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7600", "#56b4e9", "#a05a2c", "#7f7f7f")
"""Colours that work for colour-blind readers, on white and on black; after Okabe and Ito."""

GOLDEN = 0.618034  # how far apart the hues of further models are on the circle, which keeps any number of them distinct
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
"""Shapes in addition to colours, for readers who see few of them."""

LABEL_COLOURS = {
    Label.ENTAILMENT: "#0072b2",
    Label.NEUTRAL: "#8c8c8c",
    Label.CONTRADICTION: "#d55e00",
    Label.NON_ENTAILMENT: "#d55e00",
}

HEAT = ("#a8410b", "#ea9c57", "#f6efe4", "#7db0da", "#14589c")
"""Colours from never right to always right, with one half in the middle."""

INK = "currentColor"
HEADER: Spec = {"title": None, "labelColor": INK, "labelFontSize": 12, "labelFontWeight": 600, "labelLimit": 150}
"""The style of column names, if each column has its own chart."""

TICKS: Spec = {"tickCount": 8}

POINT: Spec = {"type": "point", "size": 80, "filled": True, "opacity": 1}
LINE: Spec = {"type": "line", "strokeWidth": 2}
DASHED: Spec = {"color": INK, "opacity": 0.55, "strokeDash": [4, 4]}  # the look of lines at reference values
THEME: Spec = msgspec.json.decode((files("assay.reports") / "charts" / "theme.json").read_bytes())
"""The look of all charts. Ink is the colour of the surrounding text: light, dark, or on paper."""


def chart_of(rows: Sequence[Spec], *, step: int, places: int) -> Spec:
    """The parts that all charts share; `places` are stacked, each one step high."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": list(rows)},
        "width": 640,
        "height": {"step": step, "for": "position"},
        "autosize": "pad",
        "config": dict(THEME),
        "usermeta": {"height": step * places + 70},  # for the legend and the axes
    }


def dots(rows: Sequence[Spec], x: Spec, y: tuple[str, Sequence[str]], *, line: float) -> Spec:
    """A point with its interval for each row; in each place, models are side by side."""
    many = len({row["model"] for row in rows})
    offset = {"field": "name", "type": "nominal", "scale": {"domain": values_in(rows, "name")}}
    place: Spec = {"y": axis(y[0], y[1]), "yOffset": offset, "color": by_model(rows)}
    place |= {"tooltip": tooltip("name", y[0], x["field"], "low", "high", "cases")}
    ends = {"x": {**x, "field": "low"}, "x2": {"field": "high"}}
    return chart_of(rows, step=max(34, (13 if many <= 4 else 10) * many + 12), places=len(y[1])) | {
        "layer": [
            line_at(line),
            {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": {**place, **ends}},
            {"mark": POINT, "encoding": {**place, "x": x, "shape": by_model(rows, shape=True)}},
        ]
    }


def line_at(value: float) -> Spec:
    """A line across the whole chart at a reference value; dashed if it is not at the edge."""
    mark = DASHED if value else {name: value for name, value in DASHED.items() if name != "strokeDash"}
    encoding = {"x": {"field": "at", "type": "quantitative"}}
    return {"data": {"values": [{"at": value}]}, "mark": {"type": "rule", **mark}, "encoding": encoding}


def band_between(y: Spec, **more: Spec) -> Spec:
    """A shaded band from the lower to the upper ends of intervals."""
    ends = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {"mark": {"type": "area", "opacity": 0.13}, "encoding": {**ends, **more}}


def model_points(rows: Sequence[Spec], place: Spec, *fields: str) -> Spec:
    marks = {"color": by_model(rows), "shape": by_model(rows, shape=True)}
    return {"mark": POINT, "encoding": {**place, **marks, "tooltip": tooltip(*fields)}}


def by_value(field: str, marks: Mapping[str, str]) -> Spec:
    """A colour or shape for each value of a field."""
    return {"field": field, "type": "nominal", "scale": {"domain": [*marks], "range": [*marks.values()]}}


def shares(e: Estimate) -> Spec:
    return {
        "percent": in_per_cent(e.value),
        "low": in_per_cent(e.low),
        "high": in_per_cent(e.high),
        "text": percent(e.value),
        "ends": "" if (ends := interval(e)) == "-" else ends.replace("-", "\u2013"),
    }


def datum(view: ReportView, e: Estimate, **more: Any) -> Spec:
    """A number as a row of a chart's data; text from data is made safe to show."""
    family = f"{e.slice['family']} ({e.slice['suite']})" if view.repeats else e.slice["family"]
    row = {
        "model": e.slice["model"],
        "name": view.name(e.slice["model"]),
        "family": family,
        "value": e.value,
        "cases": e.n,
        "rank": view.rank(e.slice["model"]),
    }
    return {
        key: printable(each) if isinstance(each, str) and key != "model" else each
        for key, each in {**row, **more}.items()
    }


def axis(field: str, domain: Sequence[str], **axis: Any) -> Spec:
    """Places in the order of the run, without a title: their names are clear enough."""
    return {"field": field, "type": "nominal", "scale": {"domain": list(domain)}, "axis": {"title": None, **axis}}


def per_cent_scale(field: str, title: str) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, "scale": {"domain": [0, 100]}, "axis": TICKS}


def by_model(rows: Sequence[Spec], *, shape: bool = False) -> Spec:
    """One colour or shape per model, the same in every chart of a view."""
    ranks = {row["name"]: row["rank"] for row in rows}
    return by_value("name", {name: _shape(rank) if shape else colour(rank) for name, rank in ranks.items()})


def colour(rank: int) -> str:
    """The colour of a model, in the order of the run; no two are the same.

    >>> colour(0), colour(8), len({colour(rank) for rank in range(60)})
    ('#0072b2', '#af3cb9', 60)
    """
    if rank < len(COLOURS):
        return COLOURS[rank]
    turn = rank - len(COLOURS)
    channels = colorsys.hls_to_rgb((0.82 + turn * GOLDEN) % 1, 0.48 - 0.1 * (turn % 3), 0.51)
    return "#" + "".join(f"{round(255 * each):02x}" for each in channels)


def _shape(rank: int) -> str:
    """The shape of a model, in the order of the run.

    >>> _shape(0), _shape(7), _shape(8)
    ('circle', 'triangle-left', 'square')
    """
    return SHAPES[(rank + rank // len(COLOURS)) % len(SHAPES)]


def tooltip(*fields: str) -> list[Spec]:
    titles = {"name": "model", "ends": "95%", "text": "accuracy", "group": "of"}
    return [{"field": field, "title": titles.get(field, field)} for field in fields]


def values_in(rows: Sequence[Spec], field: str) -> list[str]:
    return list(dict.fromkeys(row[field] for row in rows))


def in_per_cent(share: float | None) -> float | None:
    return None if share is None else round(share * 100, 2)


def in_points(share: float) -> float:
    return round(share * 100, 2) + 0.0


class Chart(NamedTuple):
    """A chart, with a description for people who can't see it."""

    name: str
    title: str
    told: str
    spec: Spec
