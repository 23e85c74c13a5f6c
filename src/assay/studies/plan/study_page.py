"""The page of a study."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.label import Label
from assay.core.serialise import to_json
from assay.reports.charts.vegalite import (
    INK,
    POINT,
    Chart,
    Spec,
    axis,
    by_model,
    chart_of,
    in_per_cent,
    per_cent_scale,
    tooltip,
)
from assay.reports.formatting import printable
from assay.reports.page.html_page import Frame, render_template
from assay.reports.tables.sheet import Sheet
from assay.reports.write import markdown
from assay.studies.analyses.analysis_list import analysis_parts, parts_text
from assay.studies.mitigation.mitigation_effects import mitigation_words, mitigations_sheet
from assay.studies.plan.study_metrics import match_effects
from assay.studies.plan.study_record import StudyFigure, StudyRecord, StudyTable, StudyTest
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
            {**_place(ours), "ours": ours.band.mean, "published": theirs, "where": where, "doubt": doubt}
            for ours, theirs, where, doubt in pairs
        ]
        table["effects"] = [
            {**_place(test), "published": theirs, "ours": test.difference, "outcome": outcome}
            for test, theirs, outcome in match_effects(pairs, own.tests)
        ]
    return data


def _place(of: StudyFigure | StudyTest) -> dict[str, Any]:
    return {"system": of.system, "condition": of.condition, "slice": of.slice}


MOST_LINES = 10  # more lines than this can't be told apart


LEGEND = "Small: each seed. Large: their mean. Hollow: published. Dashed: guessing."


def study_charts(record: StudyRecord) -> list[Chart]:
    return [chart for number, table in enumerate(record.tables, 1) for chart in table_charts(record, table, number)]


def table_charts(record: StudyRecord, table: StudyTable, number: int) -> Iterator[Chart]:
    """One for each system and suite: the seeds of each slice and condition, with means and published numbers."""
    found = [each for each in table.figures if each.condition and each.measure == "accuracy"]
    conditions = list(dict.fromkeys(each.condition for each in found))
    if len(conditions) < 2 or table.plan.measure not in ("accuracy", "roc-auc"):
        return
    pairs = [] if record.stands_in else match_published(table)
    published: dict[tuple[object, ...], float] = {
        (each.ours.system, each.ours.condition, *each.ours.slice.items()): each.theirs for each in pairs
    }
    groups: dict[tuple[str, str], list[StudyFigure]] = {}
    for each in found:
        groups.setdefault((each.system, each.slice["suite"]), []).append(each)
    for place, ((system, suite), own) in enumerate(groups.items()):
        if len({_line_name(each) for each in own}) <= MOST_LINES:
            two = table.plan.measure == "roc-auc" or suite in _binary_suites(record)
            told = f"{system} on {suite}, by condition. {LEGEND}"
            spec = _condition_chart(own, conditions, published, chance=50.0 if two else 33.3)
            yield Chart(f"conditions-{number}-{place}", f"{system}, {suite}", told, spec)


def _binary_suites(record: StudyRecord) -> set[str]:
    """Suites with two labels, as far as a table by label shows."""
    figures = [each.slice for table in record.tables for each in table.figures]
    return {where["suite"] for where in figures if where.get("label") == Label.NON_ENTAILMENT}


def _condition_chart(
    own: Sequence[StudyFigure],
    conditions: Sequence[str],
    published: Mapping[tuple[object, ...], float],
    *,
    chance: float,
) -> Spec:
    names = list(dict.fromkeys(map(_line_name, own)))
    rows: list[Spec] = []
    for each in own:
        place = {
            "name": printable(_line_name(each)),
            "rank": names.index(_line_name(each)),
            "condition": printable(each.condition),
            "seeds": each.band.n,
        }
        theirs = published.get((each.system, each.condition, *each.slice.items()))
        rows += [{**place, "kind": "seed", "percent": in_per_cent(value)} for value in each.values]
        rows.append({**place, "kind": "mean", "percent": in_per_cent(each.band.mean)})
        rows += [] if theirs is None else [{**place, "kind": "published", "percent": in_per_cent(theirs)}]
    marks = {
        "seed": {**POINT, "size": 22, "opacity": 0.5},
        "mean": {**POINT, "size": 90},
        "published": {**POINT, "size": 120, "filled": False, "strokeWidth": 2},
    }
    y = per_cent_scale("percent", "accuracy in %" if own[0].measure == "accuracy" else "percent")
    offset = {"field": "name", "type": "nominal", "scale": {"domain": list(map(printable, names))}}
    line = {"type": "rule", "color": INK, "opacity": 0.55, "strokeDash": [4, 4]}
    across = {"data": {"values": [{"percent": chance}]}, "mark": line, "encoding": {"y": y}}
    place = {
        "x": axis("condition", list(map(printable, conditions)), labelAngle=0 if len(conditions) < 6 else -30),
        "xOffset": offset,
        "y": y,
        "color": by_model(rows),
        "shape": by_model(rows, shape=True),
        "tooltip": tooltip("name", "condition", "kind", "percent", "seeds"),
    }
    layers = [
        {"transform": [{"filter": f"datum.kind == '{kind}'"}], "mark": mark, "encoding": place}
        for kind, mark in marks.items()
    ]
    return chart_of(rows, step=300, places=1) | {"height": 300, "layer": [across, *layers]}


def _line_name(figure: StudyFigure) -> str:
    """Name of a line: the slice without its suite; the family only if nothing is finer."""
    finer = [value for name, value in figure.slice.items() if name not in ("suite", "family")]
    family = figure.slice["family"]
    return ", ".join([family, *finer] if not finer or family != "original" else finer)


class StudyTableView(NamedTuple):
    sheet: Sheet
    charts: Sequence[Chart]
    words: Sequence[str]
    behind: Mapping[str, Sheet]
    """Tables that open on demand, by a sentence about each: tests, published numbers, effects."""


def study_page(record: StudyRecord, *, frame: Frame | None = None) -> str:
    tables = [_view_table(record, table, number) for number, table in enumerate(record.tables, 1) if table.figures]
    drawn = [chart for each in tables for chart in each.charts]
    return render_template(
        "study.html",
        frame=frame,
        title=f"{record.plan.title}: a study",
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": {"models": [], "cases": []}},
        record=record,
        told=trainings_words(record),
        tables=tables,
        drawn_first=next((each for each in tables if each.charts), None),
        mitigations=mitigations_sheet(record),
        mitigation_results=mitigation_words(record),
        analyses=[
            part if isinstance(part, str) else part._replace(name=f"analysis-{place}")
            for place, part in enumerate(part for each in record.analyses for part in analysis_parts(each))
        ],
        missing=missing_sheet(record),
        attempts=attempts_sheet(record),
        trainings=trainings_sheet(record),
        versions=versions_words(record),
        version=record.versions["assay"],
    )


def drop_constant_columns(sheet: Sheet) -> Sheet:
    """The table without the columns of text that are the same in every row; the note says what they hold.

    >>> from assay.reports.tables.sheet import numbers, sheet_row, texts
    >>> rows = tuple(sheet_row("", "esim", "hans", *cells) for cells in (("le_passive", "1.0"), ("ln_passive", "2.0")))
    >>> columns = (*texts("system", "suite", "subcase"), *numbers("alone"))
    >>> found = drop_constant_columns(Sheet("t", "T", "Accuracy in %.", columns, rows))
    >>> [column.name for column in found.columns], found.note
    (['subcase', 'alone'], 'System esim, suite hans. Accuracy in %.')
    """
    words = [place for place, column in enumerate(sheet.columns) if not column.is_number]
    held = {place: {row.cells[place].text for row in sheet.rows} for place in words}
    constant = {sheet.columns[place].name: min(found) for place, found in held.items() if len(found) == 1}
    if len(sheet.rows) < 2 or len(constant) == len(words):
        return sheet
    told = ", ".join(f"{name} {text}" for name, text in constant.items() if text)
    note = f"{told[:1].upper()}{told[1:]}. {sheet.note}" if told else sheet.note
    shown = [place for place, column in enumerate(sheet.columns) if column.name not in constant]
    return sheet.only(shown)._replace(note=note)


def _view_table(record: StudyRecord, table: StudyTable, number: int) -> StudyTableView:
    pairs = [] if record.stands_in else match_published(table)
    found = match_effects(pairs, table.tests)
    first, *swapped = map(drop_constant_columns, figure_sheets(table, number))
    behind = dict(zip(["Swapped pairs that keep their label"], swapped, strict=False))
    if table.tests:
        behind["Every test against the baseline"] = tests_sheet(table.tests, number)
    if pairs:
        behind["Ours next to the published numbers"] = published_sheet(pairs, table, number)
    if found:
        behind["What conditions change, here and in the paper"] = effects_sheet(found, number)
    words = [*([tests_words(table.tests)] if table.tests else []), *(published_words(pairs, found) if pairs else ())]
    return StudyTableView(first, list(table_charts(record, table, number)), words, behind)
