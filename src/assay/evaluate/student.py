"""Student's t distribution: the two-sided p of a statistic, and the quantile of a 95% interval."""

from functools import lru_cache
from math import exp, isinf, lgamma, log, sqrt
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)

MANY = 30
"""From this many degrees of freedom, a series around the normal quantile is right to five digits."""


def student_p(statistic: float, freedom: float) -> float:
    """How likely Student's t is at least this far from zero, in either direction.

    >>> round(student_p(2.2281, 10), 4), round(student_p(1.96, inf), 4)
    (0.05, 0.05)
    """
    if isinf(freedom) or isinf(statistic):
        return 0.0 if isinf(statistic) else 2 * NormalDist().cdf(-abs(statistic))
    square = statistic * statistic
    if square < 1:  # the other tail is computed more exactly
        return 1 - _beta_share(square / (freedom + square), 0.5, freedom / 2)
    return _beta_share(freedom / (freedom + square), freedom / 2, 0.5)


def student_95(freedom: float) -> float:
    """How many standard errors a 95% interval reaches to either side.

    >>> round(student_95(3), 3), round(student_95(100), 3), round(student_95(inf), 3)
    (3.182, 1.984, 1.96)
    """
    if freedom < MANY:
        return _small(round(freedom, 6))
    z, d = Z95, 1 / freedom
    second, third = 5 * z**5 + 16 * z**3 + 3 * z, 3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z
    return z + d * (z**3 + z) / 4 + d**2 * second / 96 + d**3 * third / 384


@lru_cache(maxsize=4096)
def _small(freedom: float) -> float:
    low, high = Z95, 1000.0
    while high - low > 1e-9 * high:
        middle = sqrt(low * high)
        low, high = (middle, high) if student_p(middle, freedom) > 0.05 else (low, middle)
    return high


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    value = c = 1.0
    d = 0.0
    for step in range(400):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        d = 1 / (1 + term * d or 1e-300)
        c = 1 + term / (c or 1e-300)
        value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * (value - 1)
