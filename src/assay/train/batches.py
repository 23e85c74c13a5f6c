"""Which pairs make a batch: similar lengths together, for little padding, in an order keyed by seed and epoch."""

import numpy
from numpy.typing import NDArray

STEP = 3
"""Premises whose lengths differ by less than this count as equally long, which makes batches more random."""


def batches(
    lengths: NDArray[numpy.int64],
    *,
    size: int,
    seed: int,
    epoch: int,
    buckets: bool = True,
    in_file_order: bool = False,
) -> list[NDArray[numpy.int64]]:
    """Every pair once, in batches; `lengths` is (pairs, 2).

    >>> lengths = numpy.array([[9, 3], [2, 2], [9, 4], [2, 1]])
    >>> sorted(sorted(rows.tolist()) for rows in batches(lengths, size=2, seed=0, epoch=0))
    [[0, 2], [1, 3]]
    """
    if not len(lengths):
        return []
    if in_file_order:
        return numpy.split(numpy.arange(len(lengths)), range(size, len(lengths), size))
    rng = numpy.random.default_rng([seed, epoch])
    order = rng.permutation(len(lengths))
    if buckets:
        shuffled = lengths[order]
        # A stable sort keeps equals in random order, so batches differ from epoch to epoch.
        order = order[numpy.lexsort((shuffled[:, 1], shuffled[:, 0] // STEP))]
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    return [cut[place] for place in rng.permutation(len(cut))]


def drawn(shares: NDArray[numpy.float64], *, seed: int, epoch: int) -> NDArray[numpy.int64]:
    """The pairs of an epoch, where each takes part with a chance of its own; one with a share of 2 takes part twice.

    >>> drawn(numpy.array([1.0, 0.0, 2.0]), seed=0, epoch=0).tolist()
    [0, 2, 2]
    """
    chance = numpy.random.default_rng([seed, epoch, 1]).random(len(shares))
    times = numpy.floor(shares) + (chance < shares % 1)
    return numpy.repeat(numpy.arange(len(shares)), times.astype(numpy.int64))


def padding(lengths: NDArray[numpy.int64], rows: list[NDArray[numpy.int64]]) -> float:
    """Share of places that are padding.

    >>> padding(numpy.array([[2, 2], [4, 4]]), [numpy.array([0, 1])])
    0.25
    """
    places = sum(int(lengths[batch].max(0).sum()) * len(batch) for batch in rows)
    return 1 - float(lengths.sum()) / places if places else 0.0
