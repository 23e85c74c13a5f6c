"""Every figure of a report for machines: one table as CSV, or all of it as JSON."""

import csv
import io

from assay.core.files import to_json
from assay.reports.judgement import judgements
from assay.reports.published.beside import beside
from assay.reports.view import View

FIRST = ("model", "suite", "family", "label")
"""Slices that nearly every figure has; the others follow in the order in which they come up."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings that a spreadsheet takes for a formula."""


def as_csv(view: View) -> bytes:
    """One line a figure: its name, its slice, value, interval, number of cases, and whether its model is two-way."""
    names = [*dict.fromkeys([*FIRST, *(name for e in view.estimates for name in e.slice)])]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["figure", *names, "value", "low", "high", "n", "two_way"])
    for e in view.estimates:
        two_way = "yes" if e.slice["model"] in view.two_way else ""
        figures = ("" if each is None else repr(each) for each in (e.value, e.low, e.high))
        lines.writerow([_text(e.name), *(_text(e.slice.get(name, "")) for name in names), *figures, e.n, two_way])
    return out.getvalue().encode()


def as_json(view: View) -> bytes:
    """The verdicts, the two-way models, every figure, the published ones beside them, and the examples."""
    return to_json(
        {
            "runs": [run.record.id for run in view.runs],
            "verdicts": [
                {
                    "model": each.model,
                    "tone": each.tone,
                    "headline": each.headline,
                    "standing": each.standing,
                    "sureness": each.sureness,
                    "note": each.note,
                    "findings": [finding._asdict() for finding in each.findings],
                }
                for each in judgements(view)
            ],
            "two_way": sorted(view.two_way),
            "estimates": view.estimates,
            "published": beside(view.estimates),
            "examples": view.examples,
        }
    )


def _text(value: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value
