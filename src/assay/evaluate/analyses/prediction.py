"""Whether a figure on one test predicts how models do on another: correlations over models, with intervals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import atanh, isfinite, nan, sqrt, tanh
from typing import NamedTuple

import numpy

from assay.core.results.estimate import Estimate
from assay.evaluate.bootstrap import Floats
from assay.evaluate.interval import Interval
from assay.evaluate.student import Z95

FEWEST = 4
"""Fewer systems than this give no correlation worth showing."""

FREE = 3
"""Points that the variance of Fisher's transform of a correlation does not count."""


class Scores(NamedTuple):
    """Models' accuracies on a test and on a target, with what is known of them."""

    test: Sequence[float]
    """On the test, by model."""
    target: Sequence[float]
    """On the target."""
    plain: Sequence[float]
    """On the unchanged source pairs of the test; not a number if they were not asked."""
    systems: Sequence[str]
    """The system that each model is a seed of: seeds of one system are not independent."""


def predicts(scores: Scores, where: Mapping[str, str]) -> list[Estimate]:
    """The `correlation` of test and target over models, and the `partial` one, given the accuracy on plain pairs.

    A partial correlation near zero means that the test says nothing about the target that plain accuracy does not.
    Every system counts once, however many seeds it has. `n` is the number of systems.

    >>> test, plain = [0.1, 0.2, 0.3, 0.4], [0.5, 0.7, 0.5, 0.7]
    >>> scores = Scores(test, [0.2, 0.4, 0.6, 0.8], plain, ["a", "b", "c", "d"])
    >>> [(each.name, round(each.value, 3), each.n) for each in predicts(scores, {})]
    [('correlation', 1.0, 4), ('partial', 1.0, 4)]
    """
    seeds = Counter(scores.systems)
    n = len(seeds)
    if n < FEWEST:
        return [Estimate(name=name, value=None, n=n, slice=dict(where)) for name in ("correlation", "partial")]
    test, target, plain = (numpy.asarray(each, dtype=numpy.float64) for each in scores[:3])  # (models,)
    weights = numpy.array([1 / seeds[system] for system in scores.systems])
    both, with_test, with_target = (
        _correlation(one, other, weights) for one, other in ((test, target), (test, plain), (target, plain))
    )
    return [
        _estimate("correlation", both, n, n, where),
        _estimate("partial", _partial(both, with_test, with_target), n, n - 1, where),
    ]


def _correlation(one: Floats, other: Floats, weights: Floats) -> float:
    """Pearson's correlation under weights; not a number if one side does not vary."""
    first = one - numpy.average(one, weights=weights)
    second = other - numpy.average(other, weights=weights)
    variances = float(weights @ first**2) * float(weights @ second**2)
    return _clipped(float(weights @ (first * second)) / sqrt(variances)) if variances > 1e-24 else nan


def _partial(both: float, with_test: float, with_target: float) -> float:
    """The correlation of two columns given a third; not a number if the third decides one of them."""
    left = (1 - with_test**2) * (1 - with_target**2)
    return _clipped((both - with_test * with_target) / sqrt(left)) if left > 1e-9 else nan


def _clipped(value: float) -> float:
    return float(numpy.clip(value, -1.0, 1.0))  # keeps what is not a number


def _estimate(name: str, value: float, n: int, free: int, where: Mapping[str, str]) -> Estimate:
    """A correlation over n systems, with Fisher's interval; each variable that is held equal leaves one fewer `free`.

    Seeds of one system are not independent, so the interval counts systems. Resampling systems instead would give
    intervals that are too narrow for the few systems that anybody has.
    """
    if not isfinite(value):
        return Estimate(name=name, value=None, n=n, slice=dict(where))
    low, high = fisher(value, free)
    return Estimate(name=name, value=value, low=low, high=high, n=n, slice=dict(where))


def fisher(correlation: float, n: int) -> Interval:
    """Fisher's interval of a correlation over n independent points.

    >>> low, high = fisher(0.5, 28)
    >>> round(low, 3), round(high, 3), fisher(0.5, 3)
    (0.156, 0.736, Interval(low=-1.0, high=1.0))
    """
    if n <= FREE:
        return Interval(-1.0, 1.0)
    if abs(correlation) == 1:
        return Interval(correlation, correlation)
    spread = Z95 / sqrt(n - FREE)
    return Interval(tanh(atanh(correlation) - spread), tanh(atanh(correlation) + spread))
