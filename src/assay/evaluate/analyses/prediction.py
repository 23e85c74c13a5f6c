"""Whether a figure on one test predicts how models do on another: correlations over models, with intervals."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy

from assay.core.chance import rng_for
from assay.core.results.estimate import Estimate
from assay.evaluate.bootstrap import DRAWS, Floats
from assay.evaluate.interval import Interval

FEWEST = 4
"""Fewer systems than this give no correlation worth showing."""


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
    Intervals resample whole systems. `n` is the number of systems.

    >>> test, plain = [0.1, 0.2, 0.3, 0.4], [0.5, 0.7, 0.5, 0.7]
    >>> scores = Scores(test, [0.2, 0.4, 0.6, 0.8], plain, ["a", "b", "c", "d"])
    >>> [(each.name, round(each.value, 3), each.n) for each in predicts(scores, {})]
    [('correlation', 1.0, 4), ('partial', 1.0, 4)]
    """
    systems = list(dict.fromkeys(scores.systems))
    columns = numpy.array([scores.test, scores.target, scores.plain], dtype=numpy.float64)  # (3, models)
    n = len(systems)
    if n < FEWEST:
        return [Estimate(name=name, value=None, n=n, slice=dict(where)) for name in ("correlation", "partial")]
    weight = numpy.array([[system == each for each in scores.systems] for system in systems], dtype=numpy.float64)
    key = " ".join([*systems, *(f"{name}={value}" for name, value in sorted(where.items()))])
    chance = numpy.random.default_rng(rng_for(0, transform="prediction/v1", pair=key).getrandbits(128))
    drawn = chance.multinomial(n, [1 / n] * n, size=DRAWS) @ weight  # (draws, models): how often each model counts
    own = numpy.ones((1, len(scores.systems)))
    found = []
    for name, figure in (("correlation", _correlation), ("partial", _partial)):
        value = float(figure(columns, own)[0])
        interval = _interval(figure(columns, drawn))
        low, high = interval or (None, None)
        is_known = bool(numpy.isfinite(value))
        found.append(Estimate(name=name, value=value if is_known else None, low=low, high=high, n=n, slice=dict(where)))
    return found


def _correlation(columns: Floats, weights: Floats) -> Floats:
    """The correlation of the first two columns, (columns, models), under weights, (draws, models)."""
    return _weighted(columns[0], columns[1], weights)


def _partial(columns: Floats, weights: Floats) -> Floats:
    """The same, given the third column."""
    test, target, plain = columns
    both = _weighted(test, target, weights)
    one, other = _weighted(test, plain, weights), _weighted(target, plain, weights)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        found = (both - one * other) / numpy.sqrt((1 - one**2) * (1 - other**2))
    return numpy.where(numpy.minimum(1 - one**2, 1 - other**2) > 1e-9, numpy.clip(found, -1, 1), numpy.nan)


def _weighted(one: Floats, other: Floats, weights: Floats) -> Floats:
    """Pearson's correlation under weights; not a number if one side does not vary."""
    total = weights.sum(axis=1, keepdims=True)
    first = one - (weights @ one)[:, None] / total  # (draws, models)
    second = other - (weights @ other)[:, None] / total
    variances = (weights * first**2).sum(axis=1), (weights * second**2).sum(axis=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        found = (weights * first * second).sum(axis=1) / numpy.sqrt(variances[0] * variances[1])
    return numpy.where(numpy.minimum(*variances) > 1e-12, numpy.clip(found, -1, 1), numpy.nan)


def _interval(found: Floats) -> Interval | None:
    finite = found[numpy.isfinite(found)]
    if not finite.size:
        return None
    low, high = numpy.quantile(finite, (0.025, 0.975))
    return Interval(float(low), float(high))
