"""Tables of figures: accuracy, groups, swapping, severity, calibration, confusion."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from assay.core.estimate import Estimate
from assay.reports.findings import short_name, swap_verdict
from assay.reports.layout import by_slice, interval, key_of, labels_of, line, p_value, percent, points, table
from assay.reports.two_way import TOLD, two_way

FAMILY = ("model", "suite", "family")
"""What the slice of a whole family names."""

ORIGINAL = "original"
"""The family of the source pairs as they are."""


def accuracy_table(estimates: Iterable[Estimate], *, within: str = "") -> Table:
    """Accuracy by model and family, with intervals, by label, and the change against the source pairs.

    Under a family that has a group called `within`, its values have lines of their own.
    """
    figures = list(estimates)
    found, drops, both = (by_slice(figures, name) for name in ("accuracy", "drop", "consistency"))
    rows = [e for e in found.values() if {*FAMILY} <= {*e.slice} <= {*FAMILY, within}]
    labels = labels_of(key_of(e.slice) for e in found.values() if {*e.slice} == {*FAMILY, "label"})
    compared = (">change", ">both") if any(key_of(e.slice) in drops for e in rows) else ()
    made = table("", ">all", ">95 %", *compared, *(f">{each}" for each in labels), ">cases")
    for model in dict.fromkeys(e.slice["model"] for e in rows):
        made.add_section()
        made.add_row(line(short_name(model), "bold"))
        for total in sorted((e for e in rows if e.slice["model"] == model), key=lambda e: within in e.slice):
            name = f"    {total.slice[within]}" if within in total.slice else f"  {total.slice['family']}"
            here = key_of(total.slice)
            against = (_change(drops.get(here)), _share(both.get(here))) if compared else ()
            by_label = [percent(found.get(key_of({**total.slice, "label": label}))) for label in labels]
            made.add_row(line(name), percent(total), interval(total), *against, *by_label, f"{total.n:,}")
    return made


def band_table(estimates: Iterable[Estimate], *, within: str = "") -> Table:
    """Systems of several seeds: mean and range of their accuracy by family, and the mean by label."""
    found = by_slice(estimates, "band")
    whole = {*FAMILY, "seeds"}
    rows = [e for e in found.values() if whole <= {*e.slice} <= {*whole, within}]
    labels = labels_of(key_of(e.slice) for e in found.values() if {*e.slice} == {*whole, "label"})
    made = table("", ">mean", ">range", *(f">{each}" for each in labels), ">seeds", ">cases")
    for system in dict.fromkeys(e.slice["model"] for e in rows):
        made.add_section()
        made.add_row(line(short_name(system), "bold"))
        for total in sorted((e for e in rows if e.slice["model"] == system), key=lambda e: within in e.slice):
            name = f"    {total.slice[within]}" if within in total.slice else f"  {total.slice['family']}"
            by_label = [percent(found.get(key_of({**total.slice, "label": label}))) for label in labels]
            made.add_row(line(name), percent(total), interval(total), *by_label, total.slice["seeds"], f"{total.n:,}")
    return made


def fallback_lines(estimates: Iterable[Estimate]) -> list[Text]:
    """How often a model could not judge a case and fell back on a fixed answer, and why."""
    counted: dict[str, dict[str, int]] = {}
    for each in estimates:
        if each.name == "fallback" and each.value is not None:
            notes = counted.setdefault(each.slice["model"], {})
            notes[each.slice["note"]] = notes.get(each.slice["note"], 0) + round(each.value * each.n)
    return [
        line(
            f"  {short_name(model)} could not judge {sum(notes.values()):,} cases and fell back: "
            + ", ".join(f"{note} ({count:,})" for note, count in sorted(notes.items(), key=lambda each: -each[1])),
            "yellow",
        )
        for model, notes in counted.items()
    ]


def two_way_lines(estimates: Iterable[Estimate]) -> list[Text]:
    """Whose answers are compared as two labels."""
    return [line(f"  {short_name(model)} {TOLD}", "yellow") for model, _ in two_way(estimates)]


def group_table(estimates: Iterable[Estimate], name: str) -> Table:
    """Accuracy by the values of one group, such as genre."""
    found = by_slice(e for e in estimates if name in e.slice)
    labels = labels_of(found)
    families = len({e.slice["family"] for e in found.values()}) > 1
    made = table(*(["family"] if families else []), name, ">all", ">95 %", *(f">{label}" for label in labels), ">cases")
    for total in found.values():
        if "label" not in total.slice:
            family = [line(total.slice["family"])] if families else []
            by_label = [percent(found.get(key_of({**total.slice, "label": label}))) for label in labels]
            made.add_row(*family, line(total.slice[name]), percent(total), interval(total), *by_label, f"{total.n:,}")
    return made


def swap_table(estimates: Iterable[Estimate]) -> Table:
    """The table of Wang et al. (2019) for each model: original, swapped and difference by label, with a verdict."""
    figures = list(estimates)
    kept, source, drops, tests = (by_slice(figures, name) for name in ("kept", "source", "drop", "holm"))
    rows = [e for e in kept.values() if {*e.slice} == {*FAMILY, "label"} and key_of(e.slice) in drops]
    labels = labels_of(map(key_of, (e.slice for e in rows)))
    made = table("", ">original", ">swapped", ">difference", ">95 %", ">p", "verdict", ">cases")
    made.columns[0].min_width = max((len(label) + 2 for label in labels), default=0)  # the verdict is what is folded
    for model in dict.fromkeys(e.slice["model"] for e in rows):
        made.add_section()
        made.add_row(line(short_name(model), "bold"))
        for e in sorted((e for e in rows if e.slice["model"] == model), key=lambda e: labels.index(e.slice["label"])):
            here = key_of(e.slice)
            drop, test = drops[here], tests.get(here)
            verdict = swap_verdict(source[here], drop, test)
            ends = "-" if drop.low is None or drop.high is None else f"{points(drop.low)} {points(drop.high)}"
            difference = "-" if drop.value is None else points(drop.value)
            cells = (percent(source[here]), percent(e), difference, ends, p_value(test))
            style = "" if verdict.is_expected else "bold red"
            made.add_row(line(f"  {e.slice['label']}"), *cells, line(verdict.words, style), f"{drop.n:,}")
    return made


def severity_table(estimates: Iterable[Estimate]) -> Table:
    """Accuracy at each rung of a ladder, and the area under the curve."""
    figures = list(estimates)
    areas = by_slice(figures, "area")
    found = by_slice(e for e in figures if "severity" in e.slice)
    rungs = sorted({e.slice["severity"] for e in found.values()}, key=int)
    made = table("", *(f">{rung}" for rung in rungs), ">area", ">95 %", ">cases")
    whole = [e for e in areas.values() if {*e.slice} == {*FAMILY}]
    for model in dict.fromkeys(e.slice["model"] for e in whole):
        made.add_section()
        made.add_row(line(short_name(model), "bold"))
        for area in (e for e in whole if e.slice["model"] == model):
            heights = [percent(found.get(key_of({**area.slice, "severity": rung}))) for rung in rungs]
            made.add_row(line(f"  {area.slice['family']}"), *heights, percent(area), interval(area), f"{area.n:,}")
    return made


def calibration_table(estimates: Iterable[Estimate]) -> Table:
    """How far models can be taken at their word: a line a family, where they give probabilities."""
    figures = list(estimates)
    errors, briers = by_slice(figures, "calibration-error"), by_slice(figures, "brier")
    made = table("", ">error", ">95 %", ">Brier", ">cases")
    for model in dict.fromkeys(e.slice["model"] for e in errors.values()):
        made.add_section()
        made.add_row(line(short_name(model), "bold"))
        for error in (e for e in errors.values() if e.slice["model"] == model):
            brier = briers.get(key_of(error.slice))
            shown = "-" if brier is None or brier.value is None else f"{brier.value:.3f}"
            made.add_row(line(f"  {error.slice['family']}"), percent(error), interval(error), shown, f"{error.n:,}")
    return made


def confusion_table(estimates: Iterable[Estimate]) -> Table:
    """What the cases of each family and label were answered with, in per cent."""
    found = by_slice(estimates, "answers")
    answers = _answers([e.slice["answer"] for e in found.values()])
    made = table("", "label", *(f">{answer}" for answer in answers), ">cases")
    places = dict.fromkeys(key_of(e.slice) - {("answer", e.slice["answer"])} for e in found.values())
    for model in dict.fromkeys(e.slice["model"] for e in found.values()):
        made.add_section()
        made.add_row(line(short_name(model), "bold"))
        for where in (place for place in places if ("model", model) in place):
            shares = [found.get(where | {("answer", answer)}) for answer in answers]
            place, n = dict(where), next(share.n for share in shares if share)
            cells = [percent(share) if share else "0.0" for share in shares]
            made.add_row(line(f"  {place['family']}"), line(place["label"]), *cells, f"{n:,}")
    return made


def _answers(there: Sequence[str]) -> list[str]:
    """The answers that occur: labels in their usual order, then what is none."""
    labels = labels_of(frozenset({("label", each)}) for each in there)
    return [*labels, *sorted(set(there) - set(labels))]


def _change(drop: Estimate | None) -> Text:
    if drop is None or drop.value is None:
        return Text("")
    lost = drop.low is not None and drop.low > 0
    return Text(points(-drop.value), style="bold red" if lost else "")


def _share(estimate: Estimate | None) -> str:
    return percent(estimate) if estimate else ""
