"""A data map as a chart: how certain and how steady a system was about each training pair."""

from collections.abc import Mapping
from typing import Any

from assay.reports.charts.vegalite import COLOURS, Spec, chart_of

SIDE = 480
"""Height of the chart."""


def map_chart(found: Mapping[str, Any]) -> Spec:
    """Pairs by variability and confidence; `found` is a study of a data map as plain data."""
    rows = [
        {name: point[name] for name in ("id", "label", "confidence", "variability", "correctness")}
        for point in found["points"]
    ]
    share = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    encoding = {
        "x": {"field": "variability", "type": "quantitative", "title": "variability: ambiguous pairs are on the right"},
        "y": {"field": "confidence", **share, "title": "confidence: easy pairs are on top, hard ones below"},
        "color": {
            "field": "correctness",
            **share,
            "scale": {"domain": [0, 1], "range": [COLOURS[1], "#c9c4b8", COLOURS[0]]},
            "legend": {"title": "correctness", "orient": "right", "format": ".0%", "columns": 1},
        },
    }
    mark = {"type": "point", "size": 14, "filled": True, "opacity": 0.6}
    return chart_of(rows, step=SIDE, places=1) | {"height": SIDE, "mark": mark, "encoding": encoding}
