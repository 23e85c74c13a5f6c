"""Holm's correction for many tests, and what a suite of a given size can show."""

from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist

import numpy

from assay.core.estimate import Estimate
from assay.evaluate.intervals import Z95
from assay.evaluate.paired import Floats, falling_root

FAMILY = {"model", "suite", "family"}


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p, corrected for the number of tests: if all below 0.05 count, one set of tests in twenty has a false alarm.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def correct_tests(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The tests of one model's answers to a suite, corrected together: `holm` for each `mcnemar`.

    Whole families are corrected for the number of families; separately, their labels are corrected for the number of
    labels in all families. Finer slices are not corrected: nothing is claimed about them.

    >>> def test(family: str, p: float) -> Estimate:
    ...     return Estimate(name="mcnemar", value=p, n=9, slice={"model": "m", "suite": "s", "family": family})
    >>> [(e.name, e.slice["family"], e.value) for e in correct_tests([test("negation", 0.04), test("spelling", 0.01)])]
    [('holm', 'negation', 0.04), ('holm', 'spelling', 0.02)]
    """
    tests = [e for e in estimates if e.name == "mcnemar"]
    found = []
    for names in (FAMILY, {*FAMILY, "label"}):
        own = [(e, e.value) for e in tests if set(e.slice) == names and e.value is not None]
        adjusted = holm([p for _, p in own])
        found += [Estimate(name="holm", value=p, n=e.n, slice=e.slice) for (e, _), p in zip(own, adjusted, strict=True)]
    return found


POWER = 0.8
"""Power: the usual 80%."""

LEVEL = 0.05
"""The level of all tests together."""

Z_POWER = NormalDist().inv_cdf(POWER)


def smallest_rise(n: float, baseline: float) -> float | None:
    """The smallest rise above a known baseline that n cases detect four times out of five.

    The test is two-sided at 5%. None if not even a model that is always right would be detected.

    >>> round(smallest_rise(750, 1 / 3), 3)
    0.049
    >>> smallest_rise(3, 0.9) is None
    True
    """
    at_chance = Z95 * numpy.sqrt(baseline * (1 - baseline) / n)

    def lacking(rise: Floats) -> Floats:
        share = baseline + rise
        return numpy.asarray(at_chance + Z_POWER * numpy.sqrt(numpy.maximum(0.0, share * (1 - share)) / n) - rise)

    return _smallest(lacking, 1 - baseline)


def smallest_difference(n: float, disagreement: float, *, tests: int = 1) -> float | None:
    """The smallest difference between two models that the same n cases detect four times out of five.

    It depends on how often only one of the two is right, and on how many tests are corrected together: the first step
    of Holm's method divides the level by their number. None if even the largest possible difference is not detected.

    >>> round(smallest_difference(750, 0.1), 3), round(smallest_difference(750, 0.4), 3)
    (0.032, 0.065)
    >>> round(smallest_difference(750, 0.4, tests=8), 3)
    0.082
    """
    z = NormalDist().inv_cdf(1 - LEVEL / (2 * tests))

    def lacking(difference: Floats) -> Floats:
        spread = numpy.maximum(0.0, disagreement - difference * difference)
        needed = z * numpy.sqrt(disagreement) + Z_POWER * numpy.sqrt(spread)
        return numpy.asarray(needed / numpy.sqrt(n) - difference)

    return _smallest(lacking, disagreement)


def _smallest(lacking: Callable[[Floats], Floats], most: float) -> float | None:
    """The root of the function; None if it is beyond the maximum."""
    if most <= 0 or lacking(numpy.asarray(most)) > 0:
        return None
    return float(falling_root(lacking, 0.0, most))
