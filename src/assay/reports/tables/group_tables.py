"""Accuracy by heuristic, subcase, category and corpus group (where groups differ), and for swapped pairs."""

from collections.abc import Container

from assay.core.case import ORIGINAL
from assay.core.estimate import FAMILY, Estimate, SeedRange
from assay.core.label import Label
from assay.core.pair import is_score
from assay.reports.formatting import interval, percent, point_ends, points
from assay.reports.phrases import group_name, swap_words
from assay.reports.published.published_results import published_values
from assay.reports.tables.sheet import (
    TEST,
    Sheet,
    SheetCell,
    SheetColumn,
    SheetRow,
    around,
    count,
    heads_of,
    labels_of,
    model_columns,
    numbers,
    p_of_test,
    place_of,
    row_of,
    share,
    sheet_row,
    slice_key,
    sorted_places,
    split_by_place,
    texts,
    values_seen,
    varying_names,
)
from assay.reports.view import ReportView

MOST_FAMILIES = 2  # largest number of families that are shown for each group
MOST_SHOWN = 12  # a group with more values than this is too large for a table; the judgement leaves it out too
NO_GROUP = (*FAMILY, "label", "answer", "note", "severity", "seeds", "threshold")


def groups_of(view: ReportView) -> dict[str, int]:
    """The groups that numbers are measured by, and how many values each has."""
    values: dict[str, set[str]] = {}
    for e in view.estimates:
        for name, value in e.slice.items():
            if name not in NO_GROUP:
                values.setdefault(name, set()).add(value)
    return {name: len(there) for name, there in values.items()}


def group_sheet(
    view: ReportView, name: str, title: str, note: str, *, places: Container[tuple[str, str]] | None = None
) -> Sheet:
    """Accuracy by the values of one group, for all cases and by label; only in some suites and families, if named."""
    found = {
        place: e
        for place, e in view.find("accuracy", name).items()
        if places is None or (e.slice["suite"], e.slice["family"]) in places
    }
    by_label = view.find("accuracy", name, "label")
    labels = labels_of(e for place, e in by_label.items() if place[:-1] in found)
    several = len(values_seen(found.values(), "family")) > 1
    rows = []
    for place, each in found.items():
        shares = [share(by_label.get((*place, label))) for label in labels]
        value = SheetCell(group_name(name, each.slice[name]))
        rows.append(row_of(view, each, value, share(each), around(each), *shares, count(each.n), family=several))
    figures = numbers("accuracy", "95%", *map(view.label, labels), "cases")
    columns = (*heads_of(view, family=several), *texts(name), *figures)
    return Sheet(f"{name}s".replace("ys", "ies"), title, note, columns, tuple(rows))


def heuristics(view: ReportView) -> Sheet:
    note = f"A model that follows a heuristic is right on {view.label('entailment')} and wrong on the rest"
    return group_sheet(view, "heuristic", "Heuristics by kind and label", f"Accuracy in %. {note}; guessing gets 50.")


def subcases(view: ReportView) -> Sheet:
    note = "In heuristics, a name starts with the initials of its heuristic (l, s, c) and of its label (e, n)."
    return group_sheet(view, "subcase", "Subcases", f"Accuracy in %. {note}")


def categories(view: ReportView) -> Sheet:
    return group_sheet(view, "category", "Lexical categories", "Accuracy in %, by the category of the replaced word.")


def burial(view: ReportView) -> Sheet:
    """Accuracy by the length of the premise and the depth of the sentence that decides."""
    note = (
        "Accuracy in %, by the length of the premise in tokens (rows) and by how much of it comes before the "
        "sentence that decides (columns)."
    )
    found: dict[tuple[str, ...], dict[int, Estimate]] = {}  # by model, suite, family and length
    for (*where, place), e in view.find("accuracy", "place", family="burial").items():
        length, depth = map(int, place.split("@"))
        found.setdefault((*where, f"{length:09}"), {})[depth] = e
    depths = sorted({depth for row in found.values() for depth in row})
    models = list(dict.fromkeys(where[0] for where in found))
    rows = []
    for key in sorted(found, key=lambda each: (models.index(each[0]), *each[1:])):
        row = found[key]
        cases = count(sum(e.n for e in row.values()))
        shares = [share(row.get(depth)) for depth in depths]
        rows.append(row_of(view, next(iter(row.values())), f"{int(key[-1]):,}", *shares, cases, family=False))
    columns = (*heads_of(view, family=False), *numbers("tokens", *(f"{depth}%" for depth in depths), "cases"))
    return Sheet("burial", "Buried sentences by length and depth", note, columns, tuple(rows))


