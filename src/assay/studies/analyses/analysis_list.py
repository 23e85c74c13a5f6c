"""The list of analyses, and an analysis as a document: Markdown, LaTeX or CSV."""

from collections.abc import Iterable, Sequence
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
    numbers,
    prediction_of_failure,
    subcases,
    swap_training,
    word_pairs,
)
from assay.studies.analyses.analysis_result import Analysis

ANALYSES = {
    entry.name: entry
    for entry in (
        directions.ANALYSIS,
        antonyms.ANALYSIS,
        numbers.ANALYSIS,
        error_causes.ANALYSIS,
        word_pairs.SIMILARITY,
        word_pairs.FREQUENCY,
        swap_training.ANALYSIS,
        epochs.ANALYSIS,
        subcases.ANALYSIS,
        prediction_of_failure.ANALYSIS,
    )
}
"""All analyses by name. A new one is a module with an `ANALYSIS`, and a line here."""


def analysis_parts(found: Analysis) -> list[Part]:
    return ANALYSES[found.name].tables(found)


To = Literal["md", "csv", "latex"]


def analysis_text(found: Analysis, to: To) -> str:
    return parts_text(analysis_parts(found), found.estimates, to)


def parts_text(parts: Iterable[Part], estimates: Sequence[Estimate], to: To) -> str:
    """Tables as a document, or their numbers as CSV."""
    if to == "csv":
        columns = estimate_columns(estimates)
        rows = [
            ["" if value is None else guard_formula(value) if isinstance(value, str) else value for value in row]
            for row in zip(*columns.values(), strict=True)
        ]
        return "".join(map(csv_line, [columns, *rows]))
    if to == "latex":
        return "\n".join([latex.HEAD, *(latex.table(each) for each in parts if not isinstance(each, str))])
    return "\n".join(map(_markdown, parts))


def _markdown(part: Part) -> str:
    if isinstance(part, str):
        return f"{markdown.escape(part)}\n"
    title, legend = markdown.escape(part.title), markdown.escape(part.legend())
    return f"**{title}{'' if title.endswith('?') else '.'}** {legend}\n\n{markdown.table(part)}\n"
