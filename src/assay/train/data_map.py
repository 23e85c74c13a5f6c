"""Data maps: how each training pair was learned over the epochs (Swayamdipta et al. 2020; Toneva et al. 2019)."""

from typing import Literal, NamedTuple

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
Bools = NDArray[numpy.bool_]

Region = Literal["easy", "ambiguous", "hard"]


class DataMap(NamedTuple):
    """What is known of each pair, (pairs,) each."""

    confidence: Floats
    """The mean probability of what is right, over the epochs that had the pair; NaN if none had it."""
    variability: Floats
    """The standard deviation of that probability."""
    correctness: Floats
    """The share of epochs in which the answer was right."""
    is_forgotten: Bools
    """The answer was right and became wrong later, or was never right."""


def data_map(shares: Floats, hits: NDArray[numpy.int8]) -> DataMap:
    """From (pairs, epochs): probabilities of what is right, and answers: 1 right, 0 wrong, -1 not asked.

    >>> found = data_map(numpy.array([[0.9, 0.5], [0.2, 0.4]]), numpy.array([[1, 0], [0, 1]], dtype=numpy.int8))
    >>> found.confidence.round(6).tolist(), found.variability.round(6).tolist()
    ([0.7, 0.3], [0.2, 0.1])
    >>> found.correctness.tolist(), found.is_forgotten.tolist()
    ([0.5, 0.5], [True, False])
    """
    asked = hits >= 0
    times = asked.sum(1)
    with numpy.errstate(invalid="ignore"):
        confidence = numpy.where(asked, shares, 0.0).sum(1) / times
        apart = numpy.where(asked, shares - confidence[:, None], 0.0)
        variability = numpy.sqrt((apart**2).sum(1) / times)
        correctness = (hits == 1).sum(1) / times
    was_right = numpy.zeros(len(hits), dtype=bool)
    lost = numpy.zeros(len(hits), dtype=bool)
    for now in hits.T:
        lost |= was_right & (now == 0)
        was_right = numpy.where(now >= 0, now == 1, was_right)
    never = (times > 0) & ~(hits == 1).any(1)
    return DataMap(confidence, variability, correctness, lost | never)


def part_of(found: DataMap, region: Region, share: float) -> Bools:
    """(pairs,): the most ambiguous, hardest or easiest share of the pairs; pairs that no epoch had are left out.

    >>> some = numpy.array([0.9, 0.5, 0.1]), numpy.array([0.1, 0.4, 0.2])
    >>> found = DataMap(*some, correctness=some[0], is_forgotten=some[0] < 0)
    >>> [part_of(found, region, 0.34).tolist() for region in ("easy", "ambiguous", "hard")]
    [[True, False, False], [False, True, False], [False, False, True]]
    """
    rank = {"easy": -found.confidence, "ambiguous": -found.variability, "hard": found.confidence}[region]
    order = numpy.argsort(rank, kind="stable")  # what is not a number comes last
    known = int((~numpy.isnan(rank)).sum())
    chosen = numpy.zeros(len(rank), dtype=bool)
    chosen[order[: min(known, round(share * len(rank)))]] = True
    return chosen
