"""The tables of a report, in its order."""

from collections.abc import Callable, Iterable, Mapping

from assay.core.notebook import REFERENCE
from assay.reports.tables.accuracy import accuracy, seeds, severity, side_by_side, variants
from assay.reports.tables.answers import calibration, confusion, fallbacks
from assay.reports.tables.diagnosis import DIAGNOSIS
from assay.reports.tables.groups import burial, categories, glockner, groups, heuristics, mccoy, subcases
from assay.reports.tables.published import published, related
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.skips import skips
from assay.reports.tables.slices import slices
from assay.reports.tables.swapped import sides, swap, wang
from assay.reports.tables.thresholds import printed_thresholds, thresholds
from assay.reports.view import MARK, View
from assay.reports.words import KNOWN, TWO_WAY

Maker = Callable[[View], Sheet]

MEANS = "A name without @SEED: the mean over its seeds."

REPORT: Mapping[str, Maker] = {
    "accuracy": accuracy,
    "seeds": seeds,
    "variants": variants,
    "swap": swap,
    "heuristics": heuristics,
    "subcases": subcases,
    "categories": categories,
    "burial": burial,
    "severity": severity,
    "confusion": confusion,
    "calibration": calibration,
    "thresholds": thresholds,
    "fallbacks": fallbacks,
    **DIAGNOSIS,
    "groups": groups,
    "slices": slices,
    "published": published,
    "related": related,
    "skips": skips,
}
"""The tables of the page, by name."""

OVERVIEW: Mapping[str, Maker] = {"side-by-side": side_by_side, "sides": sides}
"""Tables with one row per model, for a short summary."""

PAPERS: Mapping[str, Maker] = {"naik": side_by_side, "glockner": glockner, "wang": wang, "mccoy": mccoy}
"""The papers' own tables."""

ARTICLE: Mapping[str, Maker] = {**PAPERS, "thresholds": printed_thresholds}
"""The tables of an article."""


def sheets(view: View) -> list[Sheet]:
    """The tables of the page that have something to show."""
    return _made(view, REPORT.values())


def paper_sheets(view: View) -> list[Sheet]:
    """The papers' own tables, filled with the figures of a run."""
    return _made(view, PAPERS.values())


def article_sheets(view: View) -> list[Sheet]:
    """The tables of an article: the papers' own, and what support scores are worth."""
    return _made(view, ARTICLE.values())


def overview_sheets(view: View) -> list[Sheet]:
    """Models side by side."""
    return _made(view, OVERVIEW.values())


def sheet_of(view: View, name: str) -> Sheet:
    """One of them by name, with notes about its models; it may be empty."""
    return noted(view, {**REPORT, **OVERVIEW, **PAPERS}[name](view))


def noted(view: View, sheet: Sheet) -> Sheet:
    """The table, with notes about models that are references, or that answer with two labels."""
    there = {row.model for row in sheet.rows} | {column.model for column in sheet.columns}
    references = f"{REFERENCE.capitalize()}: {KNOWN}" if there & view.references else ""
    two_way = f"{MARK.capitalize()}: {TWO_WAY}" if there & view.two_way else ""
    means = MEANS if there & {*view.systems} and there & view.seeds else ""
    return sheet._replace(note=" ".join(filter(None, (sheet.note, means, references, two_way))))


def _made(view: View, makers: Iterable[Maker]) -> list[Sheet]:
    return [noted(view, sheet) for make in makers if (sheet := make(view)).rows]
