"""Intervals for figures that have no formula: whole clusters are drawn again, by keyed chance."""

from collections.abc import Callable

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.chance import rng_for
from assay.evaluate.interval import Interval

DRAWS = 2000
"""How often the clusters are drawn again."""

CELLS = 4_000_000
"""How many counts are held at once; the draws come in rounds of so many."""

Floats = NDArray[numpy.float64]


def bootstrap(
    sums: ArrayLike, figure: Callable[[Floats], Floats], *, key: str, seed: int = 0, draws: int = DRAWS
) -> Interval | None:
    """The 95 % percentile interval of a figure that is made of sums over clusters.

    `sums` has a row for each cluster, such as a source pair: what its cases add to each sum that the figure needs.
    `figure` takes totals, a row for each draw, and gives the figure of each. `key` names what is measured, so that
    each figure has chance of its own. Clusters that are alike are drawn together, so a million of a few kinds cost as
    much as those kinds. The order of the rows does not matter. None where there is no cluster, or where no draw has a
    figure (a draw whose figure is not a number is left out).

    >>> hits_and_trials = [(1, 2), (2, 2), (0, 2), (2, 2)] * 25
    >>> low, high = bootstrap(hits_and_trials, lambda total: total[:, 0] / total[:, 1], key="accuracy")
    >>> 0.5 < low < 0.625 < high < 0.75
    True
    """
    rows = numpy.atleast_2d(numpy.asarray(sums, dtype=numpy.float64))
    if not rows.size:
        return None
    kinds, counts = numpy.unique(rows, axis=0, return_counts=True)
    rng = numpy.random.default_rng(rng_for(seed, transform="bootstrap/v1", pair=key).getrandbits(128))
    figures = []
    left = draws
    while left:
        some = min(left, max(1, CELLS // len(kinds)))
        drawn = rng.multinomial(counts.sum(), counts / counts.sum(), size=some)  # (draws, kinds of clusters)
        with numpy.errstate(divide="ignore", invalid="ignore"):  # a draw can miss a slice altogether
            figures.append(figure(drawn @ kinds))  # (draws, sums) in, (draws,) out
        left -= some
    found = numpy.concatenate(figures)
    found = found[numpy.isfinite(found)]
    if not found.size:
        return None
    low, high = numpy.quantile(found, (0.025, 0.975))
    return Interval(float(low), float(high))
