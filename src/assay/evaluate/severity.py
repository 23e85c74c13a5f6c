"""Severity: how accuracy falls as the same test grows stronger."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import ArrayLike, NDArray

from assay.core.estimate import Estimate

GROUP = "severity"
"""The slice that a ladder's rungs are told apart by."""


class Rung(NamedTuple):
    """One strength of a test."""

    severity: float
    """How strong."""
    accuracy: float
    """The share of right answers."""
    n: int
    """How many cases it rests on."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One model's way down a ladder."""

    slice: dict[str, str]
    """Model and family, and the label or variant where there is one."""
    rungs: tuple[Rung, ...]
    """From the weakest to the strongest."""
    area: float | None
    """The mean height under the curve, from 0 to 1; None for one rung alone."""


def curves(estimates: Iterable[Estimate]) -> list[Curve]:
    """The curves in a run's figures: accuracies that differ in nothing but severity.

    >>> def rung(severity: int, value: float) -> Estimate:
    ...     where = {"model": "m", "family": "spelling", "severity": str(severity)}
    ...     return Estimate(name="accuracy", value=value, n=9, slice=where)
    >>> [curve] = curves([rung(2, 0.5), rung(0, 1.0), rung(1, 0.75)])
    >>> [each.accuracy for each in curve.rungs], curve.area
    ([1.0, 0.75, 0.5], 0.75)
    """
    ladders: dict[tuple[tuple[str, str], ...], list[Rung]] = {}
    for e in estimates:
        if e.name == "accuracy" and GROUP in e.slice and e.value is not None:
            where = tuple((name, value) for name, value in e.slice.items() if name != GROUP)
            ladders.setdefault(where, []).append(Rung(float(e.slice[GROUP]), e.value, e.n))
    found = []
    for where, rungs in ladders.items():
        rungs.sort()
        height = area([each.severity for each in rungs], [each.accuracy for each in rungs])
        found.append(Curve(slice=dict(where), rungs=tuple(rungs), area=height))
    return found


def area(severities: ArrayLike, accuracies: ArrayLike) -> float | None:
    """The mean height under a curve: straight lines between its points, over the severities that it spans.

    >>> area([0, 1, 3], [1.0, 0.5, 0.5])
    0.5833333333333334
    >>> area([1], [0.5]) is None
    True
    """
    if len(numpy.atleast_1d(numpy.asarray(severities))) < 2:
        return None
    return float(areas(severities, accuracies))


def areas(severities: ArrayLike, accuracies: ArrayLike) -> NDArray[numpy.float64]:
    """The same for many curves, (..., severities), as a bootstrap draws them."""
    steps = numpy.diff(numpy.asarray(severities, dtype=numpy.float64))  # (severities - 1,)
    heights = numpy.asarray(accuracies, dtype=numpy.float64)
    middles = (heights[..., 1:] + heights[..., :-1]) / 2
    return numpy.asarray(middles @ steps / steps.sum())
