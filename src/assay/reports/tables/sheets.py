"""The figures of a report as tables of plain data, which every format of it writes in its own way."""

from collections.abc import Callable, Container, Iterable

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.reports.findings import SIGNIFICANT, swap_verdict
from assay.reports.layout import by_slice, group_name, interval, key_of, labels_of, p_value, percent, points
from assay.reports.published.beside import beside, name_of
from assay.reports.tables.groups import groups
from assay.reports.tables.sheet import FAMILY, Cell, Row, Sheet, count, heads_of, row_of, share
from assay.reports.two_way import MARK, TOLD
from assay.reports.view import View


def sheets(view: View) -> list[Sheet]:
    """Every table that has something to show."""
    return [noted(view, sheet) for make in MAKERS for sheet in [make(view)] if sheet.rows]


def noted(view: View, sheet: Sheet) -> Sheet:
    """The table, with a word on models in it that answer with two labels."""
    there = {row.model for row in sheet.rows}
    heads = {column.removeprefix(">") for column in sheet.columns}
    marked = any(model in there or view.name(model) in heads for model in view.two_way)
    return sheet._replace(note=f"{sheet.note} {MARK.capitalize()}: {TOLD}") if marked else sheet


def accuracy(view: View) -> Sheet:
    """Accuracy by model and family, against the source pairs, and by label."""
    found, drops, tests, both = (by_slice(view.estimates, name) for name in ("accuracy", "drop", "holm", "consistency"))
    labels = labels_of(key for key in found if {name for name, _ in key} == {*FAMILY, "label"})
    rows = []
    for each in (e for e in found.values() if {*e.slice} == {*FAMILY}):
        here = key_of(each.slice)
        drop = drops.get(here)
        by_label = [share(found.get(key_of({**each.slice, "label": label}))) for label in labels]
        test = tests.get(here)
        against = (_change(drop, test), Cell(_ends(drop, -1)), p_cell(test), share(both.get(here), empty=""))
        rows.append(row_of(view, each, share(each), Cell(interval(each)), *against, *by_label, count(each)))
    columns = (">accuracy", ">95 %", ">change", ">95 % of it", ">p", ">both", *(f">{each}" for each in labels))
    return Sheet(
        "accuracy",
        "Accuracy by family",
        "In per cent. Change: against the source pairs of the same cases, in points. Both: right on the source pair "
        "and on its copy, where the label stays. p: McNemar's exact test, with Holm's correction for each model.",
        (*heads_of(view), *columns, ">cases"),
        tuple(rows),
    )


def variants(view: View) -> Sheet:
    """Variants of families, such as kinds of typos; one that is alone has the figures of its family."""
    there: dict[tuple[str, str], set[str]] = {}
    for each in (e for e in view.estimates if "variant" in e.slice):
        there.setdefault((each.slice["suite"], each.slice["family"]), set()).add(each.slice["variant"])
    several = {place for place, names in there.items() if len(names) > 1}
    note = "Accuracy in per cent, of all cases and by label."
    return _groups(view, "variant", "Variants of families", note, places=several)


def swap(view: View) -> Sheet:
    """The table of Wang et al. (2019): original, swapped and difference by label, with a verdict."""
    kept, sources, drops, tests = (by_slice(view.estimates, name) for name in ("kept", "source", "drop", "holm"))
    rows = []
    found = [e for e in kept.values() if {*e.slice} == {*FAMILY, "label"} and key_of(e.slice) in drops]
    for each in sorted_places(found):
        here = key_of(each.slice)
        drop, test = drops[here], tests.get(here)
        verdict = swap_verdict(sources[here], drop, test)
        change = Cell("-" if drop.value is None else points(drop.value), drop.value)
        cells = (share(sources[here]), share(each), change, Cell(_ends(drop)), p_cell(test))
        words = Cell(verdict.words, tone="" if verdict.is_expected else "bad")
        rows.append(row_of(view, each, Cell(each.slice["label"]), *cells, words, count(drop), family=False))
    return Sheet(
        "swap",
        "Premise and hypothesis exchanged",
        "How often the answer is the pair's label, in per cent, before and after the two sides are exchanged. "
        "Entailment should drop, the other labels should hold.",
        (
            *heads_of(view, family=False),
            "label",
            ">original",
            ">swapped",
            ">difference",
            ">95 %",
            ">p",
            "verdict",
            ">cases",
        ),
        tuple(rows),
    )


