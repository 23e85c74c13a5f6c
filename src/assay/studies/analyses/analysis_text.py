"""An analysis as a document: its tables as Markdown or LaTeX, or every figure as CSV."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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

Maker = Callable[[Analysis], list[Part]]

MAKERS: Mapping[str, Maker] = {
    "directions": directions.directions,
    "antonyms": antonyms.antonyms,
    "numbers": numbers.numerals,
    "errors": error_causes.errors,
    "similarity": word_pairs.similarity,
    "frequency": word_pairs.frequency,
    "swap": swap_training.swap,
    "epochs": epochs.epochs,
    "subcases": subcases.subcases,
    "prediction": prediction_of_failure.prediction,
}
"""The tables of each analysis."""


def analysis_parts(found: Analysis) -> list[Part]:
    """The tables and lines of an analysis."""
    return MAKERS[found.name](found)


To = Literal["md", "csv", "latex"]


def analysis_text(found: Analysis, to: To) -> str:
    """The analysis as a document."""
    return parts_text(analysis_parts(found), found.estimates, to)


def parts_text(parts: Iterable[Part], estimates: Sequence[Estimate], to: To) -> str:
    """Tables as a document, or their figures as CSV."""
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
