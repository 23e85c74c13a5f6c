"""Logistic regression by Newton's method, with standard errors clustered by source pair."""

from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import Bools, Floats, Ints

STEPS = 50
"""Newton's method needs fewer than ten, unless there is no solution."""

LEAST = 1e-12
"""A variance below this is a rounding error: the clusters say nothing about the coefficient."""

CLOSE = 1e-10
"""A step shorter than this is the last."""

COLLINEAR = 1e-8
"""A column of which less than this share is left when the columns before it are taken out adds nothing."""

FAR = 30.0
"""Log odds beyond this are only reached if there is no solution."""


class Fit(NamedTuple):
    """The coefficients that fit best."""

    values: Floats
    """(columns,) Changes in log odds."""
    covariance: Floats
    """(columns, columns) Of the coefficients, clustered."""

    @property
    def errors(self) -> Floats:
        """(columns,) Standard errors; NaN where the clusters say nothing about a coefficient."""
        variance = numpy.diag(self.covariance)
        return numpy.sqrt(numpy.where(variance > LEAST, variance, numpy.nan))


def fit_logistic(columns: Floats, outcome: Bools, cluster: Ints) -> Fit | None:
    """Fit (cases, columns) to outcomes, (cases,); None if there is no solution, because the outcomes are separated.

    The covariance is the sandwich of Liang and Zeger (1986), corrected for the number of clusters and columns.

    >>> x = numpy.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    >>> fit_logistic(x, numpy.array([True, False, True, False]), numpy.arange(4)).values.round(6).tolist()
    [0.0, 0.0]
    >>> fit_logistic(x, numpy.array([True, True, False, False]), numpy.arange(4)) is None
    True
    """
    values = numpy.zeros(columns.shape[1])
    for _ in range(STEPS):
        likely = _likely(columns @ values)
        weight = likely * (1 - likely)
        information = columns.T @ (columns * weight[:, None])
        try:
            step = numpy.linalg.solve(information, columns.T @ (outcome - likely))
        except numpy.linalg.LinAlgError:
            return None
        values = values + step
        if not numpy.isfinite(values).all() or numpy.abs(columns @ values).max() > FAR:
            return None
        if numpy.abs(step).max() < CLOSE:
            return Fit(values, _clustered(columns, outcome - _likely(columns @ values), cluster, values))
    return None


def independent(columns: Floats) -> list[int]:
    """The indices of columns that are no linear combination of those before them, from left to right.

    >>> independent(numpy.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0], [1.0, 2.0, 0.0]]))
    [0, 2]
    """
    basis: list[Floats] = []
    kept = []
    for index, column in enumerate(columns.T):
        rest = column.astype(float)
        for _ in range(2):  # twice, because once leaves rounding errors
            for each in basis:
                rest = rest - (rest @ each) * each
        size = numpy.linalg.norm(rest)
        if size > COLLINEAR * max(float(numpy.linalg.norm(column)), 1e-300):
            basis.append(rest / size)
            kept.append(index)
    return kept


def _likely(odds: Floats) -> Floats:
    return 1 / (1 + numpy.exp(-odds))


def _clustered(columns: Floats, residual: Floats, cluster: Ints, values: Floats) -> Floats:
    likely = _likely(columns @ values)
    bread = numpy.linalg.inv(columns.T @ (columns * (likely * (1 - likely))[:, None]))
    place = numpy.unique(cluster, return_inverse=True)[1]
    clusters, (n, k) = int(place.max()) + 1, columns.shape
    scores = numpy.stack([numpy.bincount(place, column * residual, clusters) for column in columns.T], axis=1)
    scale = clusters / (clusters - 1) * (n - 1) / (n - k) if clusters > 1 and n > k else numpy.nan
    return numpy.asarray(bread @ (scores.T @ scores) @ bread * scale)
