"""Simulated answers that come in clusters: whether each is right, drawn in several ways."""

import numpy
from numpy.typing import NDArray

Ints = NDArray[numpy.int64]

SIZES: dict[str, Ints] = {
    "4 clusters of 10": numpy.full(4, 10),
    "10 clusters of 8": numpy.full(10, 8),
    "25 clusters of 8": numpy.full(25, 8),
    "32 clusters of 1 to 8": numpy.tile(numpy.arange(1, 9), 4),
    "20 clusters of 2": numpy.full(20, 2),
    "20 clusters of 5": numpy.full(20, 5),
    "200 clusters of 3": numpy.full(200, 3),
    "118 clusters, 9 in 10 of 1, others of 8": numpy.array([1] * 106 + [8] * 12),
    "1,176 clusters, 9 in 10 of 1, others of 8": numpy.array([1] * 1058 + [8] * 118),
    "100 of 1 and 2 of 50": numpy.array([1] * 100 + [50] * 2),
    "100 of 1 and 1 of 200": numpy.array([1] * 100 + [200]),
    "100 of 1 and 2 of 100": numpy.array([1] * 100 + [100] * 2),
    "60 clusters of 100, 50, 33, ... 1": numpy.maximum(1, 100 // numpy.arange(1, 61)),
    "330 clusters, 10 in 11 of 1, others of 8": numpy.array([1] * 300 + [8] * 30),
    "100 clusters of 1 to 20": numpy.tile(numpy.arange(1, 21), 5),
    "180 clusters of 1, 2, 4, 8 or 16": numpy.tile([1, 1, 1, 1, 2, 2, 4, 8, 16], 20),
    "525 clusters, 20 in 21 of 1, others of 20": numpy.array([1] * 500 + [20] * 25),
    "8 clusters of 25": numpy.full(8, 25),
    "50 clusters of 2": numpy.full(50, 2),
    "60 of 1 and 3 of 30": numpy.array([1] * 60 + [30] * 3),
    "60 of 1 and 4 of 60": numpy.array([1] * 60 + [60] * 4),
    "300 clusters of 1": numpy.ones(300, dtype=numpy.int64),
}


def draw_hits(rng: numpy.random.Generator, sizes: Ints, *, accuracy: float, alike: float, noise: str) -> Ints:
    """The right answers of each cluster; `alike` is the correlation of answers in a cluster.

    The noise is `beta` (each cluster has an accuracy of its own) or `whole` (some clusters are all right or wrong).
    """
    if not alike:
        return rng.binomial(sizes, accuracy)
    if noise == "beta":
        spread = (1 - alike) / alike
        return rng.binomial(sizes, rng.beta(accuracy * spread, (1 - accuracy) * spread, len(sizes)))
    whole = rng.random(len(sizes)) < alike
    return rng.binomial(sizes, numpy.where(whole, rng.random(len(sizes)) < accuracy, accuracy))
