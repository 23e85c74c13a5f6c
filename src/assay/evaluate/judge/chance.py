"""Labels that a model gets right less often than guessing would."""

from collections.abc import Iterable, Mapping

from assay.core.label import Label
from assay.core.results.estimate import FAMILY, Estimate, find
from assay.core.results.judgement import BelowChance

Counts = Mapping[str, Mapping[str, Mapping[str, int]]]
"""How many cases there are, by suite, family and label."""


def below_chance(estimates: Iterable[Estimate], counts: Counts) -> tuple[BelowChance, ...]:
    """Labels whose whole interval is below what guessing gets, in families without source pairs to compare with.

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
