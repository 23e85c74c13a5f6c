"""The page of a study."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.serialise import to_json
from assay.reports.charts.vegalite import POINT, Chart, Spec, axis, by_model, chart_of, in_per_cent, tooltip
from assay.reports.formatting import printable
from assay.reports.page.html_page import Frame, render_template
from assay.reports.tables.sheet import Part, Sheet
from assay.reports.write import markdown
from assay.studies.analyses.analysis_list import analysis_parts, parts_text
from assay.studies.mitigation.mitigation_effects import mitigation_words, mitigations_sheet
from assay.studies.plan.study_metrics import match_effects
from assay.studies.plan.study_record import StudyFigure, StudyRecord, StudyTable
from assay.studies.plan.study_tables import (
    attempts_sheet,
    effects_sheet,
    figure_sheets,
    match_published,
    missing_sheet,
    published_sheet,
    published_words,
    study_parts,
    tests_sheet,
    tests_words,
    trainings_sheet,
    trainings_words,
    versions_words,
)

To = Literal["html", "md", "latex", "json"]


def study_text(record: StudyRecord, to: To) -> str:
    """The study as a document."""
    if to == "json":
        return to_json(with_published_figures(record)).decode()
    if to == "html":
        return study_page(record)
    title = f"# {markdown.escape(record.plan.title)}\n\n" if to == "md" else ""
    return title + parts_text(study_parts(record), (), to)


def with_published_figures(record: StudyRecord) -> dict[str, Any]:
    """The record as plain data; each table has the published numbers next to ours, and the effects."""
    data: dict[str, Any] = msgspec.to_builtins(record)
    for table, own in zip(data["tables"], record.tables, strict=True):
        pairs = [] if record.stands_in else match_published(own)
        table["published"] = [
            {
                "system": each.ours.system,
                "condition": each.ours.condition,
                "slice": each.ours.slice,
                "ours": each.ours.band.mean,
                "published": each.theirs,
                "where": each.where,
                "doubt": each.doubt,
            }
            for each in pairs
        ]
        table["effects"] = [
            {
                "system": each.test.system,
                "condition": each.test.condition,
                "slice": each.test.slice,
                "published": each.theirs,
                "ours": each.test.difference,
                "outcome": each.outcome,
            }
            for each in match_effects(pairs, own.tests)
        ]
    return data


MOST_LINES = 10
"""More lines than this can't be told apart."""


def condition_charts(table: StudyTable, number: int) -> Iterator[Chart]:
    """One for each system and suite: a line for each slice, from condition to condition."""
    found = [each for each in table.figures if each.condition]
    conditions = list(dict.fromkeys(each.condition for each in found))
    if len(conditions) < 2 or table.plan.measure != "accuracy":
        return
    groups: dict[tuple[str, str], list[StudyFigure]] = {}
    for each in found:
        groups.setdefault((each.system, each.slice["suite"]), []).append(each)
    for place, ((system, suite), own) in enumerate(groups.items()):
        if len({_line_name(each) for each in own}) <= MOST_LINES:
            told = f"{system} on {suite}: mean accuracy over the seeds, by condition."
            yield Chart(f"conditions-{number}-{place}", f"{system}, {suite}", told, _line_chart(own, conditions))


def _line_chart(own: list[StudyFigure], conditions: list[str]) -> Spec:
    names = list(dict.fromkeys(map(_line_name, own)))
    rows = [
        {
            "name": printable(_line_name(each)),
            "rank": names.index(_line_name(each)),
            "condition": printable(each.condition),
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
        "title": "accuracy in %",
        "scale": {"domain": [0, 100]},
    }
    return chart_of(rows, step=300, places=1) | {
        "height": 300,
        "encoding": {
            "x": axis("condition", list(map(printable, conditions)), labelAngle=0 if len(conditions) < 6 else -30),
            "y": y,
            "color": by_model(rows),
            "tooltip": tooltip("name", "condition", "percent", "low", "high", "seeds"),
        },
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}},
            {"mark": POINT, "encoding": {"shape": by_model(rows, shape=True)}},
        ],
    }


def _line_name(figure: StudyFigure) -> str:
    """Name of a line: the slice without its suite; the family only if nothing is finer."""
    finer = [value for name, value in figure.slice.items() if name not in ("suite", "family")]
    family = figure.slice["family"]
    return ", ".join([family, *finer] if not finer or family != "original" else finer)


class Behind(NamedTuple):
    """A table that opens on demand."""

    told: str
    """A sentence about the table."""
    sheet: Sheet


class StudyTableView(NamedTuple):
    """A table of the study on the page."""

    sheet: Sheet
    charts: Sequence[Chart]
    words: Sequence[str]
    """Sentences about the table."""
    behind: Sequence[Behind]
    """Tests, published numbers, effects."""


def study_page(record: StudyRecord, *, frame: Frame | None = None) -> str:
    """The whole page."""
    tables = [
        _view_table(table, number, stands_in=record.stands_in)
        for number, table in enumerate(record.tables, 1)
        if table.figures
    ]
    drawn = [chart for each in tables for chart in each.charts]
    return render_template(
        "study.html",
        frame=frame,
        title=f"{record.plan.title}: a study",
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": {"models": [], "cases": []}},
        record=record,
        told=trainings_words(record),
        tables=tables,
        mitigations=mitigations_sheet(record),
        mitigation_results=mitigation_words(record),
        analyses=[_name_part(part, place) for place, part in enumerate(_analysis_parts(record))],
        missing=missing_sheet(record),
        attempts=attempts_sheet(record),
        trainings=trainings_sheet(record),
        versions=versions_words(record),
        version=record.versions["assay"],
    )


def _analysis_parts(record: StudyRecord) -> list[Part]:
    return [part for each in record.analyses for part in analysis_parts(each)]


def _name_part(part: Part, place: int) -> Part:
    return part if isinstance(part, str) else part._replace(name=f"analysis-{place}")


def _view_table(table: StudyTable, number: int, *, stands_in: bool) -> StudyTableView:
    pairs = [] if stands_in else match_published(table)
    found = match_effects(pairs, table.tests)
    first, *swapped = figure_sheets(table, number)
    behind = [Behind("Swapped pairs that keep their label", sheet) for sheet in swapped]
    if table.tests:
        behind.append(Behind("Every test against the baseline", tests_sheet(table.tests, number)))
    if pairs:
        behind.append(Behind("Ours next to the published numbers", published_sheet(pairs, table, number)))
    if found:
        behind.append(Behind("What conditions change, here and in the paper", effects_sheet(found, number)))
    words = [*([tests_words(table.tests)] if table.tests else []), *(published_words(pairs, found) if pairs else ())]
    return StudyTableView(first, list(condition_charts(table, number)), words, behind)
