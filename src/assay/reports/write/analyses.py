"""An analysis as a document: its tables as Markdown or LaTeX, or every figure as CSV."""

from collections.abc import Iterable, Sequence
from typing import Literal

from assay.core.analysis import Analysis
from assay.core.results.estimate import Estimate
from assay.core.tables import csv_line, estimate_columns, guarded
from assay.reports.tables.analyses.parts import analysis_parts
from assay.reports.tables.sheet import Part
from assay.reports.write import latex, markdown

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
        return f"{markdown.escaped(part)}\n"
    title, legend = markdown.escaped(part.title), markdown.escaped(part.legend())
    return f"**{title}{'' if title.endswith('?') else '.'}** {legend}\n\n{markdown.table(part)}\n"


def _field(value: object) -> object:
    return "" if value is None else guarded(value) if isinstance(value, str) else value
