"""Intervals for shares without a formula, such as F1 or an area: each cluster is left out once."""

from collections.abc import Callable
from math import isfinite

import numpy
from numpy.typing import ArrayLike, NDArray

from assay.evaluate.interval import LEAST_FREEDOM, Interval, freedom_of, wilson
from assay.evaluate.student import Z95, student_95

Floats = NDArray[numpy.float64]


def jackknife(sums: ArrayLike, figure: Callable[[Floats], Floats], most: ArrayLike) -> list[Interval | None]:
    """The 95% intervals of figures from 0 to 1 that are made of sums over clusters, (clusters, ..., sums).

    Each row is what a cluster adds to the sums that the figures need, for one or more models. `figure` turns totals,
    (..., sums), into figures, (..., figures); each gets an interval, in that order. The interval is Wilson's with the
    number of independent trials that would have the variance of the figure, with Student's t. `most` is how many
    independent trials there can be, for one or all figures; it decides where all clusters agree, as at 0 and 1.
    A figure that is not a number has None as its interval.

    >>> hits_and_trials = [(1, 2), (2, 2), (0, 2), (2, 2)] * 25
    >>> [(low, high)] = jackknife(hits_and_trials, lambda total: total[:, :1] / total[:, 1:], 100)
    >>> 0.5 < low < 0.625 < high < 0.75
    True
    >>> jackknife([(1, 1)] * 20, lambda total: total[:, :1] / total[:, 1:], 20) == [wilson(1.0, 20)]
    True
    """
    rows = numpy.asarray(sums, dtype=numpy.float64)
    total = rows.sum(axis=0, keepdims=True)
    with numpy.errstate(divide="ignore", invalid="ignore"):  # without one cluster, a slice can be empty
        whole = figure(total).reshape(-1)
        parts = figure(total - rows).reshape(len(rows), -1)  # (clusters, figures)
    bounds = numpy.broadcast_to(numpy.asarray(most, dtype=numpy.float64), whole.shape)
    return [
        _interval(float(value), part, float(bound)) if isfinite(value) and bound > 0 else None
        for value, part, bound in zip(whole, parts.T, bounds, strict=True)
    ]


def _interval(value: float, parts: Floats, most: float) -> Interval:
    known = parts[numpy.isfinite(parts)]
    value, trials = min(max(value, 0.0), 1.0), most
    moved = known - known.mean() if len(known) else known
    variance = float((moved * moved).sum()) * (len(known) - 1) / max(len(known), 1)
    if variance > 1e-18 and 0 < value < 1:
        freedom = freedom_of(moved / numpy.abs(moved).max(), LEAST_FREEDOM)
        trials = min(most, value * (1 - value) / variance * (Z95 / student_95(freedom)) ** 2)
    return wilson(value, trials)
