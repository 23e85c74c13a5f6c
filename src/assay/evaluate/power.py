"""What a suite of a given size can show, before a model is asked or after."""

from collections.abc import Callable
from statistics import NormalDist

import numpy

from assay.evaluate.paired import Floats, falling_root
from assay.evaluate.student import Z95

POWER = 0.8
"""How likely a true difference is to be found: the usual 80%."""

LEVEL = 0.05
"""The level of all tests together."""

Z_POWER = NormalDist().inv_cdf(POWER)


def smallest_rise(n: float, baseline: float) -> float | None:
    """How far above a known baseline a share of n cases must truly be to be detected four times out of five.

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
    """How far apart two models must truly be on the same n cases to be distinguished four times out of five.

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
    """Where the function reaches zero; None if that is beyond the maximum."""
    if most <= 0 or lacking(numpy.asarray(most)) > 0:
        return None
    return float(falling_root(lacking, 0.0, most))
