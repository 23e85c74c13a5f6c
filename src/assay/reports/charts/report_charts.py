"""The charts of a report, as Vega-Lite: for the page, and for pictures."""

import re
from collections.abc import Callable, Iterable

from assay.core.label import Label
from assay.reports.charts.heatmap import INITIALS
from assay.reports.charts.threshold_charts import reliabilities, risks, thresholds
from assay.reports.charts.vegalite import (
    COLOURS,
    HEADER,
    INK,
    LABEL_COLOURS,
    LINE,
    POINT,
    TICKS,
    Chart,
    Spec,
    axis,
    band_between,
    by_model,
    by_value,
    chart_of,
    datum,
    dots,
    in_per_cent,
    in_points,
    model_points,
    per_cent_scale,
    shares,
    tooltip,
    values_in,
)
from assay.reports.formatting import printable
from assay.reports.phrases import group_name
from assay.reports.published.comparable_results import name_of, same_tests
from assay.reports.tables.sheet import answers_of, sorted_places
from assay.reports.view import ReportView


def charts(view: ReportView) -> list[Chart]:
    return [chart for make in MAKERS for chart in make(view)]


def changes(view: ReportView) -> Iterable[Chart]:
    """Losses of each model compared with the unmodified pairs."""
    rows = [
        datum(view, e, change=in_points(-e.value), low=in_points(-e.high), high=in_points(-e.low))
        for e in view.find_with_means("drop").values()
        if e.value is not None and e.low is not None and e.high is not None and e.slice["family"] != "swap"
    ]
    if rows:
        told = f"Change in accuracy from the unmodified pairs in points with {_around(view)}; left of the line: a drop."
        x = {"field": "change", "type": "quantitative", "title": "change in points", "axis": TICKS}
        spec = dots(rows, x, ("family", values_in(rows, "family")), line=0)
        yield Chart("changes", "Change from the unmodified pairs", told, spec)


def swaps(view: ReportView) -> Iterable[Chart]:
    """Before and after premise and hypothesis are swapped, by label."""
    sources = view.find_with_means("source", "label")
    rows = [
        datum(
            view,
            each,
            before=in_per_cent(sources[place].value),
            after=in_per_cent(each.value),
            label=view.label(each.slice["label"]),
        )
        for place, each in view.find_with_means("kept", "label").items()
        if place in sources
    ]
    if not rows:
        return
    labels = _labels(view, rows)
    offset = {"field": "label", "type": "nominal", "scale": {"domain": [*labels]}}
    ring, dot = (per_cent_scale(when, "share in %") for when in ("before", "after"))
    spec = chart_of(rows, step=16 * len(labels) + 12, places=len(values_in(rows, "name"))) | {
        "encoding": {
            "y": axis("name", values_in(rows, "name")),
            "yOffset": offset,
            "color": by_value("label", {name: LABEL_COLOURS[label] for name, label in labels.items()}),
            "tooltip": tooltip("name", "label", "before", "after", "cases"),
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.6},
                "encoding": {"x": ring, "x2": {"field": "after"}},
            },
            {"mark": {"type": "point", "size": 80, "filled": False, "strokeWidth": 2}, "encoding": {"x": ring}},
            {"mark": POINT, "encoding": {"x": dot}},
        ],
    }
    told = "How often the answer is the pair's label, in %. Ring: original pair. Dot: swapped pair."
    yield Chart("swap", "Swapped sides", told, spec)


def heuristics(view: ReportView) -> Iterable[Chart]:
    found = view.find_with_means("accuracy", "heuristic", "label").values()
    rows = []
    for e in (e for e in found if e.value is not None):
        group, label = group_name("heuristic", e.slice["heuristic"]), view.label(e.slice["label"])
        rows.append(datum(view, e, group=group, label=label, **shares(e)))
    for label, known in _labels(view, rows).items():
        own = [row for row in rows if row["label"] == label]
        x = per_cent_scale("percent", "accuracy in %")
        spec = dots(own, x, ("group", values_in(own, "group")), line=50)
        told = f"Pairs of {label}: accuracy by heuristic with {_around(view)}; the dashed line is guessing, 50."
        yield Chart(f"heuristics-{known}", f"Heuristics: {label}", told, spec)


def severities(view: ReportView) -> Iterable[Chart]:
    found = view.find_with_means("accuracy", "severity").values()
    rows = [datum(view, e, severity=int(e.slice["severity"]), **shares(e)) for e in found if e.value is not None]
    for family in dict.fromkeys(row["family"] for row in rows):
        own = [row for row in rows if row["family"] == family]
        x = {
            "field": "severity",
            "type": "quantitative",
            "title": "strength",
            "axis": {"tickMinStep": 1, "format": "d"},
        }
        y = {"field": "percent", "type": "quantitative", "title": "accuracy in %", "scale": {"zero": False}}
        shape = {"shape": by_model(own, shape=True), "tooltip": tooltip("name", "severity", "text", "ends", "cases")}
        spec = chart_of(own, step=240, places=1) | {
            "height": 240,
            "encoding": {"x": x, "color": by_model(own)},
            "layer": [
                band_between(y),
                {"mark": LINE, "encoding": {"y": y}},
                {"mark": POINT, "encoding": {"y": y, **shape}},
            ],
        }
        told = f"{family}: accuracy against the strength of the test, with {_around(view)}."
        slug = "-".join(re.findall("[a-z0-9]+", family.lower())) or "model"
        yield Chart(f"severity-{slug}", f"{family}: strength", told, spec)


