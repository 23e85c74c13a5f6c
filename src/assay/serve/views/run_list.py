"""Every run and model in one grid."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace
from starlette.responses import Response

from assay.core.case import family_rank
from assay.core.label import Label
from assay.reports.charts.comparison_charts import trend_charts
from assay.reports.charts.heatmap import Heat, hatched, heat
from assay.reports.headline import Headline, case_origins
from assay.reports.view import ReportView
from assay.serve.auth import AuthorisedRequest, routes_for
from assay.serve.html_pages import Tab
from assay.serve.run_view import run_view
from assay.serve.served_files import shown_path
from assay.serve.served_runs import Broken, RunOverview

TAB = Tab("Runs", "/")


class GridColumn(NamedTuple):
    """A column of the grid: a family, or one label of it."""

    family: str
    label: str = ""  # the right label; empty if all count


def show(asked: AuthorisedRequest) -> Response:
    runs = asked.site.runs.all()
    by_label = asked.query.get("labels") == "1"
    only, tag = asked.query.get("model", ""), asked.query.get("tag", "")
    readable = [each for each in runs if isinstance(each, RunOverview)]
    columns = _columns(readable, by_label=by_label)
    tagged = [each for each in readable if not tag or tag in each.notes.tags]
    blocks = [(each, case_origins(each.record.suites.values()), _lines(each, columns, only)) for each in tagged]
    trends = list(trend_charts([replace(each.record, id=f"{each.name}, {each.when}") for each in tagged]))
    notes = {note.family: note for each in reversed(tagged) for note in each.families}
    return asked.page(
        "runs.html",
        notes=[notes[family] for family, _ in _families(columns) if family in notes],
        titles={family: note.title for family, note in notes.items()},
        folder=shown_path(asked.site.folder),
        blocks=[each for each in blocks if each[-1]],
        hatched=hatched(cells for *_, lines in blocks for _, cells in lines),
        columns=columns,
        families=_families(columns),
        by_label=by_label,
        models=list(dict.fromkeys(told.name for each in readable for told in each.told)),
        only=only,
        tag=tag,
        tags=sorted({name for each in readable for name in each.notes.tags}),
        trends=trends,
        broken=[each for each in runs if isinstance(each, Broken)],
        data={"charts": {chart.name: chart.spec for chart in trends}, "examples": {"models": [], "cases": []}},
    )


def _columns(runs: Sequence[RunOverview], *, by_label: bool) -> list[GridColumn]:
    figures = [each.slice for run in runs for each in run.record.estimates]
    families = sorted({where["family"] for where in figures}, key=lambda family: (family_rank(family), family))
    labels = {(where["family"], where["label"]) for where in figures if "label" in where}
    if not by_label:
        return [GridColumn(family) for family in families]
    return [GridColumn(family, label) for family in families for label in Label if (family, label.value) in labels]


def _families(columns: Sequence[GridColumn]) -> list[tuple[str, int]]:
    """The families above the columns, each with the number of its columns."""
    names = [each.family for each in columns]
    return [(name, names.count(name)) for name in dict.fromkeys(names)]


def _lines(run: RunOverview, columns: Sequence[GridColumn], only: str) -> list[tuple[Headline, list[Heat]]]:
    """The models of a run, those that the report is about first, each with its accuracy in each column."""
    view = run_view(run.record)
    there = [each for each in run.told if each.model in view.models and only in ("", each.name)]
    return [(told, [_cell(view, told.model, column) for column in columns]) for told in there]


def _cell(view: ReportView, model: str, column: GridColumn) -> Heat:
    """The number of a model in a column. A family that several suites of a run have is shown by the first of them."""
    where = {"model": model, "family": column.family} | ({"label": column.label} if column.label else {})
    for each in view.estimates:
        if {name: value for name, value in each.slice.items() if name != "suite"} == where:
            return heat(view, each, each.slice)
    return heat(view, None, where)


ROUTES = [routes_for("/", show)]
