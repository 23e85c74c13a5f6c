"""The tables of a report, in its order."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from assay.core.dataframes import REFERENCE, VALUES, slice_columns
from assay.core.label_space import TWO_WAY_KEY
from assay.reports.phrases import KNOWN, TWO_WAY
from assay.reports.published.comparable_results import (
    RelatedTest,
    SameTest,
    is_brief,
    name_of,
    related_tests,
    same_tests,
)
from assay.reports.published.published_results import PublishedFigure, paper
from assay.reports.published.published_results import table as paper_table
from assay.reports.tables import accuracy_tables, diagnosis_tables, group_tables
from assay.reports.tables.overview_table import logic_sheet
from assay.reports.tables.sheet import (
    Sheet,
    SheetCell,
    SheetColumn,
    around,
    count,
    labels_of,
    model_columns,
    numbers,
    share,
    share_cell,
    sheet_row,
    slice_key,
    texts,
    values_seen,
)
from assay.reports.view import MARK, ReportView


def published_sheet(view: ReportView, *, brief: bool = False) -> Sheet:
    """Published and measured numbers for the same tests on the same data; all of them, or those for a summary."""
    found = [each for each in same_tests(view, view.origins) if not brief or is_brief(each)]
    models = list(dict.fromkeys(model for each in found for model in each.measured))
    names = Counter(name_of(each, view.names) for each in found)
    rows = []
    for each in found:
        test = name_of(each, view.names)
        test = f"{test} ({each.slice['suite']})" if names[test] > 1 else test  # two suites have the same test
        measured = (share_cell(each.measured.get(model)) for model in models)
        rows.append(sheet_row("", test, *_extremes(each), *measured, ", ".join(each.tables)))
    # Only data that papers name appears here, no name that a user gave.
    data = dict.fromkeys(f"{each.data.name} ({each.part})" if each.part else each.data.name for each in found)
    measured_on = f"Data: {'; '.join(data)}. " if data else ""
    return Sheet(
        "published",
        "Published numbers for the same tests on the same data",
        "Accuracy in %. Lowest and highest: published for other systems on the same corpus, split and "
        f"fidelity. The columns after them: measured here. {measured_on}For orientation, not a target. `assay "
        "published PAPER TABLE` shows each.",
        (*texts("test"), *EXTREMES, *model_columns(view, models), *texts("paper and table")),
        tuple(rows),
    )


def related_sheet(view: ReportView) -> Sheet:
    """Published numbers for the same tests on other data, never in one row with measured ones."""
    found = related_tests(view, view.origins)
    rows = []
    for each in found:
        data = each.data.name, each.of.name, ", ".join(each.differs)
        rows.append(sheet_row("", name_of(each, view.names), *data, *_extremes(each), ", ".join(each.tables)))
    return Sheet(
        "related",
        "Published numbers for related tests",
        "Accuracy in %, published for the same kind of test on other data: another corpus, split or fidelity. "
        "Don't compare them with what was measured here: each of the three changes how hard a test is.",
        (*texts("test", "measured here on", "published for", "differs in"), *EXTREMES, *texts("paper and table")),
        tuple(dict.fromkeys(rows)),  # two suites of the same data say the same
    )


EXTREMES = numbers("lowest", "highest", "systems")


def _extremes(row: SameTest | RelatedTest) -> tuple[SheetCell, ...]:
    return share_cell(row.low), share_cell(row.high), count(row.systems)


def paper_tables(figures: Sequence[PublishedFigure]) -> list[Sheet]:
    """Each table of the papers that has one of these numbers; doubtful ones are marked."""
    places = dict.fromkeys((each.paper, each.table) for each in figures)
    return [_paper_table(*place, [each for each in figures if (each.paper, each.table) == place]) for place in places]


def _paper_table(key: str, number: str, own: Sequence[PublishedFigure]) -> Sheet:
    shown = paper_table(key, number)
    cells = {(each.row, each.column): SheetCell(each.printed, each.value, bool(each.doubt)) for each in own}
    rows, columns = list(dict.fromkeys(each.row for each in own)), list(dict.fromkeys(each.column for each in own))
    if _width(columns, rows) > _width(rows, columns):
        rows, columns, cells = columns, rows, {(column, row): cell for (row, column), cell in cells.items()}
    place = number if number.startswith("section") else f"table {number}"
    facts = dict.fromkeys(each.fact for each in paper(key).doubts if each.table == number)
    return Sheet(
        f"{key}-{number}".replace(" ", "-"),
        f"{key}, {place}: {shown.title} ({shown.unit})",
        shown.note,
        (*texts(""), *numbers(*columns)),
        tuple(sheet_row("", row, *(cells.get((row, column), "-") for column in columns)) for row in rows),
        mark=" ".join(facts).removesuffix("."),
    )


def _width(columns: Sequence[str], rows: Sequence[str]) -> int:
    return max(map(len, rows)) + sum(len(column) + 1 for column in columns)


def skips(view: ReportView) -> Sheet:
    rows = [
        sheet_row("", suite, family, reason, count(n))
        for suite, manifest in view.suites.items()
        for family, reasons in {"(reading)": manifest.source.skipped, **manifest.skips}.items()
        for reason, n in sorted(reasons.items(), key=lambda each: -each[1])
    ]
    note = "Pairs that gave no case, by family and reason. If an edit does not apply, Assay does not guess."
    columns = (*texts("suite", "family", "reason"), *numbers("pairs"))
    return Sheet("skips", "What was skipped", note, columns, tuple(rows))


def slices(view: ReportView) -> Sheet:
    """A line for each slice, suite and model: the accuracy on all cases, and by label."""
    found = {(e.slice["model"], e.slice["suite"], e.slice["slice"], e.slice.get("label", "")): e for e in view.slices}
    labels = labels_of(e for e in view.slices if "label" in e.slice)
    several = len(view.suites) > 1
    rows = []
    for name in values_seen(view.slices, "slice"):
        for (model, suite, own, label), e in found.items():
            if own == name and not label:
                by_label = [share(found.get((model, suite, own, each))) for each in labels]
                names = (name, *([suite] if several else []), view.name(model))
                rows.append(sheet_row(model, *names, share(e), around(e), *by_label, count(e.n)))
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


class ReportTable(NamedTuple):
    make: Maker
    about: str  # its content in a few words
    charts: str = ""  # the beginning of the names of the charts above it, if there are any


TABLES: Mapping[str, ReportTable] = {
    "accuracy": ReportTable(
        accuracy_tables.accuracy, "every number with its interval, and the change from the unmodified pairs", "changes"
    ),
    "logic": ReportTable(logic_sheet, "tests without unmodified pairs, beside the best guess"),
    "seeds": ReportTable(accuracy_tables.seeds, "how far the seeds of one system differ"),
    "variants": ReportTable(accuracy_tables.variants, "kinds of the same test"),
    "swap": ReportTable(group_tables.swap, "what each label does when the two texts trade places", "swap"),
    "heuristics": ReportTable(
        group_tables.heuristics, "where a heuristic gives the right answer, and where it does not", "heuristics-"
    ),
    "subcases": ReportTable(group_tables.subcases, "the constructions behind the heuristics"),
    "categories": ReportTable(group_tables.categories, "what kind of word was replaced"),
    "burial": ReportTable(
        group_tables.burial, "whether a model finds the sentence that decides, wherever it is in a long text"
    ),
    "severity": ReportTable(accuracy_tables.severity, "the same test at growing strength", "severity-"),
    "confusion": ReportTable(accuracy_tables.confusion, "what was answered instead", "confusion"),
    "calibration": ReportTable(accuracy_tables.calibration, "whether a model knows when it is wrong", "confidence"),
    "thresholds": ReportTable(
        accuracy_tables.thresholds, "the score from which to believe a model, and what that costs", "thresholds-"
    ),
    "certified": ReportTable(
        accuracy_tables.certified_thresholds, "thresholds with a certified bound on false support"
    ),
    "fallbacks": ReportTable(accuracy_tables.fallbacks, "cases that a model could not judge"),
    "shortcuts": ReportTable(
        diagnosis_tables.shortcuts, "ways to answer without reading, and which models follow them"
    ),
    "moves": ReportTable(diagnosis_tables.moves, "how answers move from a pair to its edited copy"),
    "errors": ReportTable(diagnosis_tables.errors, "odds of being wrong, by visible properties of the cases"),
    "versus": ReportTable(diagnosis_tables.versus, "errors that models share, and those that only one makes"),
    "unknown-shortcuts": ReportTable(
        diagnosis_tables.unknown_shortcuts, "rules that a search found in the answers, tested on new cases"
    ),
    "groups": ReportTable(group_tables.groups, "your own columns, such as genre"),
    "slices": ReportTable(slices, "cases that you chose in the browser"),
    "published": ReportTable(published_sheet, "the papers' numbers for the same tests", "published"),
    "related": ReportTable(related_sheet, "the papers' numbers for similar tests on other data"),
    "skips": ReportTable(skips, "why some pairs gave no case"),
}

REPORT: Mapping[str, Maker] = {name: table.make for name, table in TABLES.items()}

OVERVIEW: Mapping[str, Maker] = {"side-by-side": accuracy_tables.side_by_side, "sides": group_tables.sides}
"""Tables with one row per model, for a short summary."""

PAPERS: Mapping[str, Maker] = {
    "naik": accuracy_tables.side_by_side,
    "glockner": group_tables.glockner,
    "wang": group_tables.wang,
    "mccoy": group_tables.mccoy,
}

ARTICLE: Mapping[str, Maker] = {**PAPERS, "thresholds": accuracy_tables.printed_thresholds}


def sheets(view: ReportView, makers: Mapping[str, Maker] = REPORT) -> list[Sheet]:
    """The tables that have something to show, by default those of the page."""
    return [add_notes(view, sheet) for make in makers.values() if (sheet := make(view)).rows]


def sheet_of(view: ReportView, name: str) -> Sheet:
    """One of them by name, with notes about its models; it may be empty."""
    return add_notes(view, {**REPORT, **OVERVIEW, **PAPERS}[name](view))


def add_notes(view: ReportView, sheet: Sheet) -> Sheet:
    """The table, with notes about models that are baselines, or that answer with two labels."""
    there = {row.model for row in sheet.rows} | {column.model for column in sheet.columns}
    references = f"{REFERENCE.capitalize()}: {KNOWN}" if there & view.references else ""
    easier = f"{MARK.capitalize()}: {TWO_WAY}" if there & view.two_label_models else ""
    means = "A name without @SEED: the mean over its seeds." if there & {*view.systems} and there & view.seeds else ""
    return sheet._replace(note=" ".join(filter(None, (sheet.note, means, references, easier))))


MARKS = {"accuracy": "loss", "band": "loss", "kept": "unexpected"}  # words for marks in csv


def every_figure(view: ReportView) -> Sheet:
    """One line for each number, in full precision, and whether it is marked in the other tables."""
    found = [*view.estimates, *view.slices]
    slices = slice_columns(found)
    rows = []
    for e in found:
        values = {name: view.label(value) if name in ("label", "answer") else value for name, value in e.slice.items()}
        names = [SheetCell(e.name), *(SheetCell(values.get(name, "")) for name in slices.values())]
        numbers_of = (getattr(e, name) for name in VALUES)
        figures = [SheetCell("" if each is None else repr(each), each) for each in numbers_of]
        reference = "yes" if e.slice["model"] in view.references else ""
        easier = "yes" if e.slice["model"] in view.two_label_models else ""
        judged = "two-way" if e.slice["suite"] in view.binary_suites else ""
        mark = MARKS.get(e.name, "") if slice_key(e) in (view.unexpected if e.name == "kept" else view.lost) else ""
        ends = "" if e.low is None else "lowest and highest seed" if "seeds" in e.slice else "95% interval"
        rows.append(sheet_row(e.slice["model"], *names, *figures, reference, easier, judged, mark, ends))
    facts = texts("reference", TWO_WAY_KEY, "judged", "mark", "low_and_high")
    columns: tuple[SheetColumn, ...] = (*texts("figure", *slices), *numbers(*VALUES), *facts)
    return Sheet("figures", "Every number", "As shares of 1.", columns, tuple(rows))
