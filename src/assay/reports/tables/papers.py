"""The papers' own tables, filled with the figures of a run."""

from collections.abc import Callable, Iterable

from assay.core.estimate import Estimate
from assay.reports.layout import by_slice, key_of, labels_of
from assay.reports.tables.sheet import FAMILY, Cell, Row, Sheet, share
from assay.reports.tables.sheets import noted
from assay.reports.view import View


def paper_sheets(view: View) -> list[Sheet]:
    """Every table that the run has figures for."""
    return [noted(view, sheet) for make in MAKERS for sheet in [make(view)] if sheet.rows]


def naik(view: View) -> Sheet:
    """Naik et al. (2018), table 3: a line a model, a column a family."""
    found = by_slice(e for e in view.estimates if {*e.slice} == {*FAMILY})
    families = _seen(found.values(), "family")
    rows = [
        Row(model, (Cell(view.name(model)), *(share(_of(found, model, family=each)) for each in families)))
        for model in _seen(found.values(), "model")
    ]
    note = "Accuracy in per cent of each model in each family; original: the source pairs as they are."
    return Sheet("naik", "Accuracy by family, as in Naik et al. (2018)", note, _heads(families), tuple(rows))


def glockner(view: View) -> Sheet:
    """Glockner et al. (2018), table 4: a line a category, a column a model."""
    found = by_slice(e for e in view.estimates if {*e.slice} == {*FAMILY, "category"})
    models = _seen(found.values(), "model")
    rows = []
    for category in _seen(found.values(), "category"):
        here = [next((e for e in found.values() if _is(e, model, category)), None) for model in models]
        cases = max(e.n for e in here if e)
        rows.append(Row("", (Cell(category), Cell(f"{cases:,}", float(cases)), *(share(each) for each in here))))
    columns = ("category", ">cases", *(f">{view.name(model)}" for model in models))
    title = "Accuracy by lexical category, as in Glockner et al. (2018)"
    return Sheet("glockner", title, "Accuracy in per cent.", columns, tuple(rows))


def wang(view: View) -> Sheet:
    """Wang et al. (2019), table 1: original, swapped and difference, by model and label."""
    kept, sources, drops = (by_slice(view.estimates, name) for name in ("kept", "source", "drop"))
    rows = []
    whole = [e for e in kept.values() if {*e.slice} == {*FAMILY, "label"}]
    for model in _seen(whole, "model"):
        own = {e.slice["label"]: e for e in whole if e.slice["model"] == model}
        for label in labels_of(map(key_of, (e.slice for e in own.values()))):
            here = key_of(own[label].slice)
            figures = (share(sources.get(here)), share(own[label]), share(drops.get(here)))
            rows.append(Row(model, (Cell(view.name(model)), Cell(label), *figures)))
    note = "Share of pairs answered with their label, in per cent, before and after the two sides are exchanged."
    columns = ("model", "label", ">original", ">swapped", ">difference")
    return Sheet("wang", "Swapped pairs, as in Wang et al. (2019)", note, columns, tuple(rows))


def mccoy(view: View) -> Sheet:
    """McCoy et al. (2019), table 3: a line a model, by label a column a heuristic."""
    found = by_slice(e for e in view.estimates if {*e.slice} == {*FAMILY, "heuristic", "label"})
    kinds, labels = _seen(found.values(), "heuristic"), labels_of(found)
    rows = []
    for model in _seen(found.values(), "model"):
        cells = [share(_of(found, model, label=label, heuristic=kind)) for label in labels for kind in kinds]
        rows.append(Row(model, (Cell(view.name(model)), *cells)))
    columns = ("model", *(f">{label}: {kind.replace('_', ' ')}" for label in labels for kind in kinds))
    title = "Accuracy by label and heuristic, as in McCoy et al. (2019)"
    return Sheet("mccoy", title, "Accuracy in per cent; guessing gets 50.", columns, tuple(rows))


MAKERS: tuple[Callable[[View], Sheet], ...] = (naik, glockner, wang, mccoy)


def _heads(names: Iterable[str]) -> tuple[str, ...]:
    return ("model", *(f">{name}" for name in names))


def _seen(found: Iterable[Estimate], name: str) -> list[str]:
    return list(dict.fromkeys(e.slice[name] for e in found))


def _of(found: dict[frozenset[tuple[str, str]], Estimate], model: str, **where: str) -> Estimate | None:
    """A model's figure in a place, in the first suite that has it."""
    wanted = {"model": model, **where}
    return next((e for e in found.values() if wanted.items() <= e.slice.items()), None)


def _is(e: Estimate, model: str, category: str) -> bool:
    return e.slice["model"] == model and e.slice["category"] == category
