"""What counts as a loss. Every table, page, test and gate uses this, or reads what was decided here."""

from collections.abc import Iterable, Mapping, Sequence
from math import comb, hypot
from statistics import NormalDist, fmean

from assay.core.comparison import Outcome
from assay.core.estimate import FAMILY, Estimate, by_slice, find
from assay.core.judgement import BelowChance, Divided, Loss
from assay.core.label import Label
from assay.core.pair import is_score
from assay.evaluate.seeds import system_of, systems_of

LEVEL = 0.05
"""The corrected p below which a difference is not explained by chance."""


def is_clear(p: float | None) -> bool:
    """Whether a difference is significant; `p` is corrected for all tests that are read together."""
    return p is not None and p < LEVEL


def outcome_of(difference: float, p: float | None) -> Outcome:
    """What a difference between two accuracies on the same cases says.

    >>> outcome_of(-0.1, 0.01), outcome_of(0.1, 0.01), outcome_of(-0.1, 0.05)
    ('worse', 'better', 'not significant')
    """
    if not is_clear(p) or not difference:
        return "not significant"
    return "better" if difference > 0 else "worse"


def is_loss(drop: float | None, p: float | None) -> bool:
    """Whether cases are answered worse than their source pairs, by more than chance explains.

    `drop` is the accuracy on the pairs minus that on the cases. `p` comes from its paired test, corrected by Holm's
    method over the families of the suite, or over all of their labels.

    >>> is_loss(0.04, 0.004), is_loss(0.04, 0.088), is_loss(-0.04, 0.004), is_loss(None, None)
    (True, False, False, False)
    """
    return drop is not None and outcome_of(-drop, p) == "worse"


def losses(estimates: Iterable[Estimate]) -> tuple[Loss, ...]:
    """The slices with a loss, for every model, and for every system if all of its seeds have the loss.

    Cases with another label than their source pair ask something else, so only slices with a `consistency`, where
    every edit keeps the label, can have a loss.

    >>> where = {"model": "m", "suite": "s", "family": "negation"}
    >>> values = {"accuracy": 0.2, "drop": 0.7, "holm": 0.001, "consistency": 0.2}
    >>> losses(Estimate(name=name, value=value, n=40, slice=where) for name, value in values.items())
    (Loss(slice={'model': 'm', 'suite': 's', 'family': 'negation'}, drop=0.7, p=0.001),)
    """
    given = list(estimates)
    drops, tests, same_label = (by_slice(given, name) for name in ("drop", "holm", "consistency"))
    found = []
    for key, measured in by_slice(given).items():
        drop, p = (figures[key].value if key in figures else None for figures in (drops, tests))
        if key in same_label and is_loss(drop, p):
            assert drop is not None
            assert p is not None
            found.append(Loss(slice=measured.slice, drop=drop, p=p))
    return (*found, *_of_systems(found, systems_of(given)))


def _of_systems(found: Sequence[Loss], systems: dict[str, int]) -> list[Loss]:
    seeds: dict[tuple[tuple[str, str], ...], list[Loss]] = {}
    for each in found:
        system = system_of(each.slice["model"], systems)
        if system in systems:
            seeds.setdefault(tuple({**each.slice, "model": system}.items()), []).append(each)
    return [
        Loss(slice=dict(where), drop=fmean(each.drop for each in own), p=max(each.p for each in own))
        for where, own in seeds.items()
        if len(own) >= systems[dict(where)["model"]]
    ]


Counts = Mapping[str, Mapping[str, Mapping[str, int]]]
"""How many cases there are, by suite, family and label."""


def below_chance(estimates: Iterable[Estimate], counts: Counts) -> tuple[BelowChance, ...]:
    """Labels whose whole interval is below the accuracy of guessing, in families without source pairs to compare with.

    >>> where = {"model": "m", "suite": "s", "family": "heuristics", "label": "non-entailment"}
    >>> found = [Estimate(name="accuracy", value=0.02, low=0.01, high=0.04, n=400, slice=where)]
    >>> [each] = below_chance(found, {"s": {"heuristics": {"entailment": 400, "non-entailment": 400}}})
    >>> each.chance, each.high
    (0.5, 0.04)
    """
    given = list(estimates)
    compared = {tuple(e.slice[name] for name in FAMILY) for e in given if e.name == "drop"}
    found = []
    for (*place, _), e in find(given, "accuracy", (*FAMILY, "label")).items():
        labels = counts.get(e.slice["suite"], {}).get(e.slice["family"], {})
        chance = 1 / (2 if Label.NON_ENTAILMENT in labels else 3)
        if tuple(place) in compared or e.value is None or e.low is None or e.high is None:
            continue
        if e.high < chance:
            found.append(BelowChance(slice=e.slice, value=e.value, low=e.low, high=e.high, chance=chance))
    return tuple(found)


MARGIN = 0.05
"""A smaller difference between two values of a group is not worth a table."""

NO_GROUP = {*FAMILY, "label", "variant", "heuristic", "subcase", "category", "template", "severity"}
"""Names in slices that are not groups of a corpus."""

MOST_VALUES = 12
"""A group with more values than this is too large for a table."""

WIDTH = NormalDist().inv_cdf(0.975)
"""Half of a 95 % interval, in standard errors."""


def find_divided_groups(estimates: Iterable[Estimate]) -> tuple[Divided, ...]:
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

    The standard error comes from the ends that face each other (Newcombe 1998): near 0 and 1, the others are too close.
    Bonferroni's correction covers all pairs of values.
    """
    measured = [
        (e.value, e.low, e.high) for e in own if e.value is not None and e.low is not None and e.high is not None
    ]
    if len(measured) < 2:
        return 0.0
    best, worst = max(measured), min(measured)
    error = hypot(best[0] - best[1], worst[2] - worst[0]) / WIDTH
    gap = best[0] - worst[0]
    clear = error > 0 and 2 * NormalDist().cdf(-gap / error) * tests < LEVEL
    return gap if clear else 0.0
