"""Premise and hypothesis swapped: what each label does."""

from assay.core.estimate import FAMILY, Estimate, Key, SeedRange, key_of
from assay.core.label import Label
from assay.reports.formatting import point_ends, points
from assay.reports.phrases import swap_words
from assay.reports.tables.sheet import (
    TEST,
    Places,
    Sheet,
    SheetCell,
    SheetColumn,
    SheetRow,
    count,
    heads_of,
    labels_of,
    numbers,
    p_cell,
    row_of,
    share,
    sorted_places,
    texts,
    values_seen,
)
from assay.reports.view import ReportView

UNEXPECTED = "does not do what it should"
"""Legend of the mark after a change."""


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
        place = _place(each)
        drop, here = drops[place], _key(each)
        change = SheetCell("-" if drop.value is None else points(drop.value), drop.value)
        figures = (share(sources[place]), share(each), change, _ends(drop))
        words = SheetCell(swap_words(each.slice["label"], view.swapped[here]), marked=here in view.unexpected)
        cells = (SheetCell(view.label(each.slice["label"])), *figures, p_cell(tests.get(place)), words, count(drop.n))
        rows.append(row_of(view, each, *cells, family=False))
    columns = (
        *texts("label"),
        *numbers("original", "swapped", "difference", "95%"),
        SheetColumn("p", True, note=TEST),
    )
    return Sheet(
        "swap",
        "Premise and hypothesis swapped",
        "How often the answer is the pair's label, in %, before and after the two sides are swapped. "
        + expected_outcome(view),
        (*heads_of(view, family=False), *columns, *texts("verdict"), *numbers("cases")),
        tuple(rows),
    )


def sides(view: ReportView) -> Sheet:
    """The change in the share of each label, one row per model."""
    drops = view.find_with_means("drop", "label")
    moved = {place: e for place, e in drops.items() if _key(e) in view.swapped}
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
    places = Places([*kept.values()])
    rows = []
    for each in sorted_places(kept.values()):
        place = _place(each)
        difference = share(drops.get(place), marked=_key(each) in view.unexpected)
        names = (
            SheetCell(view.name(each.slice["model"])),
            *places.cells(each),
            SheetCell(view.label(each.slice["label"])),
        )
        figures = (share(sources.get(place)), share(each), difference, count(each.n))
        rows.append(SheetRow(each.slice["model"], (*names, *figures)))
    return Sheet(
        "wang",
        "Swapped pairs, as in Wang et al. (2019)",
        "Share of pairs answered with their label, in %, before and after the two sides are swapped. "
        + expected_outcome(view),
        (*texts("model"), *places.heads, *texts("label"), *numbers("original", "swapped", "difference", "cases")),
        tuple(rows),
        mark=UNEXPECTED,
        suites=tuple(values_seen(kept.values(), "suite")),
    )


def _place(of: Estimate) -> tuple[str, ...]:
    return tuple(of.slice[name] for name in (*FAMILY, "label"))


def _key(of: Estimate) -> Key:
    """The slice of a number, of a model or of a mean over seeds."""
    return key_of({name: of.slice[name] for name in (*FAMILY, "label")})


def _ends(drop: Estimate) -> SheetCell:
    """The interval of a difference; of a mean over seeds, their range."""
    around = point_ends(drop.low, drop.high)
    return SheetCell(f"{around} (seeds)" if isinstance(drop.ends, SeedRange) else around)


def _move(view: ReportView, drop: Estimate | None) -> SheetCell:
    """A drop as a change, marked if it is not as it should be."""
    if drop is None or drop.value is None:
        return SheetCell("-")
    return SheetCell(points(-drop.value), -drop.value, _key(drop) in view.unexpected)
