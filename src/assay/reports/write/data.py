"""Every figure of a report for machines: one table as CSV, or all of it as JSON."""

import msgspec

from assay.core.files import to_json
from assay.core.label import merged_names
from assay.core.tables import csv_line, guarded
from assay.reports.published.same_tests import related_tests, same_tests
from assay.reports.tables.every_figure import every_figure
from assay.reports.view import View
from assay.reports.words import finding_words


def as_csv(view: View) -> bytes:
    """One line per figure: name, slice, value, interval, cases, reference, two-way model, how it is judged, mark."""
    sheet = every_figure(view)
    lines = [csv_line(guarded(column.name) for column in sheet.columns)]
    for row in sheet.rows:
        pairs = zip(sheet.columns, row.cells, strict=True)
        lines.append(csv_line(cell.text if column.is_number else guarded(cell.text) for column, cell in pairs))
    return "".join(lines).encode()


def as_json(view: View) -> bytes:
    """The verdicts in words, all judgements, every figure, published and related figures, and the examples."""
    return to_json(
        {
            "runs": [run.id for run in view.runs],
            "verdicts": _verdicts(view),
            "references": sorted(view.references),
            "two_way": sorted(view.two_way),
            "judged_two_way": sorted(view.in_two),
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


def _verdicts(view: View) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for verdict in view.judgement.verdicts:
        found = view.findings(verdict.model)
        said = view.said(verdict)
        words = [{**msgspec.to_builtins(each), "words": finding_words(each, view.names)} for each in found]
        made.append({"model": verdict.model, **said._asdict(), "findings": words})
    return made
