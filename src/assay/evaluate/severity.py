"""Severity: how accuracy falls as the same test gets stronger."""

import numpy
from numpy.typing import ArrayLike, NDArray


def areas(severities: ArrayLike, accuracies: ArrayLike) -> NDArray[numpy.float64]:
    """The mean height of each curve, (..., severities): straight lines between points, over the severities they span.

    >>> areas([0, 1, 3], [[1.0, 0.5, 0.5], [0.5, 0.5, 0.5]]).round(4).tolist()
    [0.5833, 0.5]
    """
    steps = numpy.diff(numpy.asarray(severities, dtype=numpy.float64))  # (severities - 1,)
    heights = numpy.asarray(accuracies, dtype=numpy.float64)
    middles = (heights[..., 1:] + heights[..., :-1]) / 2
    return numpy.asarray(middles @ steps / steps.sum())
