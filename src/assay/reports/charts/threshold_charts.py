"""Charts of support scores: numbers along the thresholds, scores against what is supported, risk against coverage."""

from collections.abc import Iterable, Sequence

from assay.core.case import ORIGINAL
from assay.core.estimate import SupportCurve
from assay.reports.charts.vegalite import (
    COLOURS,
    DASHED,
    HEADER,
    LINE,
    Chart,
    Spec,
    band_between,
    by_model,
    by_value,
    chart_of,
    in_per_cent,
    model_points,
    per_cent_scale,
    tooltip,
    values_in,
)
from assay.reports.formatting import printable
from assay.reports.view import ReportView

SHOWN = {
    "recall": "recall",
    "precision": "precision",
    "balanced-accuracy": "balanced accuracy",
    "false-support": "false support",
}
"""The lines of a threshold curve, by the names of their numbers."""

SIDE = 320  # the height of a chart, and the width of one that is square


def thresholds(view: ReportView) -> Iterable[Chart]:
    """The threshold curve of each model on the unmodified pairs."""
    curves = _sources(view)
    rows = [row for curve in curves for name in SHOWN for row in _line(view, curve, name)]
    if not rows:
        return
    lines = [each for each in SHOWN.values() if any(row["figure"] == each for row in rows)]
    x: Spec = {"field": "threshold", "type": "quantitative", "scale": {"domain": [0, 1]}, "title": "threshold"}
    y = per_cent_scale("percent", "%")
    colour = by_value("figure", dict(zip(lines, COLOURS, strict=False)))
    layers = [
        band_between(y, color=colour),
        {"mark": LINE, "encoding": {"y": y, "color": colour, "strokeDash": {**colour, "scale": {"domain": lines}}}},
        {
            "transform": [{"filter": "datum.mark"}],
            "mark": {"type": "rule", **DASHED},
            "encoding": {"x": x, "tooltip": tooltip("mark", "threshold")},
        },
        {
            "mark": {"type": "point", "opacity": 0, "size": 60},
            "encoding": {"y": y, "tooltip": tooltip("name", "figure", "threshold", "percent", "low", "high")},
        },
    ]
    spec = chart_of(rows, step=SIDE, places=1)
    del spec["width"], spec["height"]
    places = values_in(rows, "place")
    spec |= {
        "facet": {"column": {"field": "place", "type": "nominal", "sort": places, "header": HEADER}},
        "spec": {"width": SIDE, "height": SIDE, "encoding": {"x": x}, "layer": layers},
    }
    told = (
        "Source pairs: recall and precision of what is supported, balanced accuracy, and false support at every "
        "threshold, with 95% intervals. Dashed: the model's own threshold, if it has one, and the one that was chosen."
    )
    yield Chart("thresholds-curve", "Threshold curve", told, spec)


def reliabilities(view: ReportView) -> Iterable[Chart]:
    """Scores compared with what is supported, on the unmodified pairs."""
    rows = [
        {
            **_named(view, curve),
            "score": round(each.score, 4),
            "percent": in_per_cent(each.supported),
            "low": in_per_cent(each.low),
            "high": in_per_cent(each.high),
            "cases": each.n,
        }
        for curve in _sources(view)
        for each in curve.reliability
    ]
    if not rows:
        return
    x: Spec = {"field": "score", "type": "quantitative", "scale": {"domain": [0, 1]}, "title": "mean score"}
    y = per_cent_scale("percent", "supported, %")
    diagonal = [{"score": 0, "percent": 0}, {"score": 1, "percent": 100}]
    layers = [
        {"data": {"values": diagonal}, "mark": {"type": "line", **DASHED}, "encoding": {"y": y}},
        band_between(y, color=by_model(rows)) | {"mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6}},
        model_points(rows, {"y": y}, "name", "score", "percent", "low", "high", "cases"),
    ]
    spec = _square(rows, x, layers)
    told = (
        "Source pairs in bins of similar scores: the share that is supported, with 95% intervals. Scores that are "
        "probabilities lie on the dashed line."
    )
    yield Chart("thresholds-reliability", "Reliability diagram", told, spec)


def risks(view: ReportView) -> Iterable[Chart]:
    """Wrong answers among the most confident ones, on the unmodified pairs."""
    rows = [
        {
            **_named(view, curve),
            "coverage": in_per_cent(coverage),
            "percent": in_per_cent(risk),
            "low": in_per_cent(low),
            "high": in_per_cent(high),
        }
        for curve in _sources(view)
        for coverage, risk, low, high in zip(
            curve.coverage, curve.risk.value, curve.risk.low, curve.risk.high, strict=True
        )
    ]
    if not rows:
        return
    x = per_cent_scale("coverage", "answered, most confident first, %")
    y: Spec = {"field": "percent", "type": "quantitative", "title": "wrong, %"}
    layers = [
        band_between(y, color=by_model(rows)),
        {"mark": LINE, "encoding": {"y": y, "color": by_model(rows)}},
        model_points(rows, {"y": y}, "name", "coverage", "percent", "low", "high"),
    ]
    spec = _square(rows, x, layers)
    told = (
        "Source pairs: the share of wrong answers if only the surest, far from the threshold, are given, with 95% "
        "intervals."
    )
    yield Chart("thresholds-risk", "Risk and coverage", told, spec)


def _square(rows: Sequence[Spec], x: Spec, layers: Sequence[Spec]) -> Spec:
    shape = {"width": SIDE, "height": SIDE, "encoding": {"x": x}, "layer": layers}
    return chart_of(rows, step=SIDE, places=1) | shape


def _line(view: ReportView, curve: SupportCurve, name: str) -> Iterable[Spec]:
    """The points of a line; those nearest to a threshold that is used are marked."""
    line = curve.lines.get(name)
    if line is None:
        return
    used = {curve.threshold: "the model's threshold"} if curve.threshold is not None else {}
    used |= {curve.chosen: "chosen"} if curve.chosen is not None else {}
    # More points would make the page larger, but not the line smoother.
    points = [
        point
        for point in zip(curve.thresholds, line.value, line.low, line.high, strict=True)
        if abs(50 * point[0] - round(50 * point[0])) < 1e-9
    ]
    nearest = {min((at for at, *_ in points), key=lambda each: abs(each - own)): said for own, said in used.items()}
    for threshold, *ends in points:
        percent, low, high = map(in_per_cent, ends)
        row = {"threshold": threshold, "figure": SHOWN[name], "percent": percent, "low": low, "high": high}
        yield {**_named(view, curve), **row, "mark": nearest.get(threshold, "")}


def _named(view: ReportView, curve: SupportCurve) -> Spec:
    model, suite = curve.slice["model"], curve.slice["suite"]
    name = printable(view.name(model))
    place = f"{name} ({printable(suite)})" if view.repeats else name
    return {"model": model, "name": name, "place": place, "rank": view.rank(model)}


def _sources(view: ReportView) -> list[SupportCurve]:
    """The curves on unmodified pairs, which alone have both labels as often as the corpus has them."""
    return [curve for curve in view.curves if curve.slice["family"] == ORIGINAL]
