"""The charts of a study: how the figures of a system move from condition to condition."""

from collections.abc import Iterator

from assay.core.study.record import StudyFigure, StudyTable
from assay.reports.charts.chart import Chart
from assay.reports.charts.vegalite import POINT, Spec, axis, by_model, chart_of, in_per_cent, tooltip
from assay.reports.printable import printable

MOST_LINES = 10
"""More lines than this can't be told apart."""


def regime_charts(table: StudyTable, number: int) -> Iterator[Chart]:
    """One for each system and suite: a line for each slice, from regime to regime."""
    found = [each for each in table.figures if each.regime]
    regimes = list(dict.fromkeys(each.regime for each in found))
    if len(regimes) < 2 or table.plan.measure != "accuracy":
        return
    groups: dict[tuple[str, str], list[StudyFigure]] = {}
    for each in found:
        groups.setdefault((each.system, each.slice["suite"]), []).append(each)
    for place, ((system, suite), own) in enumerate(groups.items()):
        if len({_name(each) for each in own}) <= MOST_LINES:
            told = f"{system} on {suite}: mean accuracy over the seeds, by condition."
            yield Chart(f"regimes-{number}-{place}", f"{system}, {suite}", told, _lines(own, regimes))


def _lines(own: list[StudyFigure], regimes: list[str]) -> Spec:
    names = list(dict.fromkeys(map(_name, own)))
    rows = [
        {
            "name": printable(_name(each)),
            "rank": names.index(_name(each)),
            "condition": printable(each.regime),
            "percent": in_per_cent(each.band.mean),
            "low": in_per_cent(each.band.low),
            "high": in_per_cent(each.band.high),
            "seeds": each.band.n,
        }
        for each in own
    ]
    y: Spec = {
        "field": "percent",
        "type": "quantitative",
        "title": "accuracy in per cent",
        "scale": {"domain": [0, 100]},
    }
    return chart_of(rows, step=300, places=1) | {
        "height": 300,
        "encoding": {
            "x": axis("condition", list(map(printable, regimes)), labelAngle=0 if len(regimes) < 6 else -30),
            "y": y,
            "color": by_model(rows),
            "tooltip": tooltip("name", "condition", "percent", "low", "high", "seeds"),
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}},
            {"mark": POINT, "encoding": {"shape": by_model(rows, shape=True)}},
        ],
    }


def _name(figure: StudyFigure) -> str:
    """What a line is called: the slice without its suite; the family only if nothing is finer."""
    finer = [value for name, value in figure.slice.items() if name not in ("suite", "family")]
    family = figure.slice["family"]
    return ", ".join([family, *finer] if not finer or family != "original" else finer)
