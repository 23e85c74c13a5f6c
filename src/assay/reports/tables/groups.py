"""Groups of the corpus, such as genre, where they make a difference."""

import re
from collections.abc import Iterable, Sequence
from math import comb, hypot
from statistics import NormalDist

from assay.core.estimate import Estimate
from assay.reports.findings import MARGIN, SIGNIFICANT
from assay.reports.layout import by_slice, interval, key_of, percent
from assay.reports.tables.sheet import FAMILY, Cell, Row, Sheet, count, heads_of, share
from assay.reports.view import View

NO_GROUP = {*FAMILY, "label", "variant", "heuristic", "subcase", "category", "template", "severity"}
"""What slices name besides the groups of a corpus; most of it has a table of its own."""

MOST_VALUES = 12
"""A group with more values than this is left to CSV and JSON."""

MOST_FAMILIES = 2
"""Families that are shown of each group."""

WIDTH = NormalDist().inv_cdf(0.975)
"""Half of a 95 % interval, in standard errors."""


def groups(view: View) -> Sheet:
    """A line a value of each group, a column a model, in the families where the values differ most."""
    found = by_slice(view.estimates)
    models = list(dict.fromkeys(e.slice["model"] for e in found.values()))
    rows = []
    for name in dict.fromkeys(name for e in found.values() for name in e.slice if name not in NO_GROUP):
        own = [e for e in found.values() if {*e.slice} == {*FAMILY, name}]
        values = sorted({e.slice[name] for e in own})
        if len(values) > MOST_VALUES or any(map(is_score, values)):
            continue
        for suite, family in _divided(own, len(values)):
            names = (Cell(suite), Cell(family)) if view.repeats else (Cell(family),)
            for value in values:
                where = {"suite": suite, "family": family, name: value}
                here = [found.get(key_of({"model": model, **where})) for model in models]
                if any(here):
                    cases = max((count(e) for e in here if e), key=lambda cell: cell.value or 0.0)
                    rows.append(Row("", (Cell(name), Cell(value), *names, *map(_with_ends, here), cases)))
    heads = ("group", "value", *heads_of(view)[1:])
    return Sheet(
        "groups",
        "Groups of the corpus",
        "Accuracy in per cent with 95 % intervals, in the two families that a group divides most: for some model two "
        "of its values differ by 5 points or more, and by more than chance explains. All groups are in CSV and JSON.",
        (*heads, *(f">{view.name(model)}" for model in models), ">cases"),
        tuple(rows),
        owners=(*("" for _ in heads), *models, ""),
    )


def _divided(own: Sequence[Estimate], values: int) -> list[tuple[str, str]]:
    """The suites and families in which a group of so many values makes a difference, the largest first."""
    places: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for e in own:
        by_model = places.setdefault((e.slice["suite"], e.slice["family"]), {})
        by_model.setdefault(e.slice["model"], []).append(e)
    tests = comb(values, 2) * sum(map(len, places.values()))
    apart = {place: max(_apart(each, tests) for each in by_model.values()) for place, by_model in places.items()}
    return sorted((place for place in apart if apart[place] >= MARGIN), key=lambda each: -apart[each])[:MOST_FAMILIES]


def _apart(own: Iterable[Estimate], tests: int) -> float:
    """How far a model's best and worst value differ; nothing, where chance explains it in one of so many tests.

    The errors are read off the intervals, and Bonferroni's correction is for every two values that could be compared.
    """
    measured = [
        (e.value, e.low, e.high) for e in own if e.value is not None and e.low is not None and e.high is not None
    ]
    if len(measured) < 2:
        return 0.0
    best, worst = max(measured), min(measured)
    error = hypot(best[2] - best[1], worst[2] - worst[1]) / (2 * WIDTH)
    gap = best[0] - worst[0]
    clear = error > 0 and 2 * NormalDist().cdf(-gap / error) * tests < SIGNIFICANT
    return gap if clear else 0.0


def is_score(value: str) -> bool:
    """Whether a value is a number on a scale, such as how related two texts are, and no name of a group.

    >>> is_score("4.5"), is_score("fiction"), is_score("2019")
    (True, False, False)
    """
    return re.fullmatch(r"[-+]?[0-9]*\.[0-9]+", value) is not None


def _with_ends(estimate: Estimate | None) -> Cell:
    """A share with its interval."""
    return share(estimate)._replace(text=f"{percent(estimate)} ({interval(estimate)})") if estimate else Cell("-")
