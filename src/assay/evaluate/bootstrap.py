"""Intervals for figures without a formula: whole clusters are resampled, with keyed chance."""

from collections.abc import Callable
from functools import lru_cache

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.chance import rng_for
from assay.evaluate.interval import Interval

DRAWS = 2000
"""How often the clusters are resampled."""

HELD = 4
"""How many sets of draws are kept: most figures of a suite have the same number of clusters."""

Floats = NDArray[numpy.float64]


class Draws:
    """How often each cluster is drawn: the same for all models and figures of a suite with the same number of clusters.

    >>> once = Draws("stress")(3)
    >>> once.shape, set(once.sum(axis=1)) == {3.0}, bool((once == Draws("stress")(3)).all())
    ((2000, 3), True, True)
    """

    def __init__(self, key: str, *, seed: int = 0, draws: int = DRAWS) -> None:
        self._key = key
        self._seed = seed
        self._draws = draws
        self._held = lru_cache(maxsize=HELD)(self._drawn)

    def __call__(self, clusters: int) -> Floats:
        """The draws for this number of clusters: (draws, clusters)."""
        return self._held(clusters)

    def signs(self, clusters: int) -> Floats:
        """A sign for each cluster, 1 or -1, in each draw: (draws, clusters)."""
        chance = rng_for(self._seed, transform="signs/v1", pair=f"{self._key} {clusters}")
        rng = numpy.random.default_rng(chance.getrandbits(128))
        return 2 * rng.integers(2, size=(self._draws, clusters)).astype(numpy.float64) - 1

    def _drawn(self, clusters: int) -> Floats:
        chance = rng_for(self._seed, transform="bootstrap/v2", pair=f"{self._key} {clusters}")
        rng = numpy.random.default_rng(chance.getrandbits(128))
        drawn = rng.integers(clusters, size=(self._draws, clusters)) + clusters * numpy.arange(self._draws)[:, None]
        counts = numpy.bincount(drawn.ravel(), minlength=self._draws * clusters)
        return counts.reshape(self._draws, clusters).astype(numpy.float64)


def bootstrap(sums: ArrayLike, figure: Callable[[Floats], Floats], draws: Draws) -> list[Interval | None]:
    """The 95 % percentile intervals of figures that are made of sums over clusters, (clusters, ..., sums).

    Each row is what a cluster, such as a group of source pairs, adds to the sums that the figures need, for one or more
    models. `figure` turns totals, (draws, ..., sums), into figures, (draws, ..., figures); each gets an interval, in
    that order. Draws whose figure is not a number are left out. A figure without any draw, for instance because
    there are no clusters, has None as its interval.

    >>> hits_and_trials = [(1, 2), (2, 2), (0, 2), (2, 2)] * 25
    >>> [(low, high)] = bootstrap(hits_and_trials, lambda total: total[:, :1] / total[:, 1:], Draws("accuracy"))
    >>> 0.5 < low < 0.625 < high < 0.75
    True
    """
    rows = numpy.asarray(sums, dtype=numpy.float64)
    weights = draws(len(rows))
    totals = weights @ rows.reshape(len(rows), -1)  # (draws, all sums)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # a draw can miss a slice entirely
        found = figure(totals.reshape(len(weights), *rows.shape[1:]))  # (draws, ..., figures)
    return [_interval(each) for each in found.reshape(len(weights), -1).T]


def _interval(found: Floats) -> Interval | None:
    finite = found[numpy.isfinite(found)]
    if not finite.size:
        return None
    low, high = numpy.quantile(finite, (0.025, 0.975))
    return Interval(float(low), float(high))
