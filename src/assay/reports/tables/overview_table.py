"""Accuracy by test on one screen: tests by what happens to the label, and the best guess for each."""

from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate, key_of
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS
from assay.reports.formatting import FEWEST_SHOWN, percent
from assay.reports.headline import order_models
from assay.reports.phrases import LOST, short_name
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, count, share, sheet_row
from assay.reports.view import MARK, ReportView

STAYS, NEW, HANS, REST = "label stays", "new label", "HANS-style", "rest"
"""The groups of tests."""

GUESS = "best guess"
"""The row of the most frequent label of each test."""

REPLACED = "assay:majority/"
"""The baseline that gives one label everywhere; the best guess says the same for each test."""

TRAINED = "hypothesis-only"
"""The baseline that is a trained model; the others follow a rule."""

COLUMN_NAMES = {
    ORIGINAL: "unmod.",
    "word-overlap": "overlap",
    "length-mismatch": "length",
    "spelling": "typos",
    "antonymy": "antonym",
    "numeracy": "number",
    "quantities": "amount",
}
"""Short names of columns."""

Place = tuple[str, str]
"""A suite and a family."""


class OverviewColumn(NamedTuple):
    """A column of the overview."""

    group: str
    name: str
    place: Place
    label: str = ""
    """The label of its cases; empty if it has all."""


def group_of_test(view: ReportView, place: Place) -> str:
    """The group of a test; empty for unmodified pairs."""
    suite, family = place
    where = {"suite": suite, "family": family}
    if view.find("accuracy", "heuristic", **where):
        return HANS
    if family == ORIGINAL:
        return ""
    if view.find("consistency", **where):
        return STAYS
    return NEW if view.find("drop", **where) else REST


def best_guess(view: ReportView, place: Place) -> float | None:
    """The fraction of a test's cases with the most frequent label; None if they claim no label."""
    suite, family = place
    manifest = view.suites.get(suite)
    if manifest is None or family not in manifest.counts:
        return None
    counts = view.spaces.get(suite, THREE_LABELS).count(manifest.counts)[family]
    return max(counts.values(), default=0) / max(sum(counts.values()), 1)


def accuracies(view: ReportView) -> dict[frozenset[tuple[str, str]], Estimate]:
    """Every accuracy and mean over seeds by its slice, without the number of seeds."""
    return {
        key_of({name: value for name, value in e.slice.items() if name != "seeds"}): e
        for e in view.estimates
        if e.name in ("accuracy", "band")
    }


def overview_columns(view: ReportView) -> list[OverviewColumn]:
    """The tests in groups: unmodified pairs, label stays, new label, HANS-style, and the rest."""
    places = dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in view.find("accuracy").values())
    columns = []
    for place in places:
        suite, family = place
        group = group_of_test(view, place)
        name = COLUMN_NAMES.get(family, family)
        name = f"{name} ({suite})" if view.repeats else name
        if group == HANS:
            prefix = f"{suite}: " if view.repeats else ""
            columns.append(OverviewColumn(group, f"{prefix}helps", place, Label.ENTAILMENT))
            columns.append(OverviewColumn(group, f"{prefix}misleads", place, Label.NON_ENTAILMENT))
        else:
            columns.append(OverviewColumn(group, name, place))
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
    found = accuracies(view)
    models = list(dict.fromkeys(view.system(e.slice["model"]) for e in found.values()))
    shown_models = [each for each in models if not (view.is_baseline(each) and each.startswith(REPLACED))]
    ordered = sorted(order_models(view, shown_models), key=view.is_baseline)

    def estimate(model: str, column: OverviewColumn) -> Estimate | None:
        suite, family = column.place
        where = {"model": model, "suite": suite, "family": family}
        return found.get(key_of({**where, "label": column.label} if column.label else where))

    rows = []
    for model in ordered:
        shown = f"{short_name(model)} ({MARK})" if model in view.two_label_models else short_name(model)
        shown = f" {shown}" if view.is_baseline(model) else shown
        rows.append(sheet_row(model, shown, *(_cell(view, estimate(model, column)) for column in columns)))
    sizes = [max((e.n for model in ordered if (e := estimate(model, column))), default=0) for column in columns]
    guesses = [_guess(view, column, n) for column, n in zip(columns, sizes, strict=True)]
    last = (
        sheet_row("", f" {GUESS}", *guesses),
        sheet_row("", "cases", *(count(n) for n in sizes)),
    )
    return Sheet(
        name,
        title,
        _note(view, models, columns),
        (SheetColumn("model"), *(SheetColumn(column.name, True, group=column.group) for column in columns)),
        (*rows, *last) if rows and columns else (),
        mark=LOST,
    )


