"""The page of a study."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.study.record import StudyRecord, StudyTable
from assay.evaluate.study.effects import effects
from assay.reports.charts.chart import Chart
from assay.reports.charts.studied import regime_charts
from assay.reports.published.studies import matched
from assay.reports.tables.analyses.parts import analysis_parts
from assay.reports.tables.sheet import Part, Sheet
from assay.reports.tables.studies.remedies import remedies_sheet, remedy_words
from assay.reports.tables.studies.study import (
    attempts_sheet,
    cells_sheet,
    cells_words,
    effects_sheet,
    figure_sheets,
    missing_sheet,
    published_sheet,
    published_words,
    tests_sheet,
    tests_words,
    versions_words,
)
from assay.reports.write.page.document import Frame, rendered


class Behind(NamedTuple):
    """A table that opens on demand."""

    told: str
    """What it says, in a sentence."""
    sheet: Sheet
    """The table."""


class Shown(NamedTuple):
    """A table of the study on the page."""

    sheet: Sheet
    """Its figures."""
    charts: Sequence[Chart]
    """Its charts."""
    words: Sequence[str]
    """What it says, in sentences."""
    behind: Sequence[Behind]
    """Tests, published figures, effects."""


def study_page(record: StudyRecord, *, frame: Frame | None = None) -> str:
    """The whole page."""
    tables = [
        _shown(table, number, stands_in=record.stands_in)
        for number, table in enumerate(record.tables, 1)
        if table.figures
    ]
    drawn = [chart for each in tables for chart in each.charts]
    return rendered(
        "study.html",
        frame=frame,
        title=f"{record.plan.title}: a study",
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": {"models": [], "cases": []}},
        record=record,
        told=cells_words(record),
        tables=tables,
        remedies=remedies_sheet(record),
        courses=remedy_words(record),
        analyses=[_named(part, place) for place, part in enumerate(_analyses(record))],
        missing=missing_sheet(record),
        attempts=attempts_sheet(record),
        cells=cells_sheet(record),
        versions=versions_words(record),
        version=record.versions["assay"],
    )


def _analyses(record: StudyRecord) -> list[Part]:
    return [part for each in record.analyses for part in analysis_parts(each)]


def _named(part: Part, place: int) -> Part:
    return part if isinstance(part, str) else part._replace(name=f"analysis-{place}")


def _shown(table: StudyTable, number: int, *, stands_in: bool) -> Shown:
    pairs = [] if stands_in else matched(table)
    found = effects(pairs, table.tests)
    first, *swapped = figure_sheets(table, number)
    behind = [Behind("Swapped pairs that keep their label", sheet) for sheet in swapped]
    if table.tests:
        behind.append(Behind("Every test against the baseline", tests_sheet(table.tests, number)))
    if pairs:
        behind.append(Behind("Ours next to the published figures", published_sheet(pairs, table, number)))
    if found:
        behind.append(Behind("What conditions change, here and in the paper", effects_sheet(found, number)))
    words = [*([tests_words(table.tests)] if table.tests else []), *(published_words(pairs, found) if pairs else ())]
    return Shown(first, list(regime_charts(table, number)), words, behind)
