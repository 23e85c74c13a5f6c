"""Every figure of a report for machines: one table as CSV, or all of it as JSON."""

from assay.core.files import to_json
from assay.core.tables import csv_line, guarded
from assay.reports.judgement import judgements
from assay.reports.published.beside import beside
from assay.reports.view import View

FIRST = ("model", "suite", "family", "label")
"""Slices that nearly every figure has; the others follow in the order in which they come up."""


def as_csv(view: View) -> bytes:
    """One line a figure: its name, its slice, value, interval, number of cases, and whether its model is two-way."""
    names = [*dict.fromkeys([*FIRST, *(name for e in view.estimates for name in e.slice)])]
    lines = [csv_line(["figure", *map(guarded, names), "value", "low", "high", "n", "two_way"])]
    for e in view.estimates:
        two_way = "yes" if e.slice["model"] in view.two_way else ""
        figures = ("" if each is None else repr(each) for each in (e.value, e.low, e.high))
        places = (guarded(e.slice.get(name, "")) for name in names)
        lines.append(csv_line([guarded(e.name), *places, *figures, e.n, two_way]))
    return "".join(lines).encode()


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
