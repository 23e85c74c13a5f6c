"""The list of analyses, and an analysis as a document: Markdown, LaTeX or CSV."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from assay.core.dataframes import csv_line, estimate_columns, guard_formula
from assay.core.estimate import Estimate
from assay.reports.tables.sheet import Part
from assay.reports.write import latex, markdown
from assay.studies.analyses import (
    antonyms,
    directions,
    epochs,
    error_causes,
    frequency,
    numbers,
    prediction_of_failure,
    similarity,
    subcases,
    swap_training,
)
from assay.studies.analyses.analysis_result import Analysis, AnalysisEntry

ANALYSES: Mapping[str, AnalysisEntry] = {
    module.ANALYSIS.name: module.ANALYSIS
    for module in (
        directions,
        antonyms,
        numbers,
        error_causes,
        similarity,
        frequency,
        swap_training,
        epochs,
        subcases,
        prediction_of_failure,
    )
}
"""All analyses by name. A new one is a module with an `ANALYSIS`, and a line here."""


def analysis_parts(found: Analysis) -> list[Part]:
    """The tables and lines of an analysis."""
    return ANALYSES[found.name].tables(found)


To = Literal["md", "csv", "latex"]


def analysis_text(found: Analysis, to: To) -> str:
    """The analysis as a document."""
    return parts_text(analysis_parts(found), found.estimates, to)


def parts_text(parts: Iterable[Part], estimates: Sequence[Estimate], to: To) -> str:
    """Tables as a document, or their numbers as CSV."""
    if to == "csv":
        columns = estimate_columns(estimates)
        rows = zip(*columns.values(), strict=True)
        return "".join([csv_line(columns), *(csv_line(map(_field, row)) for row in rows)])
    if to == "latex":
        return "\n".join([latex.HEAD, *(latex.table(each) for each in parts if not isinstance(each, str))])
    return "\n".join(map(_markdown, parts))


def _markdown(part: Part) -> str:
    if isinstance(part, str):
        return f"{markdown.escape(part)}\n"
    title, legend = markdown.escape(part.title), markdown.escape(part.legend())
    return f"**{title}{'' if title.endswith('?') else '.'}** {legend}\n\n{markdown.table(part)}\n"


def _field(value: object) -> object:
    return "" if value is None else guard_formula(value) if isinstance(value, str) else value
