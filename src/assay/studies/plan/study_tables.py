"""A study as tables: numbers over seeds by condition, tests, published numbers next to ours, and missing parts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from assay.core.case import family_rank
from assay.core.comparison import Outcome
from assay.core.label import Label
from assay.evaluate.trainings import FEWEST
from assay.reports.formatting import percent, point_ends, points
from assay.reports.published.published_results import PublishedFigure, figures
from assay.reports.tables.sheet import (
    Part,
    Sheet,
    SheetCell,
    SheetColumn,
    count,
    numbers,
    p_cell,
    plain_sheet,
    sheet_row,
    texts,
)
from assay.studies.analyses.analysis_list import analysis_parts
from assay.studies.mitigation.mitigation_effects import mitigation_words, mitigations_sheet
from assay.studies.plan.study_metrics import ConditionEffect, Matched, compare_order, match_effects
from assay.studies.plan.study_plan import Published
from assay.studies.plan.study_record import StudyFigure, StudyRecord, StudyTable, StudyTest

ONE_WAY = ("variant", "swapped")
"""Keys of published slices that ours need not have: a suite has one variant, and the condition says what is swapped."""


def match_published(table: StudyTable) -> list[Matched]:
    """Every number of the table that has a published one."""
    found = []
    for each in table.figures:
        for published in table.plan.published:
            for theirs in figures():
                if (theirs.paper, theirs.table) != (published.paper, published.table):
                    continue
                if _is_same(published, theirs, each):
                    # Transfer prints percent beside correlations.
                    in_percent = table.plan.measure == "transfer" and theirs.value > 1
                    value = theirs.value / 100 if in_percent else theirs.value
                    where = f"{theirs.paper}, Table {theirs.table}: {theirs.row}, {theirs.column}"
                    found.append(Matched(each, value if theirs.share is None else theirs.share, where, theirs.doubt))
    return found


def _is_same(published: Published, theirs: PublishedFigure, ours: StudyFigure) -> bool:
    where = dict(ours.slice)
    suite = where.pop("suite", "")
    called = {**where, **({"family": published.families[suite]} if suite in published.families else {})}
    condition = published.conditions.get(ours.condition)
    return (
        theirs.model == published.systems.get(ours.system)
        and not (published.conditions and condition is None)
        and all(getattr(theirs, name) == value for name, value in (condition or {}).items())
        and not (suite and published.suites.get(suite) != theirs.data.split)
        and _is_same_slice(published, theirs, called, where)
    )


def _is_same_slice(
    published: Published, theirs: PublishedFigure, called: Mapping[str, str], where: Mapping[str, str]
) -> bool:
    if published.rows:
        named = published.rows.get(theirs.row) or published.rows.get(theirs.column)
        return named is not None and {**{k: v for k, v in where.items() if k == "family"}, **named} == where
    own = {name: value for name, value in theirs.slice.items() if name not in ONE_WAY or name in called}
    return own == called


READY = "as it is"  # name for the condition of a ready model

HEADS = ("suite", "task", "family", "heuristic", "subcase", "category", "variant", "label", "answer", "measure")
"""Keys of slices, from left to right."""

SWAPPED = "Swapped pairs have no label: their rows are shares of answers with the source pair's label, not accuracies."
"""Note below a table with swapped pairs."""

WHAT = {
    "accuracy": "Accuracy in %",
    "deviation": "Squared distances from 1 of the ratios to 0%, over suites and shares; as printed, without 25%",
    "transfer": "Accuracy, F1 and correlations, times 100",
    "roc-auc": "Area under the ROC curve of entailment, times 100; 50 is chance",
    "false-neutral": "Share of the errors that answer neutral, in percent",
    "direction": "Share of the errors with this right label and this answer, in percent",
}

KEPT = "Share of swapped pairs whose answer is the label of the pair, in %; not an accuracy"

TESTED = (
    "Differences in points on the same cases. Interval and p are about other training runs and cases, with Holm's "
    f"correction over the table. A verdict needs {FEWEST} training runs of each and p below 0.05."
)


def study_parts(record: StudyRecord, *, brief: bool = False, most: int | None = None) -> list[Part]:
    """Everything that a study shows, from top to bottom.

    In brief, it is without tests that have no verdict and single training runs. Tests and published numbers of a
    table are left out if there are more than `most`.
    """
    plan = record.plan
    title = f"{plan.title}{f' ({plan.reproduces})' if plan.reproduces else ''}"
    parts: list[Part] = [f"{title}{'' if title.endswith('?') else '.'} {trainings_words(record)}"]
    if (before_after := mitigations_sheet(record, brief=brief)).rows:
        parts += [*mitigation_words(record), before_after]
    for number, table in enumerate(record.tables, 1):
        if brief and before_after.rows:
            break  # it has the numbers and tests of these tables
        parts += table_parts(table, number, brief=brief, most=most, stands_in=record.stands_in)
    for analysis in record.analyses:
        parts += analysis_parts(analysis)
    parts += [sheet for sheet in (missing_sheet(record), attempts_sheet(record)) if sheet.rows]
    if not brief:
        parts.append(trainings_sheet(record))
    parts += [f"Reduced: {each}" for each in record.reduced]
    return [*parts, *(f"Note: {each}" for each in plan.notes), f"Note: {versions_words(record)}"]


def table_parts(
    table: StudyTable, number: int, *, brief: bool = False, most: int | None = None, stands_in: bool = False
) -> list[Part]:
    if not table.figures:
        return [f"{table.plan.title}: nothing was measured."]  # all runs failed, or the suites have no such cases
    pairs = [] if stands_in else match_published(table)
    parts: list[Part] = [*figure_sheets(table, number)]
    if table.tests:
        tests = [test for test in table.tests if test.verdict in ("better", "worse")] if brief else table.tests
        parts.append(tests_words(table.tests))
        parts += [tests_sheet(tests, number)] if tests and (most is None or len(tests) <= most) else []
    if pairs:
        found = match_effects(pairs, table.tests)
        parts += [published_sheet(pairs, table, number)] if most is None or len(pairs) <= most else []
        parts += published_words(pairs, found)
        parts += [effects_sheet(found, number)] if found and not brief else []
    return parts


def trainings_words(record: StudyRecord) -> str:
    there, gone = len(record.trainings), len(record.missing)
    seeds = len({each.seed for each in record.trainings})
    if gone:
        told = f"{there} of {there + gone} training runs are finished; {gone} failed."
    else:
        told = "The only training run is finished." if there == 1 else f"All {there} training runs are finished."
    return f"{told} {seeds} seed{'' if seeds == 1 else 's'}."


def versions_words(record: StudyRecord) -> str:
    told = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    return f"Made with {told}. Training again on another machine or version changes the numbers by up to a few points."


def figure_sheets(table: StudyTable, number: int) -> Iterator[Sheet]:
    """The numbers of a table; swapped pairs, which have no right answer, are apart from accuracies."""
    for measure in ("accuracy", "kept"):
        own = [each for each in table.figures if each.measure == measure]
        if own:
            yield _figure_sheet(table, own, number)


def _figure_sheet(table: StudyTable, found: Sequence[StudyFigure], number: int) -> Sheet:
    """Conditions side by side; if there is only one, systems."""
    kept = found[0].measure == "kept"
    conditions = list(dict.fromkeys(each.condition for each in found if each.condition))
    heads = _slice_keys([each.slice for each in found])
    by_condition = len(conditions) > 1
    columns = list(dict.fromkeys(each.condition if by_condition else each.system for each in found))
    first = ["system", *heads] if by_condition else heads
    lines: dict[tuple[str, ...], dict[str, StudyFigure]] = {}
    for each in found:
        own, column = ([each.system], each.condition) if by_condition else ([], each.system)
        lines.setdefault((*own, *(each.slice.get(name, "") for name in heads)), {})[column] = each
    rows = [
        sheet_row("", *key, *(_figure_cell(by.get(name), table) for name in columns))
        for key, by in sorted(lines.items(), key=lambda line: _line_rank(line[0], first, list(lines)))
    ]
    return Sheet(
        f"swapped-{number}" if kept else f"table-{number}",
        f"{table.plan.title}: swapped pairs" if kept else table.plan.title,
        _table_note(table, found),
        (*texts(*first), *(SheetColumn(name or READY, is_number=True) for name in columns)),
        tuple(rows),
    )


def tests_words(tests: Sequence[StudyTest]) -> str:
    by = Counter(test.verdict for test in tests)
    told = ", ".join(f"{by[outcome]:,} {outcome}" for outcome in get_args(Outcome) if by[outcome])
    return f"{len(tests):,} differences from {tests[0].baseline!r}: {told}."


def tests_sheet(tests: Sequence[StudyTest], number: int) -> Sheet:
    """Every condition against the baseline."""
    heads = _slice_keys([test.slice for test in tests])
    rows = [
        sheet_row(
            "",
            *_place_cells(test, heads),
            *(_points_cell(test.difference), point_ends(test.low, test.high), p_cell(test.adjusted)),
            *(count(test.seeds), count(test.n), test.verdict),
        )
        for test in tests
    ]
    figures = numbers("difference", "95%", "p", "trainings", "cases")
    title = f"Differences from {tests[0].baseline!r}"
    columns = (*texts("system", "condition", *heads), *figures, *texts("verdict"))
    return Sheet(f"tests-{number}", title, TESTED, columns, tuple(rows))


def published_sheet(pairs: Sequence[Matched], table: StudyTable, number: int) -> Sheet:
    heads = _slice_keys([each.ours.slice for each in pairs])
    in_points = table.plan.measure != "deviation"
    rows = []
    for each in pairs:
        gap = each.ours.band.mean - each.theirs
        theirs = percent(each.theirs) if in_points else f"{each.theirs:.3f}"
        rows.append(
            sheet_row(
                "",
                *_place_cells(each.ours, heads),
                _figure_cell(each.ours, table),
                SheetCell(theirs, each.theirs),
                SheetCell(points(gap) if in_points else f"{gap:+.3f}", gap),
                each.where + (f" (doubtful: {each.doubt})" if each.doubt else ""),
            )
        )
    columns = (
        *texts("system", "condition", *heads),
        *numbers("ours", "published", "difference"),
        SheetColumn("where", is_detail=True),
    )
    return Sheet(f"published-{number}", f"{table.plan.title}: ours and published", "", columns, tuple(rows))


def published_words(pairs: Sequence[Matched], found: Sequence[ConditionEffect]) -> Iterator[str]:
    """Agreement with published effects, in sentences."""
    if ranked := compare_order(pairs):
        yield (
            f"Order of systems: {ranked.same} of {ranked.pairs} pairs are in the same order as published. Exchanging "
            f"systems at random gives {ranked.by_chance:.1f} on average, and {100 * ranked.share:.0f}% of exchanges "
            "are as far from that."
        )
    if found:
        by = Counter(effect.outcome for effect in found)
        told = ", ".join(f"{n} {outcome}" for outcome, n in by.items())
        yield f"Of {len(found)} published changes: {told}."


def effects_sheet(found: Sequence[ConditionEffect], number: int) -> Sheet:
    heads = _slice_keys([each.test.slice for each in found])
    rows = [
        sheet_row(
            "",
            *_place_cells(each.test, heads),
            *(_points_cell(each.theirs), _points_cell(each.test.difference)),
            *(point_ends(each.test.low, each.test.high), p_cell(each.test.adjusted), each.outcome),
        )
        for each in found
    ]
    columns = (*texts("system", "condition", *heads), *numbers("published", "ours", "95%", "p"), *texts("outcome"))
    note = f"Changes from {found[0].test.baseline!r}, in points."
    return Sheet(f"effects-{number}", "Published changes, and ours", note, columns, tuple(rows))


def missing_sheet(record: StudyRecord) -> Sheet:
    rows = [
        {"system": run.system, "condition": run.condition, "seed": str(run.seed), "why": run.reason, "log": run.log}
        for run in record.missing
    ]
    return plain_sheet(rows, title="Missing: training runs that failed")._replace(name="missing")


def attempts_sheet(record: StudyRecord) -> Sheet:
    rows = [
        {
            "when": each.created,
            "runs": f"{each.trainings:,}",
            "failed": f"{each.missing:,}",
            "reduced": " ".join(each.reduced),
            "record": each.record,
        }
        for each in record.attempts
    ]
    made = plain_sheet(rows, figures=("runs", "failed"), title="Earlier attempts")
    return made._replace(name="attempts")


def trainings_sheet(record: StudyRecord) -> Sheet:
    rows = [
        {
            "system": each.system,
            "condition": each.condition or READY,
            "seed": str(each.seed),
            "pairs": f"{each.pairs:,}",
            "epochs": str(each.epochs),
            "dev": percent(each.accuracy),
            "seconds": f"{each.seconds:,.0f}",
            "folder": each.folder,
        }
        for each in record.trainings
    ]
    figures = ("seed", "pairs", "epochs", "dev", "seconds")
    return plain_sheet(rows, figures=figures, title="Training runs")._replace(
        name="trainings", note="dev: accuracy on the development pairs, in %."
    )


def _table_note(table: StudyTable, found: Sequence[StudyFigure]) -> str:
    what = KEPT if found[0].measure == "kept" else WHAT[table.plan.measure]
    trained = [each for each in found if each.condition] or found  # a ready model has one number
    seeds = {each.band.n for each in trained}
    several = f"; mean over {max(seeds)} seeds, with their range" if max(seeds) > 1 else ""
    few = min(seeds)
    told = "one seed if no range is shown" if few == 1 else f"at least {few}; others are missing"
    fewer = f" ({told})" if len(seeds) > 1 else ""
    swapped = any(each.slice.get("family") == "swap" for each in table.figures)
    return f"{what}{several}{fewer}.{f' {SWAPPED}' if swapped else ''}"


def _figure_cell(figure: StudyFigure | None, table: StudyTable) -> SheetCell:
    if figure is None:
        return SheetCell("")
    band = figure.band
    one = "{:.3f}".format if table.plan.measure == "deviation" else percent
    spread = f" ({one(band.low)}-{one(band.high)})" if band.n > 1 else ""
    return SheetCell(f"{one(band.mean)}{spread}", band.mean)


def _points_cell(difference: float) -> SheetCell:
    return SheetCell(points(difference), difference)


def _place_cells(of: StudyFigure | StudyTest, heads: Sequence[str]) -> list[str]:
    return [of.system, of.condition or READY, *(of.slice.get(name, "") for name in heads)]


def _slice_keys(slices: Sequence[Mapping[str, str]]) -> list[str]:
    """Keys of the slices of a table, in the order of its columns."""
    there = {name for each in slices for name in each}
    return [*(name for name in HEADS if name in there), *sorted(there - {*HEADS})]


def _line_rank(line: tuple[str, ...], heads: Sequence[str], lines: Sequence[tuple[str, ...]]) -> list[int]:
    """Families and labels in their usual order, everything else in order of appearance."""
    ranks = []
    for place, (head, part) in enumerate(zip(heads, line, strict=True)):
        if head == "family":
            ranks.append(family_rank(part))
        elif head == "label":
            ranks.append([*Label].index(Label(part)))
        else:
            ranks.append(list(dict.fromkeys(each[place] for each in lines)).index(part))
    return ranks
