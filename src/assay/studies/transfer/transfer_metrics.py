"""Numbers of a transfer task with their intervals; rows that share a text are resampled together."""

from collections.abc import Callable, Sequence

import numpy
from numpy.typing import NDArray

from assay.core.estimate import Estimate
from assay.evaluate.intervals import Draws, bootstrap, clustered_share, jackknife

Reals = NDArray[numpy.float64]
Ints = NDArray[numpy.int64]
Figure = Callable[[Reals], Reals]


def accuracy(predicted: Ints, classes: Ints, clusters: Sequence[str]) -> Estimate:
    """The fraction of right classes.

    >>> accuracy(numpy.array([0, 1, 1]), numpy.array([0, 1, 0]), ["a", "b", "c"]).value
    0.6666666666666666
    """
    right = (predicted == classes).astype(numpy.int64)
    codes = _cluster_codes(clusters)
    hits, trials = numpy.bincount(codes, right).astype(int), numpy.bincount(codes)
    share = clustered_share(hits, trials)
    low, high = share.interval or (None, None)
    return Estimate(name="accuracy", value=share.value, low=low, high=high, n=len(right))


def f1(predicted: Ints, classes: Ints, clusters: Sequence[str]) -> Estimate:
    """The harmonic mean of precision and recall of class 1.

    >>> f1(numpy.array([1, 1, 0]), numpy.array([1, 0, 1]), ["a", "b", "c"]).value
    0.5
    """
    counts = numpy.stack([predicted & classes, predicted, classes], 1).astype(numpy.float64)
    sums = _sum_by_cluster(counts, clusters)  # (clusters, 3): both, said, true

    def figure(total: Reals) -> Reals:
        found: Reals = 2 * total[..., :1] / (total[..., 1:2] + total[..., 2:])
        return found

    if not sums[:, 1:].any():
        return Estimate(name="f1", value=None, n=len(classes))
    value = float(figure(sums.sum(0))[0])
    (interval,) = jackknife(sums, figure, int((sums[:, 2] > 0).sum()))
    low, high = interval or (None, None)
    return Estimate(name="f1", value=value, low=low, high=high, n=len(classes))


def correlations(predicted: Reals, scores: Reals, clusters: Sequence[str]) -> list[Estimate]:
    """Pearson's and Spearman's correlation; for the interval of the latter, ranks stay as they are in the whole."""
    ranked = ranks(predicted), ranks(scores)
    pairs = {"pearson": (predicted, scores), "spearman": ranked}
    return [_correlation(name, one, two, clusters) for name, (one, two) in pairs.items()]


def pearson(one: Reals, two: Reals) -> float | None:
    """Pearson's correlation; None where one side does not vary.

    >>> round(pearson(numpy.array([1.0, 2, 3]), numpy.array([2.0, 4, 5])), 4)
    0.982
    """
    if not (numpy.ptp(one) and numpy.ptp(two)):
        return None
    return float(numpy.corrcoef(one, two)[0, 1])


def ranks(values: Reals) -> Reals:
    """Ranks from 1; equal values share their mean rank.

    >>> ranks(numpy.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, codes, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    ends = numpy.cumsum(counts)
    found: Reals = (ends - (counts - 1) / 2)[codes]
    return found


def _correlation(name: str, one: Reals, two: Reals, clusters: Sequence[str]) -> Estimate:
    if pearson(one, two) is None:
        return Estimate(name=name, value=None, n=len(one))
    one, two = one - one.mean(), two - two.mean()  # so that sums of squares lose no digits
    sums = _sum_by_cluster(numpy.stack([numpy.ones_like(one), one, two, one * one, two * two, one * two], 1), clusters)

    def figure(total: Reals) -> Reals:
        n, x, y, xx, yy, xy = numpy.moveaxis(total, -1, 0)
        found: Reals = (n * xy - x * y) / numpy.sqrt((n * xx - x * x) * (n * yy - y * y))
        return found[..., None]

    return _bootstrap_estimate(name, sums, figure, n=len(one))


def _bootstrap_estimate(name: str, sums: Reals, figure: Figure, *, n: int) -> Estimate:
    with numpy.errstate(divide="ignore", invalid="ignore"):
        value = float(figure(sums.sum(0))[..., 0])
    if not numpy.isfinite(value):
        return Estimate(name=name, value=None, n=n)
    (interval,) = bootstrap(sums, figure, Draws("transfer"))
    low, high = interval or (None, None)
    return Estimate(name=name, value=value, low=low, high=high, n=n)


def _sum_by_cluster(rows: Reals, clusters: Sequence[str]) -> Reals:
    """(clusters, columns)."""
    codes = _cluster_codes(clusters)
    found = numpy.zeros((codes.max() + 1, rows.shape[1]))
    numpy.add.at(found, codes, rows)
    return found


def _cluster_codes(clusters: Sequence[str]) -> Ints:
    known: dict[str, int] = {}
    return numpy.array([known.setdefault(each, len(known)) for each in clusters], dtype=numpy.int64)
