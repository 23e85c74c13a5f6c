"""Groups of the corpus, such as genre, where they make a difference."""

import re
from collections.abc import Iterable

from assay.core.estimate import Estimate
from assay.report.findings import MARGIN
from assay.report.layout import by_slice, interval, key_of, percent
from assay.report.sheet import FAMILY, Cell, Row, Sheet, count, heads_of, share
from assay.report.view import View

NO_GROUP = {*FAMILY, "label", "variant", "heuristic", "subcase", "category", "template", "severity"}
"""What slices name besides the groups of a corpus; most of it has a table of its own."""

MOST_VALUES = 12
"""A group with more values than this is left to CSV and JSON."""

MOST_FAMILIES = 2
"""Families that are shown of each group."""


def groups(view: View) -> Sheet:
    """A line a value of each group, a column a model, in the families where the values differ most."""
    found = by_slice(view.estimates)
    models = list(dict.fromkeys(e.slice["model"] for e in found.values()))
    rows = []
    for name in dict.fromkeys(name for e in found.values() for name in e.slice if name not in NO_GROUP):
        own = [e for e in found.values() if {*e.slice} == {*FAMILY, name}]
        values = sorted({e.slice[name] for e in own})
        if len(values) > MOST_VALUES or any(map(_is_score, values)):
            continue
        for suite, family in _divided(own):
            names = (Cell(suite), Cell(family)) if view.repeats else (Cell(family),)
            for value in values:
                where = {"suite": suite, "family": family, name: value}
                here = [found.get(key_of({"model": model, **where})) for model in models]
                if any(here):
                    cases = max((count(e) for e in here if e), key=lambda cell: cell.value or 0.0)
                    rows.append(Row("", (Cell(name), Cell(value), *names, *map(_with_ends, here), cases)))
    return Sheet(
        "groups",
        "Groups of the corpus",
        "Accuracy in per cent with 95 % intervals, where those of two values of a group lie apart for some model, in "
        "the families that the group divides most. All groups and families are in CSV and JSON.",
        ("group", "value", *heads_of(view)[1:], *(f">{view.name(model)}" for model in models), ">cases"),
        tuple(rows),
    )


def _divided(own: Iterable[Estimate]) -> list[tuple[str, str]]:
    """The suites and families in which a group makes a difference, the largest first."""
    places: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for e in own:
        by_model = places.setdefault((e.slice["suite"], e.slice["family"]), {})
        by_model.setdefault(e.slice["model"], []).append(e)
    apart = {place: max(map(_apart, by_model.values())) for place, by_model in places.items()}
    return sorted((place for place in apart if apart[place] >= MARGIN), key=lambda each: -apart[each])[:MOST_FAMILIES]


def _apart(own: Iterable[Estimate]) -> float:
    """How far a model's best and worst value differ; nothing, where their intervals touch."""
    measured = [(e.value, e.low, e.high) for e in own if None not in (e.value, e.low, e.high)]
    (best, low, _), (worst, _, high) = max(measured, default=(0, 0, 0)), min(measured, default=(0, 0, 0))
    return (best or 0.0) - (worst or 0.0) if (low or 0.0) > (high or 0.0) else 0.0


def _is_score(value: str) -> bool:
    """Whether a value is a number on a scale, such as how related two texts are, and no name of a group.

    >>> _is_score("4.5"), _is_score("fiction"), _is_score("2019")
    (True, False, False)
    """
    return re.fullmatch(r"[-+]?[0-9]*\.[0-9]+", value) is not None


def _with_ends(estimate: Estimate | None) -> Cell:
    """A share with its interval."""
    return share(estimate)._replace(text=f"{percent(estimate)} ({interval(estimate)})") if estimate else Cell("-")
