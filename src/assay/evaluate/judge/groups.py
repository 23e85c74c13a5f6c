"""Groups of the corpus, such as genre: the families in which they make a difference."""

from collections.abc import Iterable, Sequence
from math import comb, hypot
from statistics import NormalDist

from assay.core.pair import is_score
from assay.core.results.estimate import FAMILY, Estimate, find
from assay.core.results.judgement import Divided
from assay.evaluate.judge.loss import LEVEL

MARGIN = 0.05
"""A smaller difference between two values of a group is not worth a table."""

NO_GROUP = {*FAMILY, "label", "variant", "heuristic", "subcase", "category", "template", "severity"}
"""Names in slices that are not groups of a corpus."""

MOST_VALUES = 12
"""A group with more values than this is too large for a table."""

WIDTH = NormalDist().inv_cdf(0.975)
"""Half of a 95 % interval, in standard errors."""


def divided(estimates: Iterable[Estimate]) -> tuple[Divided, ...]:
    """The families where two values of a group differ for some model, by more than chance explains."""
    given = [e for e in estimates if e.name == "accuracy"]
    found: list[Divided] = []
    for group in dict.fromkeys(name for e in given for name in e.slice if name not in NO_GROUP):
        own = list(find(given, "accuracy", (*FAMILY, group)).values())
        values = {e.slice[group] for e in own}
        if len(values) <= MOST_VALUES and not any(map(is_score, values)):
            gaps = _gaps(own, len(values))
            places = sorted((place for place in gaps if gaps[place] >= MARGIN), key=lambda place: -gaps[place])
            found += [Divided(group=group, suite=place[0], family=place[1], gap=gaps[place]) for place in places]
    return tuple(found)


def _gaps(own: Sequence[Estimate], values: int) -> dict[tuple[str, str], float]:
    """By suite and family, the gap between a group's values for the model with the largest gap."""
    places: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for e in own:
        by_model = places.setdefault((e.slice["suite"], e.slice["family"]), {})
        by_model.setdefault(e.slice["model"], []).append(e)
    tests = comb(values, 2) * sum(map(len, places.values()))
    return {place: max(_gap(each, tests) for each in by_model.values()) for place, by_model in places.items()}


def _gap(own: Iterable[Estimate], tests: int) -> float:
    """The gap between a model's best and worst value; 0 if chance explains it, given the number of tests.

    Standard errors come from the intervals. Bonferroni's correction covers all pairs of values.
    """
    measured = [
        (e.value, e.low, e.high) for e in own if e.value is not None and e.low is not None and e.high is not None
    ]
    if len(measured) < 2:
        return 0.0
    best, worst = max(measured), min(measured)
    error = hypot(best[2] - best[1], worst[2] - worst[1]) / (2 * WIDTH)
    gap = best[0] - worst[0]
    clear = error > 0 and 2 * NormalDist().cdf(-gap / error) * tests < LEVEL
    return gap if clear else 0.0