def heuristics(view: View) -> Sheet:
    """Accuracy by heuristic and label."""
    return _groups(
        view,
        "heuristic",
        "Heuristics by kind and label",
        "Accuracy in per cent. A model that takes a heuristic for entailment is right on entailment "
        "and wrong on the rest; guessing gets 50.",
    )


def subcases(view: View) -> Sheet:
    """Accuracy by subcase of the heuristics."""
    note = "Accuracy in per cent. A name begins with the heuristic (l, s, c) and the label of the subcase (e, n)."
    return _groups(view, "subcase", "Subcases of the heuristics", note)


def categories(view: View) -> Sheet:
    """Accuracy by lexical category."""
    return _groups(view, "category", "Lexical categories", "Accuracy in per cent, by what the two words are.")


def seeds(view: View) -> Sheet:
    """Systems of several seeds: mean and range by family."""
    rows = [
        row_of(view, e, share(e), Cell(interval(e)), Cell(e.slice["seeds"], float(e.slice["seeds"])), count(e))
        for e in view.estimates
        if e.name == "band" and {*e.slice} == {*FAMILY, "seeds"}
    ]
    note = "Mean accuracy over the seeds in per cent, from the lowest seed to the highest."
    return Sheet(
        "seeds", "Seeds of one system", note, (*heads_of(view), ">mean", ">range", ">seeds", ">cases"), tuple(rows)
    )


def severity(view: View) -> Sheet:
    """Accuracy at each rung of a ladder, and the area under the curve."""
    found = by_slice(e for e in view.estimates if "severity" in e.slice)
    rungs = sorted({e.slice["severity"] for e in found.values()}, key=int)
    rows = []
    for area in (e for e in view.estimates if e.name == "area" and {*e.slice} == {*FAMILY}):
        heights = [share(found.get(key_of({**area.slice, "severity": rung}))) for rung in rungs]
        rows.append(row_of(view, area, *heights, share(area), Cell(interval(area)), count(area)))
    note = "Accuracy in per cent by strength of the same test. Area: the mean height of the curve."
    columns = (*(f">strength {rung}" for rung in rungs), ">area", ">95 %", ">cases")
    return Sheet("severity", "Strength of a test", note, (*heads_of(view), *columns), tuple(rows))


def calibration(view: View) -> Sheet:
    """How far models can be taken at their word."""
    briers = by_slice(view.estimates, "brier")
    rows = []
    for each in (e for e in view.estimates if e.name == "calibration-error"):
        brier = briers.get(key_of(each.slice))
        value = brier.value if brier else None
        score = Cell("-" if value is None else f"{value:.3f}", value)
        rows.append(row_of(view, each, share(each), Cell(interval(each)), score, count(each)))
    note = "Error: how far confidence is from accuracy on the mean, in points. Brier score: 0 is best, 2 worst."
    return Sheet(
        "calibration", "Confidence", note, (*heads_of(view), ">error", ">95 %", ">Brier", ">cases"), tuple(rows)
    )


def confusion(view: View) -> Sheet:
    """What the cases of each family and label were answered with."""
    found = by_slice(view.estimates, "answers")
    answers = answers_of(found.values())
    places = dict.fromkeys(key_of(e.slice) - {("answer", e.slice["answer"])} for e in sorted_places(found.values()))
    rows = []
    for where in places:
        shares = [found.get(where | {("answer", answer)}) for answer in answers]
        first = next(each for each in shares if each)
        cells = [Cell(percent(each), each.value) if each else Cell("0.0", 0.0) for each in shares]
        rows.append(row_of(view, first, Cell(first.slice["label"]), *cells, count(first)))
    note = "Answers to the cases of each family and label, in per cent."
    columns = ("label", *(f">{answer}" for answer in answers), ">cases")
    return Sheet("confusion", "Answers by label", note, (*heads_of(view), *columns), tuple(rows))