def confusions(view: ReportView) -> Iterable[Chart]:
    found = sorted_places([e for e in view.estimates if e.name == "answers" and e.value is not None])
    answers = answers_of(found)
    known = {label.value: colour for label, colour in LABEL_COLOURS.items()}
    colours = {view.label(each): known.get(each, COLOURS[3]) for each in answers}
    answers = [*colours]
    reached: dict[tuple[str, str, str], float] = {}
    rows = []
    for e in found:
        row = datum(view, e, label=view.label(e.slice["label"]), percent=in_per_cent(e.value))
        row["answer"] = view.label(e.slice["answer"])
        initials = row["label"] if row["label"] != e.slice["label"] else INITIALS.get(row["label"], row["label"])
        row["place"] = f"{row['family']}: {initials}"
        del row["value"], row["rank"]  # there are many rows, and none of them is drawn by these
        rows.append(row)
    for row in sorted(rows, key=lambda row: answers.index(row["answer"])):
        bar = (row["model"], row["place"], row["label"])
        row["from"] = reached.get(bar, 0.0)
        row["to"] = reached[bar] = round(row["from"] + row["percent"], 2)
    if not rows:
        return
    places = values_in(rows, "place")
    spec = chart_of(rows, step=17, places=len(places))
    spec |= {
        "facet": {"column": {"field": "name", "type": "nominal", "sort": values_in(rows, "name"), "header": HEADER}},
        "spec": {
            "width": 120,
            "height": spec.pop("height"),
            "mark": {"type": "bar", "height": {"band": 0.8}},
            "encoding": {
                "x": {**per_cent_scale("from", "%"), "axis": {"values": [0, 50, 100]}},
                "x2": {"field": "to"},
                "y": axis("place", places),
                "color": by_value("answer", colours),
                "tooltip": tooltip("name", "family", "label", "answer", "percent", "cases"),
            },
        },
    }
    del spec["width"]
    told = "How the cases of each family and label (E, N, C) were answered, in %."
    yield Chart("confusion", "Answers by label", told, spec)


def confidences(view: ReportView) -> Iterable[Chart]:
    found = [e for e in view.find("calibration-error").values() if e.value is not None and e.ends]
    rows = [datum(view, e, **shares(e)) for e in found]
    if rows:
        told = "How far confidence is from accuracy on average, in points, with 95% intervals; 0 is best."
        x = {"field": "percent", "type": "quantitative", "title": "calibration error in points", "axis": TICKS}
        spec = dots(rows, x, ("family", values_in(rows, "family")), line=0)
        yield Chart("confidence", "Confidence", told, spec)


def published_ranges(view: ReportView) -> Iterable[Chart]:
    rows, ranges = [], []
    for each in same_tests(view, view.origins):
        if not {*each.slice} - {"suite", "family", "heuristic", "label"}:
            test = printable(name_of(each, view.names))
            ranges.append(
                {
                    "test": test,
                    "from": in_per_cent(each.low),
                    "to": in_per_cent(each.high),
                    "systems": each.systems,
                    "tables": ", ".join(each.tables),
                }
            )
            rows += [
                {
                    "model": model,
                    "name": printable(view.name(model)),
                    "rank": view.rank(model),
                    "test": test,
                    "percent": in_per_cent(value),
                }
                for model, value in each.measured.items()
            ]
    if not rows:
        return
    tests = values_in(ranges, "test")
    x = per_cent_scale("percent", "accuracy in %")
    spec = chart_of(rows, step=24, places=len(tests)) | {
        "encoding": {"y": axis("test", tests)},
        "layer": [
            {
                "data": {"values": ranges},
                "mark": {"type": "bar", "height": {"band": 0.62}, "color": INK, "opacity": 0.16, "cornerRadius": 4},
                "encoding": {
                    "x": {**x, "field": "from"},
                    "x2": {"field": "to"},
                    "tooltip": tooltip("test", "from", "to", "systems", "tables"),
                },
            },
            model_points(rows, {"x": x}, "name", "test", "percent"),
        ],
    }
    told = (
        "Points: measured here. Bars: from the lowest to the highest published system, on the same corpus, split and "
        "fidelity."
    )
    yield Chart("published", "Published and measured", told, spec)


MAKERS: tuple[Callable[[ReportView], Iterable[Chart]], ...] = (
    changes,
    swaps,
    heuristics,
    severities,
    confusions,
    confidences,
    thresholds,
    reliabilities,
    risks,
    published_ranges,
)


def _around(view: ReportView) -> str:
    """Intervals and guides around the points of a chart."""
    return f"95% intervals{'; of a mean over seeds, the lowest and the highest seed' if view.systems else ''}"


def _labels(view: ReportView, rows: Iterable[Spec]) -> dict[str, Label]:
    """The labels that occur, in their usual order, by the names that are shown."""
    there = {row["label"] for row in rows}
    return {shown: label for label in Label if (shown := view.label(label)) in there}
