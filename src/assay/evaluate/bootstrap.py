"""Intervals for figures that have no formula: whole clusters are drawn again, by keyed chance."""

from collections.abc import Callable
from functools import lru_cache

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.chance import rng_for
from assay.evaluate.interval import Interval

DRAWS = 2000
"""How often the clusters are drawn again."""

HELD = 4
"""Draws that are held at once: most figures of a suite rest on as many clusters as each other."""

Floats = NDArray[numpy.float64]


class Draws:
    """How often each cluster is drawn: the same for all models and figures of a suite that rest on as many clusters.

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
        """The draws of so many clusters: (draws, clusters)."""
        return self._held(clusters)

    def _drawn(self, clusters: int) -> Floats:
        chance = rng_for(self._seed, transform="bootstrap/v2", pair=f"{self._key} {clusters}")
        rng = numpy.random.default_rng(chance.getrandbits(128))
        drawn = rng.integers(clusters, size=(self._draws, clusters)) + clusters * numpy.arange(self._draws)[:, None]
        counts = numpy.bincount(drawn.ravel(), minlength=self._draws * clusters)
        return counts.reshape(self._draws, clusters).astype(numpy.float64)


def bootstrap(sums: ArrayLike, figure: Callable[[Floats], Floats], draws: Draws) -> list[Interval | None]:
    """The 95 % percentile intervals of figures that are made of sums over clusters, (clusters, ..., sums).

    A row has what a cluster, such as some source pairs, adds to each sum that the figures need; there may be several
    models' in it. `figure` takes totals, (draws, ..., sums), and gives figures, (draws, ..., figures), of which there
    is an interval each, in that order. None stands for the interval of a figure that no draw has, as where there is no
    cluster (a draw whose figure is not a number is left out).

    >>> hits_and_trials = [(1, 2), (2, 2), (0, 2), (2, 2)] * 25
    >>> [(low, high)] = bootstrap(hits_and_trials, lambda total: total[:, :1] / total[:, 1:], Draws("accuracy"))
    >>> 0.5 < low < 0.625 < high < 0.75
    True
    """
    rows = numpy.asarray(sums, dtype=numpy.float64)
    weights = draws(len(rows))
    totals = weights @ rows.reshape(len(rows), -1)  # (draws, all sums)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # a draw can miss a slice altogether
        found = figure(totals.reshape(len(weights), *rows.shape[1:]))  # (draws, ..., figures)
    return [_interval(each) for each in found.reshape(len(weights), -1).T]


def _interval(found: Floats) -> Interval | None:
    finite = found[numpy.isfinite(found)]
    if not finite.size:
        return None
    low, high = numpy.quantile(finite, (0.025, 0.975))
    return Interval(float(low), float(high))