def published(view: View) -> Sheet:
    """Published figures of the same tests beside the measured ones."""
    rows = []
    for each in beside(view.estimates):
        for model, value in each.measured.items():
            ends = (Cell(f"{each.low * 100:.1f}", each.low), Cell(f"{each.high * 100:.1f}", each.high))
            systems = Cell(str(each.systems), float(each.systems))
            here = Cell(f"{value * 100:.1f}", value)
            names = (Cell(view.name(model)), Cell(name_of(each).replace("_", " ")))
            rows.append(Row(model, (*names, here, *ends, systems, Cell(", ".join(each.tables)))))
    return Sheet(
        "published",
        "Published figures beside the measured ones",
        "Accuracy in per cent. Published: other systems on other pairs of the same test, lowest and highest. "
        "A frame, not a target.",
        ("model", "test", ">measured", ">published from", ">to", ">systems", "paper and table"),
        tuple(rows),
    )


def skips(view: View) -> Sheet:
    """Why cases were not made."""
    rows = [
        Row("", (Cell(suite), Cell(family), Cell(reason), Cell(f"{n:,}", float(n))))
        for suite, manifest in view.suites.items()
        for family, reasons in {"(reading)": manifest.source.skipped, **manifest.skips}.items()
        for reason, n in sorted(reasons.items(), key=lambda each: -each[1])
    ]
    note = "Pairs that gave no case, by family and reason. What does not apply is left out, never guessed."
    return Sheet("skips", "What was not made", note, ("suite", "family", "reason", ">pairs"), tuple(rows))


MAKERS: tuple[Callable[[View], Sheet], ...] = (
    accuracy,
    seeds,
    variants,
    swap,
    heuristics,
    subcases,
    categories,
    severity,
    confusion,
    calibration,
    groups,
    published,
    skips,
)
"""The tables of a report, in its order."""


def _groups(view: View, name: str, title: str, note: str, *, places: Container[tuple[str, str]] | None = None) -> Sheet:
    """Accuracy by the values of one group, of all cases and by label; in some suites and families only, where named."""
    found = by_slice(
        e
        for e in view.estimates
        if name in e.slice and (places is None or (e.slice["suite"], e.slice["family"]) in places)
    )
    labels = labels_of(found)
    rows = []
    for each in (e for e in found.values() if {*e.slice} == {*FAMILY, name}):
        by_label = [share(found.get(key_of({**each.slice, "label": label}))) for label in labels]
        cells = (share(each), Cell(interval(each)), *by_label, count(each))
        rows.append(row_of(view, each, Cell(group_name(name, each.slice[name])), *cells))
    columns = (name, ">accuracy", ">95 %", *(f">{label}" for label in labels), ">cases")
    return Sheet(f"{name}s".replace("ys", "ies"), title, note, (*heads_of(view), *columns), tuple(rows))


def sorted_places(found: Iterable[Estimate]) -> list[Estimate]:
    """Models, suites and families as they come up, and labels in their usual order."""
    rows = list(found)
    places = list(dict.fromkeys(tuple(e.slice[name] for name in FAMILY) for e in rows))
    models = list(dict.fromkeys(place[0] for place in places))
    labels = [*Label]

    def key(e: Estimate) -> tuple[int, int, int]:
        place = tuple(e.slice[name] for name in FAMILY)
        return models.index(place[0]), places.index(place), labels.index(Label(e.slice["label"]))

    return sorted(rows, key=key)


def answers_of(found: Iterable[Estimate]) -> list[str]:
    """The answers that occur: labels in their usual order, then what is none."""
    there = [e.slice["answer"] for e in found]
    labels = labels_of(frozenset({("label", each)}) for each in there)
    return [*labels, *sorted({*there} - {*labels})]


def p_cell(test: Estimate | None) -> Cell:
    """A corrected p."""
    return Cell("") if test is None else Cell(p_value(test), test.value)


def _change(drop: Estimate | None, test: Estimate | None) -> Cell:
    """A drop as a change; a loss that the corrected test does not show is not marked as one."""
    if drop is None or drop.value is None:
        return Cell("")
    lost = drop.value > 0 and test is not None and test.value is not None and test.value < SIGNIFICANT
    return Cell(points(-drop.value), -drop.value, "bad" if lost else "")


def _ends(difference: Estimate | None, sign: int = 1) -> str:
    """The interval of a difference in points; a drop is told as a change with the other sign."""
    if difference is None or difference.low is None or difference.high is None:
        return ""
    low, high = sorted((sign * difference.low, sign * difference.high))
    return f"{points(low)} to {points(high)}"