def glockner(view: ReportView) -> Sheet:
    """Glockner et al. (2018), table 4: a line for each category, a column for each model."""
    found = list(view.find_with_means("accuracy", "category").values())
    models, names = values_seen(found, "model"), varying_names(found)
    rows = []
    for part in split_by_place(found):
        for category in values_seen(part, "category"):
            own = {e.slice["model"]: e for e in part if e.slice["category"] == category}
            cases = count(max(e.n for e in own.values()))
            shares = (share(own.get(model)) for model in models)
            rows.append(sheet_row("", *(part[0].slice[name] for name in names), category, cases, *shares))
    columns = (*texts(*names, "category"), *numbers("cases"), *model_columns(view, models))
    theirs = {*values_seen(found, "category")} <= published_values("glockner2018", "category")
    title = f"Accuracy by {'lexical category, as in Glockner et al. (2018)' if theirs else 'category'}"
    note = "Accuracy in %."
    return Sheet("glockner", title, note, columns, tuple(rows), suites=tuple(values_seen(found, "suite")))


def mccoy(view: ReportView) -> Sheet:
    """McCoy et al. (2019), table 3: a line for each model, by label a column for each heuristic."""
    found = list(view.find_with_means("accuracy", "heuristic", "label").values())
    kinds, labels, names = values_seen(found, "heuristic"), labels_of(found), varying_names(found)
    rows = []
    for part in split_by_place(found):
        place = [part[0].slice[name] for name in names]
        own = {(e.slice["model"], e.slice["label"], e.slice["heuristic"]): e for e in part}
        for model in values_seen(part, "model"):
            cells = [share(own.get((model, label, kind))) for label in labels for kind in kinds]
            rows.append(sheet_row(model, view.name(model), *place, *cells))
        most = (
            max((e.n for (_, *where), e in own.items() if where == [label, kind]), default=0)
            for label in labels
            for kind in kinds
        )
        rows.append(sheet_row("", "cases", *place, *map(count, most)))
    columns = numbers(*(f"{view.label(label)}: {group_name('heuristic', kind)}" for label in labels for kind in kinds))
    theirs = {*kinds} <= published_values("mccoy2019", "heuristic")
    title = f"Accuracy by label and heuristic{', as in McCoy et al. (2019)' if theirs else ''}"
    return Sheet(
        "mccoy",
        title,
        "Accuracy in %; guessing gets 50.",
        (*texts("model", *names), *columns),
        tuple(rows),
        suites=tuple(values_seen(found, "suite")),
    )


def groups(view: ReportView) -> Sheet:
    """The corpus's own columns: one line per value, one column per model, where a column matters most or else overall.

    Source pairs have these columns, such as genre. Columns that divide the corpus come first.
    A column that can't be shown has a line that says why.
    """
    models = values_seen((e for e in view.estimates if e.name == "accuracy"), "model")
    rows: list[SheetRow] = []
    there = [
        name
        for e in view.estimates
        if e.name == "accuracy" and e.slice["family"] == ORIGINAL
        for name in e.slice
        if name not in (*NO_GROUP, "variant")
    ]
    for name in dict.fromkeys([*(each.group for each in view.judgement.divided), *there]):
        found = view.find("accuracy", name)
        why = _why_not({place[-1] for place in found})
        divided = sorted((each for each in view.judgement.divided if each.group == name), key=lambda each: -each.gap)
        most = [*dict.fromkeys((each.suite, each.family) for each in divided if each.suite in view.suites)]
        originals = dict.fromkeys((place[1], place[2]) for place in found if place[2] == ORIGINAL)
        for suite, family in [] if why else most[:MOST_FAMILIES] or originals:
            names = (SheetCell(suite), SheetCell(family)) if view.repeats else (SheetCell(family),)
            for value in sorted({place[-1] for place in found if place[1:3] == (suite, family)}):
                here = [found.get((model, suite, family, value)) for model in models]
                cases = count(max(e.n for e in here if e))
                shares = ("-" if e is None else SheetCell(f"{percent(e.value)} ({interval(e)})", e.value) for e in here)
                rows.append(sheet_row("", name, value, *names, *shares, cases))
        if why:
            blank = [SheetCell("")] * (len(models) + len(heads_of(view)))
            rows.append(sheet_row("", name, f"not shown: {why}", *blank))
    heads: tuple[SheetColumn, ...] = (*texts("group", "value"), *heads_of(view)[1:])
    return Sheet(
        "groups",
        "Groups of the corpus",
        "Accuracy in % with 95% intervals. A group is shown in the two families where its values differ most, "
        "if the gap is at least 5 points and significant for some model; otherwise on the unmodified pairs. "
        "CSV and JSON have all groups and families.",
        (*heads, *model_columns(view, models), *numbers("cases")),
        tuple(rows),
    )


