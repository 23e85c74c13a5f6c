"""Accuracy by test on one screen: tests by what happens to the label, and the best guess for each."""

from collections.abc import Mapping
from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate, key_of
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS
from assay.reports.formatting import FEWEST_SHOWN, percent
from assay.reports.headline import order_models
from assay.reports.phrases import LOST, short_name
from assay.reports.tables.accuracy_tables import loss_share
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, count, sheet_row, slice_key
from assay.reports.view import MARK, ReportView

STAYS, NEW, HANS, REST = "label stays", "new label", "heuristics", "rest"

TRAINED = "hypothesis-only"  # the baseline that is a trained model; the others follow a rule


class OverviewColumn(NamedTuple):
    group: str
    name: str
    suite: str
    family: str
    label: str = ""  # the label of its cases; empty if it has all


def group_of_test(view: ReportView, suite: str, family: str) -> str:
    """The group of a test; empty for unmodified pairs."""
    where = {"suite": suite, "family": family}
    if view.find("accuracy", "heuristic", **where):
        return HANS
    if family == ORIGINAL:
        return ""
    if view.find("consistency", **where):
        return STAYS
    return NEW if view.find("drop", **where) else REST


def best_guess(view: ReportView, suite: str, family: str) -> float | None:
    """The fraction of a test's cases with the most frequent label; None if they have no label."""
    manifest = view.suites.get(suite)
    if manifest is None or family not in manifest.counts:
        return None
    counts = view.spaces.get(suite, THREE_LABELS).count(manifest.counts)[family]
    return max(counts.values(), default=0) / max(sum(counts.values()), 1)


def overview_columns(view: ReportView) -> list[OverviewColumn]:
    """The tests in groups: unmodified pairs, label stays, new label, heuristics, and the rest."""
    places = dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in view.find("accuracy").values())
    columns = []
    for suite, family in places:
        group = group_of_test(view, suite, family)
        name = f"{family} ({suite})" if view.repeats else family
        if group == HANS:
            prefix = f"{suite}: " if view.repeats else ""
            columns.append(OverviewColumn(group, f"{prefix}help", suite, family, Label.ENTAILMENT))
            columns.append(OverviewColumn(group, f"{prefix}mislead", suite, family, Label.NON_ENTAILMENT))
        else:
            columns.append(OverviewColumn(group, name, suite, family))
    order = ["", STAYS, NEW, HANS, REST]
    return sorted(columns, key=lambda column: order.index(column.group))


def overview(view: ReportView) -> Sheet:
    """Accuracy by test: the judged models, the baselines below them, the best guess, and the number of cases.

    Logic and other tests without unmodified pairs have a sheet of their own.
    """
    columns = [column for column in overview_columns(view) if column.group != REST]
    return _sheet(view, "overview", "Accuracy by test", columns)


def logic_sheet(view: ReportView) -> Sheet:
    """The same for tests without unmodified pairs, such as logic."""
    columns = [column._replace(group="") for column in overview_columns(view) if column.group == REST]
    return _sheet(view, "logic", "Logic and other generated tests", columns)


def _sheet(view: ReportView, name: str, title: str, columns: list[OverviewColumn]) -> Sheet:
    found = {slice_key(e): e for e in view.estimates if e.name in ("accuracy", "band")}
    models = list(dict.fromkeys(view.system(e.slice["model"]) for e in found.values()))
    # The best guess says the same for each test.
    shown_models = [each for each in models if not (view.is_baseline(each) and each.startswith("assay:majority/"))]
    ordered = sorted(order_models(view, shown_models), key=view.is_baseline)

    def estimate(model: str, column: OverviewColumn) -> Estimate | None:
        where = {"model": model, "suite": column.suite, "family": column.family}
        return found.get(key_of({**where, "label": column.label} if column.label else where))

    sizes = {column: max((e.n for model in ordered if (e := estimate(model, column))), default=0) for column in columns}
    columns = [column for column in columns if sizes[column] >= FEWEST_SHOWN] or columns
    rows = []
    for model in ordered:
        shown = f"{short_name(model)} ({MARK})" if model in view.two_label_models else short_name(model)
        shown = f" {shown}" if view.is_baseline(model) else shown
        own = [estimate(model, column) for column in columns]
        rows.append(sheet_row(model, shown, *(loss_share(view, e) if e and e.n >= FEWEST_SHOWN else "" for e in own)))
    guesses = []
    for column in columns:
        known = not column.label and sizes[column] >= FEWEST_SHOWN
        guess = best_guess(view, column.suite, column.family) if known else None
        guesses.append(SheetCell("" if guess is None else percent(guess), guess))
    last = (
        sheet_row("", " best guess", *guesses),
        sheet_row("", "cases", *(count(sizes[column]) for column in columns)),
    )
    return Sheet(
        name,
        title,
        _note(view, models, columns, sizes),
        (
            SheetColumn("model"),
            *(SheetColumn(column.name, True, group=column.group, family=column.family) for column in columns),
        ),
        (*rows, *last) if rows and columns else (),
        mark=LOST,
    )


def _note(
    view: ReportView, models: list[str], columns: list[OverviewColumn], sizes: Mapping[OverviewColumn, int]
) -> str:
    indented = [model for model in models if view.is_baseline(model)]
    trained = f" ({TRAINED} is trained)" if any(short_name(model) == TRAINED for model in indented) else ""
    baselines = f"Indented: baselines, not judged{trained}. " if indented else ""
    small = [f"{column.name} ({n})" for column, n in sizes.items() if n < FEWEST_SHOWN]
    few = f" Fewer than {FEWEST_SHOWN} cases: {', '.join(small)}." if small else ""
    has_hans = any(column.group == HANS for column in columns)
    helps = " Heuristics (HANS-style): shared words help or mislead." if has_hans else ""
    return f"Accuracy in %. {baselines}Best guess: the most frequent label of each test.{helps}{few}"


LOGIC_TESTS = ("scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals")


class GuessComparison(NamedTuple):
    """The tests without unmodified pairs, in two lines."""

    title: str
    verdict: str
    shares: list[str]  # each test with the accuracy of the most accurate judged model and the best guess


def logic_words(view: ReportView) -> GuessComparison | None:
    """The tests without unmodified pairs with enough cases, compared with the best guess; None if there are none."""
    tests, above, shares = [], [], []
    for column in overview_columns(view):
        own = [
            e
            for e in view.find("accuracy", suite=column.suite, family=column.family).values()
            if e.value is not None and e.n >= FEWEST_SHOWN and not view.is_baseline(e.slice["model"])
        ]
        guess = best_guess(view, column.suite, column.family)
        if column.group == REST and own and guess is not None:
            best = max(e.value or 0.0 for e in own)
            tests.append(column.name)
            above += [column.name] if any((e.low or 0.0) > guess for e in own) else []
            shares.append(f"{column.name} {100 * best:.0f} vs {100 * guess:.0f}")
    if not tests:
        return None
    what = "Logic" if all(name in LOGIC_TESTS for name in tests) else "Generated tests"
    said = f"significantly above the best guess on {', '.join(above)}"
    verdict = said if above else "no model is significantly above the best guess"
    return GuessComparison(f"{what}, best model vs best guess in %", verdict, shares)
