"""Every run and model in one grid."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

from assay.app.web.gate import Asked, route
from assay.app.web.runs import Broken, Found
from assay.app.web.show.tabs import Tab
from assay.core.case import family_rank
from assay.core.label import Label
from assay.reports.charts.compared import trend_charts
from assay.reports.charts.grid import Heat, heat
from assay.reports.headline import Headline
from assay.reports.sources import Cases, sources
from assay.reports.view import View, view_of

TAB = Tab("Runs", "/")


class Line(NamedTuple):
    """A model in a run."""

    told: Headline
    """The model in one sentence."""
    cells: Sequence[Heat]
    """Its accuracy in each column."""


class Block(NamedTuple):
    """A run with its models."""

    run: Found
    """The run."""
    sources: Sequence[Cases]
    """Where its cases come from."""
    lines: Sequence[Line]
    """Its models, those that the report is about first."""


class Column(NamedTuple):
    """A column of the grid: a family, or one label of it."""

    family: str
    """The family."""
    label: str = ""
    """The right label; empty if all count."""


def show(asked: Asked) -> Response:
    """The page."""
    runs = asked.site.runs.all()
    by_label = asked.query.get("labels") == "1"
    only = asked.query.get("model", "")
    readable = [each for each in runs if isinstance(each, Found)]
    columns = _columns(readable, by_label=by_label)
    blocks = [Block(each, sources(each.record.suites.values()), _lines(each, columns, only)) for each in readable]
    trends = list(trend_charts([each.record for each in readable]))
    return asked.page(
        "runs.html",
        folder=_shown(asked.site.folder),
        blocks=[each for each in blocks if each.lines],
        columns=columns,
        families=_families(columns),
        by_label=by_label,
        models=list(dict.fromkeys(told.name for each in readable for told in each.told)),
        only=only,
        trends=trends,
        broken=[each for each in runs if isinstance(each, Broken)],
        data={"charts": {chart.name: chart.spec for chart in trends}, "examples": {"models": [], "cases": []}},
    )


def _shown(folder: Path) -> str:
    """A folder as short as it can be named where the server was started."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder != here and folder.is_relative_to(here) else str(folder)


def _columns(runs: Sequence[Found], *, by_label: bool) -> list[Column]:
    figures = [each.slice for run in runs for each in run.record.estimates]
    families = sorted({where["family"] for where in figures}, key=lambda family: (family_rank(family), family))
    labels = {(where["family"], where["label"]) for where in figures if "label" in where}
    if not by_label:
        return [Column(family) for family in families]
    return [Column(family, label) for family in families for label in Label if (family, label.value) in labels]


def _families(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """The heads above the columns, each with how many it covers."""
    names = [each.family for each in columns]
    return [(name, names.count(name)) for name in dict.fromkeys(names)]


def _lines(run: Found, columns: Sequence[Column], only: str) -> list[Line]:
    view = view_of([run.record])
    there = [each for each in run.told if each.model in view.models and only in ("", each.name)]
    return [Line(told, [_cell(view, told.model, column) for column in columns]) for told in there]


def _cell(view: View, model: str, column: Column) -> Heat:
    """The figure of a model in a column. A family that several suites of a run have is shown by the first of them."""
    where = {"model": model, "family": column.family} | ({"label": column.label} if column.label else {})
    for each in view.estimates:
        if {name: value for name, value in each.slice.items() if name != "suite"} == where:
            return heat(view, each, each.slice)
    return heat(view, None, where)


ROUTES = [route("/", show)]
