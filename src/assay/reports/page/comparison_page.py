"""The page of a comparison: what is better and worse, and how models fared over several runs."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.comparison import Comparison, Comparisons
from assay.core.label_space import LabelNames
from assay.core.run_record import RunRecord
from assay.reports.charts.comparison_charts import difference_chart, trend_charts
from assay.reports.charts.vegalite import Chart
from assay.reports.page.html_page import Frame, render_template
from assay.reports.phrases import two_way_words
from assay.reports.tables.comparison_tables import band_sheet, comparison_sheet, outcome_words, title_of, trend_sheet
from assay.reports.tables.sheet import Sheet


class ComparedOnPage(NamedTuple):
    """Two models on the page."""

    title: str
    words: Sequence[str]
    chart: Chart
    sheet: Sheet


def comparison_page(found: Comparisons, runs: Sequence[RunRecord], *, frame: Frame | None = None) -> str:
    """The whole page."""
    names = LabelNames(found.names)
    pairs = [_versus(each, number, names, found.references) for number, each in enumerate(found.comparisons)]
    trends, sheet = list(trend_charts(runs)), trend_sheet(runs)
    bands = [band_sheet(found.bands, names)] if found.bands else []
    drawn = [*(each.chart for each in pairs), *trends]
    return render_template(
        "comparison.html",
        frame=frame,
        title=f"Comparison: {', '.join(found.runs)}",
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": {"models": [], "cases": []}},
        found=found,
        judged=two_way_words(names) if found.binary_suites else "",
        pairs=pairs,
        trends=trends if sheet.rows else [],
        trend=sheet,
        bands=bands,
        version=runs[0].versions["assay"],
    )


def _versus(each: Comparison, number: int, names: LabelNames, references: Sequence[str]) -> ComparedOnPage:
    sheet = comparison_sheet(each, names, references=references)._replace(name=f"comparison-{number}")
    title = title_of(each, references)
    return ComparedOnPage(title, outcome_words(each, names), difference_chart(each, f"difference-{number}"), sheet)
