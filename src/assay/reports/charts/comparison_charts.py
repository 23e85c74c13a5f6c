"""The charts of a comparison: differences by family, and the same model over several runs."""

from collections.abc import Iterator, Sequence

from assay.core.case import family_rank
from assay.core.comparison import ComparedSlice, Comparison
from assay.core.run_record import RunRecord
from assay.reports.charts.vegalite import (
    LINE,
    POINT,
    Chart,
    Spec,
    axis,
    by_model,
    by_value,
    chart_of,
    in_per_cent,
    in_points,
    line_at,
    per_cent_scale,
    tooltip,
    values_in,
)
from assay.reports.formatting import FEWEST_SHOWN, printable
from assay.reports.phrases import short_name
from assay.reports.tables.comparison_tables import accuracy_courses, sort_by_time

OUTCOMES = {"better": "#0072b2", "no verdict": "#8c8c8c", "worse": "#d55e00"}

SHAPES = {"better": "triangle-up", "no verdict": "circle", "worse": "triangle-down"}


def difference_chart(each: Comparison, name: str, *, names: tuple[str, str] | None = None) -> Chart:
    """The differences by family; those of few cases would only stretch the scale.

    `names` are those of the candidate and the baseline, if they are not the usual ones.
    """
    whole = each.families
    large = [row for row in whole if row.n >= FEWEST_SHOWN] or whole
    rows = [_row(row) for row in sorted(large, key=lambda row: family_rank(row.slice["family"]))]
    x: Spec = {"field": "difference", "type": "quantitative", "title": "difference in points"}
    place: Spec = {
        "y": axis("place", values_in(rows, "place")),
        "color": by_value("outcome", OUTCOMES),
        "tooltip": tooltip("place", "difference", "low", "high", "candidate", "baseline", "outcome", "cases"),
    }
    ends = {"x": {**x, "field": "low"}, "x2": {"field": "high"}}
    spec = chart_of(rows, step=30, places=len(rows)) | {
        "layer": [
            line_at(0),
            {"mark": {"type": "rule", "strokeWidth": 2}, "encoding": {**place, **ends}},
            {"mark": POINT, "encoding": {**place, "x": x, "shape": by_value("outcome", SHAPES)}},
        ]
    }
    candidate, baseline = names or (short_name(each.candidate), short_name(each.baseline))
    told = (
        f"{candidate} minus {baseline}, in points, with 95% intervals; right of the line is better. Outcomes are "
        "corrected for the number of tests, but intervals are not."
    )
    few = f" Families with fewer than {FEWEST_SHOWN} cases are only in the table." if len(large) < len(whole) else ""
    return Chart(name, "Difference by family", f"{told}{few}", spec)


def _row(row: ComparedSlice) -> Spec:
    return {
        "place": printable(row.slice["family"]),
        "difference": in_points(row.difference),
        "low": in_points(row.difference if row.low is None else row.low),
        "high": in_points(row.difference if row.high is None else row.high),
        "candidate": in_per_cent(row.candidate),
        "baseline": in_per_cent(row.baseline),
        "outcome": row.verdict if row.verdict in OUTCOMES else "no verdict",
        "cases": row.n,
    }


def trend_charts(runs: Sequence[RunRecord]) -> Iterator[Chart]:
    """One for each model that several runs have: a line for each family."""
    there = accuracy_courses(runs)
    ids = [run.id for run in sort_by_time(runs)]
    for number, model in enumerate(dict.fromkeys(model for model, _, _ in there)):
        rows = [
            {
                "name": printable(place[2]),
                "rank": rank,
                "run": printable(ids[time]),
                "percent": in_per_cent(figure.value),
                "low": in_per_cent(figure.low),
                "high": in_per_cent(figure.high),
                "cases": figure.n,
            }
            for rank, place in enumerate(place for place in there if place[0] == model)
            for time, figure in enumerate(there[place])
            if figure is not None and figure.value is not None
        ]
        y = {name: part for name, part in per_cent_scale("percent", "accuracy in %").items() if name != "axis"}
        spec = chart_of(rows, step=300, places=1) | {
            "height": 300,
            "encoding": {
                "x": axis("run", ids, labelAngle=0 if len(ids) < 4 else -30),
                "y": y,
                "color": by_model(rows),
                "tooltip": tooltip("name", "run", "percent", "low", "high", "cases"),
            },
            "layer": [{"mark": LINE}, {"mark": POINT, "encoding": {"shape": by_model(rows, shape=True)}}],
        }
        told = f"{short_name(model)}: accuracy in each family, from the first run to the last."
        yield Chart(f"trend-{number}", f"{short_name(model)} over the runs", told, spec)
