"""Student's t distribution with any number of degrees of freedom."""

from math import exp, inf, lgamma, log, log1p, pi
from statistics import NormalDist

STEPS = 500
"""Terms of the continued fraction; a few dozen are enough for the degrees of freedom of trainings."""


def student_p(t: float, freedom: float) -> float:
    """The two-sided p of a t statistic.

    >>> round(student_p(2.776445, 4), 6), student_p(0.0, 4), round(student_p(1.959964, 1e9), 6)
    (0.05, 1.0, 0.05)
    """
    return _beta(freedom / 2, freedom / (freedom + t * t)) if t else 1.0


def student_quantile(freedom: float, level: float = 0.05) -> float:
    """The t statistic whose two-sided p is `level`.

    >>> round(student_quantile(4), 6)
    2.776445
    """
    front = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(pi * freedom) / 2
    t = NormalDist().inv_cdf(1 - level / 2)  # never above the quantile, so Newton's steps only go up
    for _ in range(STEPS):
        density = exp(front - (freedom + 1) / 2 * log1p(t * t / freedom))
        step = (student_p(t, freedom) - level) / (2 * density)
        t += step
        if step <= 1e-12 * t:
            break
    return t


def _beta(a: float, x: float) -> float:
    """The regularised incomplete beta function of a and 1/2, by Lentz's continued fraction."""
    b = 0.5
    if not 0 < x < 1:
        return min(max(x, 0.0), 1.0)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front / a * _fraction(a, b, x)
    return 1 - front / b * _fraction(b, a, 1 - x)


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, change = d, inf
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / (1 + term * d), 1 + term / c
            change = c * d
            value *= change
        if abs(change - 1) < 1e-15:
            break
    return value