def _cell(view: ReportView, e: Estimate | None) -> SheetCell:
    if e is None or e.n < FEWEST_SHOWN:
        return SheetCell("")
    key = key_of({name: value for name, value in e.slice.items() if name != "seeds"})
    return share(e, marked=key in view.lost)


def _guess(view: ReportView, column: OverviewColumn, n: int) -> SheetCell:
    guess = None if column.label or n < FEWEST_SHOWN else best_guess(view, column.place)
    return SheetCell("" if guess is None else percent(guess), guess)


def _note(view: ReportView, models: list[str], columns: list[OverviewColumn]) -> str:
    indented = [model for model in models if view.is_baseline(model)]
    trained = f" ({TRAINED} is trained)" if any(short_name(model) == TRAINED for model in indented) else ""
    baselines = f"Indented: baselines{trained}, not judged. " if indented else ""
    blank = f" Blank: fewer than {FEWEST_SHOWN} cases." if _has_small(view, columns) else ""
    helps = (
        " HANS-style: pairs where shared words help or mislead."
        if any(column.group == HANS for column in columns)
        else ""
    )
    return f"Accuracy in %. {baselines}Best guess: the most frequent label of the test.{helps}{blank}"


def _has_small(view: ReportView, columns: list[OverviewColumn]) -> bool:
    places = {column.place for column in columns}
    return any(e.n < FEWEST_SHOWN for (_, *place), e in view.find("accuracy").items() if tuple(place) in places)


class AgainstGuess(NamedTuple):
    """The most accurate judged model on a test, beside the best guess."""

    family: str
    accuracy: float
    guess: float
    above: bool
    """True if the whole 95% interval of some judged model is above the best guess."""


def against_guesses(view: ReportView) -> list[AgainstGuess]:
    """The tests without unmodified pairs that have enough cases."""
    found = []
    for column in overview_columns(view):
        suite, family = column.place
        own = [
            e
            for e in view.find("accuracy", suite=suite, family=family).values()
            if e.value is not None and e.n >= FEWEST_SHOWN and not view.is_baseline(e.slice["model"])
        ]
        guess = best_guess(view, column.place)
        if column.group == REST and own and guess is not None:
            best = max(e.value or 0.0 for e in own)
            found.append(AgainstGuess(column.name, best, guess, any((e.low or 0.0) > guess for e in own)))
    return found


LOGIC_TESTS = ("scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals")


class GuessComparison(NamedTuple):
    """The tests without unmodified pairs, in two lines."""

    title: str
    verdict: str
    shares: list[str]
    """Each test with the accuracy of the most accurate judged model and the best guess."""


def logic_words(view: ReportView) -> GuessComparison | None:
    """The tests without unmodified pairs beside the best guess; None if there are none."""
    tests = against_guesses(view)
    if not tests:
        return None
    what = "Logic" if all(each.family in LOGIC_TESTS for each in tests) else "Generated tests"
    above = [each.family for each in tests if each.above]
    best = "the best guess"
    verdict = (
        f"significantly above {best} on {', '.join(above)}" if above else f"no model is significantly above {best}"
    )
    shares = [f"{each.family} {100 * each.accuracy:.0f} vs {100 * each.guess:.0f}" for each in tests]
    return GuessComparison(f"{what}, best model vs best guess in %", verdict, shares)
