"""The tables of a report, in its order."""

from collections.abc import Callable, Iterable, Mapping

from assay.core.dataframes import REFERENCE, VALUES, slice_columns
from assay.core.estimate import Estimate, key_of
from assay.reports.phrases import KNOWN, TWO_WAY
from assay.reports.tables.accuracy_tables import (
    accuracy,
    calibration,
    certified_thresholds,
    confusion,
    fallbacks,
    printed_thresholds,
    seeds,
    severity,
    side_by_side,
    thresholds,
    variants,
)
from assay.reports.tables.diagnosis_tables import DIAGNOSIS
from assay.reports.tables.group_tables import (
    burial,
    categories,
    glockner,
    groups,
    heuristics,
    mccoy,
    sides,
    subcases,
    swap,
    wang,
)
from assay.reports.tables.overview_table import logic_sheet
from assay.reports.tables.published_tables import published_sheet, related_sheet
from assay.reports.tables.sheet import (
    Sheet,
    SheetCell,
    SheetColumn,
    SheetRow,
    around,
    count,
    labels_of,
    numbers,
    share,
    texts,
    values_seen,
)
from assay.reports.view import MARK, ReportView


def skips(view: ReportView) -> Sheet:
    """Skipped pairs by reason."""
    rows = [
        SheetRow("", (SheetCell(suite), SheetCell(family), SheetCell(reason), count(n)))
        for suite, manifest in view.suites.items()
        for family, reasons in {"(reading)": manifest.source.skipped, **manifest.skips}.items()
        for reason, n in sorted(reasons.items(), key=lambda each: -each[1])
    ]
    note = "Pairs that gave no case, by family and reason. If an edit does not apply, Assay does not guess."
    columns = (*texts("suite", "family", "reason"), *numbers("pairs"))
    return Sheet("skips", "What was not made", note, columns, tuple(rows))


def slices(view: ReportView) -> Sheet:
    """A line for each slice, suite and model: the accuracy on all cases, and by label."""
    found = {(e.slice["model"], e.slice["suite"], e.slice["slice"], e.slice.get("label", "")): e for e in view.slices}
    labels = labels_of(e for e in view.slices if "label" in e.slice)
    several = len(view.suites) > 1
    rows = []
    for name in values_seen(view.slices, "slice"):
        for (model, suite, own, label), e in found.items():
            if own == name and not label:
                places = [SheetCell(suite)] if several else []
                by_label = [share(found.get((model, suite, own, each))) for each in labels]
                cells = (
                    SheetCell(name),
                    *places,
                    SheetCell(view.name(model)),
                    share(e),
                    around(e),
                    *by_label,
                    count(e.n),
                )
                rows.append(SheetRow(model, cells))
    heads = texts("slice", *(["suite"] if several else []), "model")
    figures = numbers("accuracy", "95%", *(view.label(each) for each in labels), "cases")
    return Sheet(
        "slices",
        "Saved slices",
        "Accuracy in % on cases that were chosen and saved under a name in the browser.",
        (*heads, *figures),
        tuple(rows),
    )


Maker = Callable[[ReportView], Sheet]

MEANS = "A name without @SEED: the mean over its seeds."

REPORT: Mapping[str, Maker] = {
    "accuracy": accuracy,
    "logic": logic_sheet,
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
    "certified": certified_thresholds,
    "fallbacks": fallbacks,
    **DIAGNOSIS,
    "groups": groups,
    "slices": slices,
    "published": published_sheet,
    "related": related_sheet,
    "skips": skips,
}
"""The tables of the page, by name."""

OVERVIEW: Mapping[str, Maker] = {"side-by-side": side_by_side, "sides": sides}
"""Tables with one row per model, for a short summary."""

PAPERS: Mapping[str, Maker] = {"naik": side_by_side, "glockner": glockner, "wang": wang, "mccoy": mccoy}
"""The papers' own tables."""

ARTICLE: Mapping[str, Maker] = {**PAPERS, "thresholds": printed_thresholds}
"""The tables of an article."""


def sheets(view: ReportView) -> list[Sheet]:
    """The tables of the page that have something to show."""
    return _made(view, REPORT.values())


def paper_sheets(view: ReportView) -> list[Sheet]:
    """The papers' own tables, filled with the figures of a run."""
    return _made(view, PAPERS.values())


def article_sheets(view: ReportView) -> list[Sheet]:
    """The tables of an article: the papers' own, and what support scores are worth."""
    return _made(view, ARTICLE.values())


def overview_sheets(view: ReportView) -> list[Sheet]:
    """Models side by side."""
    return _made(view, OVERVIEW.values())


def sheet_of(view: ReportView, name: str) -> Sheet:
    """One of them by name, with notes about its models; it may be empty."""
    return add_notes(view, {**REPORT, **OVERVIEW, **PAPERS}[name](view))


def add_notes(view: ReportView, sheet: Sheet) -> Sheet:
    """The table, with notes about models that are baselines, or that answer with two labels."""
    there = {row.model for row in sheet.rows} | {column.model for column in sheet.columns}
    references = f"{REFERENCE.capitalize()}: {KNOWN}" if there & view.references else ""
    easier = f"{MARK.capitalize()}: {TWO_WAY}" if there & view.two_label_models else ""
    means = MEANS if there & {*view.systems} and there & view.seeds else ""
    return sheet._replace(note=" ".join(filter(None, (sheet.note, means, references, easier))))


def _made(view: ReportView, makers: Iterable[Maker]) -> list[Sheet]:
    return [add_notes(view, sheet) for make in makers if (sheet := make(view)).rows]


MARKS = {"accuracy": "loss", "band": "loss", "kept": "unexpected"}
"""Words for marks in csv."""


LABELLED = ("label", "answer")
"""Names of a slice whose values are labels."""


def every_figure(view: ReportView) -> Sheet:
    """One line for each figure, in full precision, and whether it is marked in the other tables."""
    found = [*view.estimates, *view.slices]
    slices = slice_columns(found)
    rows = []
    for e in found:
        values = {**e.slice, **{name: view.label(e.slice[name]) for name in LABELLED if name in e.slice}}
        names = [SheetCell(e.name), *(SheetCell(values.get(name, "")) for name in slices.values())]
        figures = [
            SheetCell("" if each is None else repr(each), each) for each in (getattr(e, name) for name in VALUES)
        ]
        reference = SheetCell("yes" if e.slice["model"] in view.references else "")
        easier = SheetCell("yes" if e.slice["model"] in view.two_label_models else "")
        judged = SheetCell("two-way" if e.slice["suite"] in view.binary_suites else "")
        rows.append(
            SheetRow(e.slice["model"], (*names, *figures, reference, easier, judged, SheetCell(_mark(view, e))))
        )
    facts = texts("reference", "two_way", "judged", "mark")
    columns: tuple[SheetColumn, ...] = (*texts("figure", *slices), *numbers(*VALUES), *facts)
    return Sheet("figures", "Every figure", "As shares of 1.", columns, tuple(rows))


def _mark(view: ReportView, e: Estimate) -> str:
    key = key_of({name: value for name, value in e.slice.items() if name != "seeds"})
    marked = view.unexpected if e.name == "kept" else view.lost
    return MARKS[e.name] if e.name in MARKS and key in marked else ""
