"""The page of a comparison: what is better and worse, and how models fared over several runs."""

from collections.abc import Sequence
from typing import Any

from assay.core.comparison import Comparisons
from assay.core.label_space import LabelNames
from assay.core.run_record import RunRecord
from assay.reports.charts.comparison_charts import difference_chart, trend_charts
from assay.reports.page.html_page import render_template
from assay.reports.phrases import two_way_words
from assay.reports.tables.comparison_tables import band_sheet, comparison_sheet, outcome_words, trend_sheet


def comparison_page(found: Comparisons, runs: Sequence[RunRecord]) -> str:
    """The whole page."""
    names = LabelNames(found.names)
    pairs: list[dict[str, Any]] = []
    for number, each in enumerate(found.comparisons):
        pair = comparison_sheet(each, names, references=found.references)._replace(name=f"comparison-{number}")
        chart = difference_chart(each, f"difference-{number}")
        pairs.append({"title": pair.title, "words": outcome_words(each, names), "chart": chart, "sheet": pair})
    trends, sheet = list(trend_charts(runs)), trend_sheet(runs)
    bands = [band_sheet(found.bands, names)] if found.bands else []
    drawn = [*(each["chart"] for each in pairs), *trends]
    return render_template(
        "comparison.html",
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
