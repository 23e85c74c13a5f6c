"""A report in each of its formats, as the contents of files."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from assay.core.dataframes import csv_line, guard_formula
from assay.core.label_space import merged_names
from assay.core.serialise import to_json
from assay.reports.phrases import finding_words
from assay.reports.published.comparable_results import related_tests, same_tests
from assay.reports.tables.report_tables import every_figure
from assay.reports.view import ReportView

if TYPE_CHECKING:
    from assay.reports.write.latex import Style

Format = Literal["html", "md", "latex", "csv", "json", "png", "svg", "card"]


def write_report(view: ReportView, to: Format, *, style: "Style | None" = None) -> dict[str, bytes]:
    """The files of a report, by name; `style` is about LaTeX."""
    return _latex(view, style) if to == "latex" else WRITERS[to](view)


def _html(view: ReportView) -> dict[str, bytes]:
    from assay.reports.page.html_page import page

    return {"report.html": page(view).encode()}


def _markdown(view: ReportView) -> dict[str, bytes]:
    from assay.reports.write.markdown import document

    return {"report.md": document(view).encode()}


def _latex(view: ReportView, style: "Style | None" = None) -> dict[str, bytes]:
    from assay.reports.write.latex import PLAIN, document

    return {"report.tex": document(view, style or PLAIN).encode()}


def _csv(view: ReportView) -> dict[str, bytes]:

    return {"report.csv": as_csv(view)}


def _json(view: ReportView) -> dict[str, bytes]:

    return {"report.json": as_json(view)}


def _png(view: ReportView) -> dict[str, bytes]:
    from assay.reports.write.pictures import as_png

    return as_png(view)


def _svg(view: ReportView) -> dict[str, bytes]:
    from assay.reports.write.pictures import as_svg

    return as_svg(view)


def _card(view: ReportView) -> dict[str, bytes]:
    from assay.reports.write.pictures import as_card

    return as_card(view)


WRITERS: Mapping[Format, Callable[[ReportView], dict[str, bytes]]] = {
    "html": _html,
    "md": _markdown,
    "latex": _latex,
    "csv": _csv,
    "json": _json,
    "png": _png,
    "svg": _svg,
    "card": _card,
}
"""The writer of each format; nothing is imported before it is needed."""


def as_csv(view: ReportView) -> bytes:
    """One line per figure: name, slice, value, interval, cases, reference, two-way model, how it is judged, mark."""
    sheet = every_figure(view)
    lines = [csv_line(guard_formula(column.name) for column in sheet.columns)]
    for row in sheet.rows:
        pairs = zip(sheet.columns, row.cells, strict=True)
        lines.append(csv_line(cell.text if column.is_number else guard_formula(cell.text) for column, cell in pairs))
    return "".join(lines).encode()


def as_json(view: ReportView) -> bytes:
    """The verdicts in words, all judgements, every figure, published and related figures, and the examples."""
    return to_json(
        {
            "runs": [run.id for run in view.runs],
            "verdicts": _verdicts(view),
            "references": sorted(view.references),
            "two_way": sorted(view.two_label_models),
            "judged_two_way": sorted(view.binary_suites),
            "names": merged_names(run.own_names for run in view.runs),
            "judgement": view.judgement,
            "diagnosis": view.diagnosis,
            "estimates": view.estimates,
            "support": view.curves,
            "published": same_tests(view, view.origins),
            "related": related_tests(view, view.origins),
            "examples": view.examples,
        }
    )


def _verdicts(view: ReportView) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for verdict in view.judgement.verdicts:
        found = view.findings(verdict.model)
        said = view.said(verdict)
        words = [{**msgspec.to_builtins(each), "words": finding_words(each, view.names)} for each in found]
        made.append({"model": verdict.model, **said._asdict(), "findings": words})
    return made