def _why_not(values: set[str]) -> str:
    """The reason why a group has no table; empty if it has one."""
    if any(map(is_score, values)):
        return "its values are scores"
    if len(values) > MOST_SHOWN:
        return f"it has {len(values)} values, more than {MOST_SHOWN}"
    return "it has one value" if len(values) == 1 else ""


UNEXPECTED = "does not do what it should"  # legend of the mark after a change


def expected_outcome(view: ReportView) -> str:
    """The expected outcome for a model that reads both texts."""
    label = view.label(Label.ENTAILMENT)
    return f"{label[0].upper()}{label[1:]} should drop, the other labels should hold."


def swap(view: ReportView) -> Sheet:
    """The table of Wang et al. (2019): original, swapped and difference by label, with a verdict."""
    kept, sources, drops = (view.find_with_means(name, "label") for name in ("kept", "source", "drop"))
    tests = view.find("holm", "label")
    rows = []
    for each in sorted_places(e for place, e in kept.items() if place in drops):
        place = place_of(each, "label")
        drop, here = drops[place], slice_key(each)
        change = SheetCell("-" if drop.value is None else points(drop.value), drop.value)
        figures = (share(sources[place]), share(each), change, _ends(drop))
        words = SheetCell(swap_words(each.slice["label"], view.swapped[here]), marked=here in view.unexpected)
        cells = (
            SheetCell(view.label(each.slice["label"])),
            *figures,
            p_of_test(tests.get(place)),
            words,
            count(drop.n),
        )
        rows.append(row_of(view, each, *cells, family=False))
    columns = (*texts("label"), *numbers("original", "swapped", "difference", "95%"), SheetColumn("p", True, note=TEST))
    return Sheet(
        "swap",
        "Premise and hypothesis swapped",
        "How often the answer is the pair's label, in %, before and after the two sides are swapped. "
        + expected_outcome(view),
        (*heads_of(view, family=False), *columns, *texts("verdict"), *numbers("cases")),
        tuple(rows),
    )


def sides(view: ReportView) -> Sheet:
    """The change in the frequency of each label, one row per model."""
    drops = view.find_with_means("drop", "label")
    moved = {place: e for place, e in drops.items() if slice_key(e) in view.swapped}
    labels = labels_of(moved.values())
    rows = []
    for place in dict.fromkeys(each[:-1] for each in moved):
        own = [moved.get((*place, label)) for label in labels]
        first = next(e for e in own if e)
        rows.append(row_of(view, first, *(_move(view, e) for e in own), family=False))
    return Sheet(
        "sides",
        "Swapped sides",
        f"Swapped sides: change in the share of answers with the pair's label, in points. {expected_outcome(view)}",
        (*heads_of(view, family=False), *numbers(*map(view.label, labels))),
        tuple(rows),
        mark=UNEXPECTED,
    )


def wang(view: ReportView) -> Sheet:
    """Wang et al. (2019), table 1: original, swapped and difference, by model and label."""
    kept, sources, drops = (view.find_with_means(name, "label") for name in ("kept", "source", "drop"))
    names = varying_names([*kept.values()])
    rows = []
    for each in sorted_places(kept.values()):
        model, place = each.slice["model"], place_of(each, "label")
        difference = share(drops.get(place), marked=slice_key(each) in view.unexpected)
        heads = (view.name(model), *(each.slice[name] for name in names), view.label(each.slice["label"]))
        rows.append(sheet_row(model, *heads, share(sources.get(place)), share(each), difference, count(each.n)))
    return Sheet(
        "wang",
        "Swapped pairs, as in Wang et al. (2019)",
        "Share of pairs answered with their label, in %, before and after the two sides are swapped. "
        + expected_outcome(view),
        (*texts("model", *names, "label"), *numbers("original", "swapped", "difference", "cases")),
        tuple(rows),
        mark=UNEXPECTED,
        suites=tuple(values_seen(kept.values(), "suite")),
    )


def _ends(drop: Estimate) -> SheetCell:
    """The interval of a difference; of a mean over seeds, their range."""
    around = point_ends(drop.low, drop.high)
    return SheetCell(f"{around} (seeds)" if isinstance(drop.ends, SeedRange) else around)


def _move(view: ReportView, drop: Estimate | None) -> SheetCell:
    """A drop as a change, marked if it is unexpected."""
    if drop is None or drop.value is None:
        return SheetCell("-")
    return SheetCell(points(-drop.value), -drop.value, slice_key(drop) in view.unexpected)
