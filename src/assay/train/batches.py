"""Which pairs make a batch: similar lengths together, for little padding, in an order keyed by seed and epoch."""

import numpy
from numpy.typing import NDArray

MOST = 2**17
"""Places of a batch, padding included: one text of many thousand words would else make all others as long."""

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
    """Every pair once, in batches; `lengths` is (pairs, 2). A batch that is far too large is split.

    >>> lengths = numpy.array([[9, 3], [2, 2], [9, 4], [2, 1]])
    >>> sorted(sorted(rows.tolist()) for rows in batches(lengths, size=2, seed=0, epoch=0))
    [[0, 2], [1, 3]]
    """
    if not len(lengths):
        return []
    if in_file_order:
        return _split(numpy.split(numpy.arange(len(lengths)), range(size, len(lengths), size)), lengths)
    rng = numpy.random.default_rng([seed, epoch])
    order = rng.permutation(len(lengths))
    if buckets:
        shuffled = lengths[order]
        # A stable sort keeps equals in random order, so batches differ from epoch to epoch.
        order = order[numpy.lexsort((shuffled[:, 1], shuffled[:, 0] // STEP))]
    cut = _split([order[start : start + size] for start in range(0, len(order), size)], lengths)
    return [cut[place] for place in rng.permutation(len(cut))]


def _split(cut: list[NDArray[numpy.int64]], lengths: NDArray[numpy.int64]) -> list[NDArray[numpy.int64]]:
    """Halve batches until none has too many places, or only one pair.

    >>> lengths = numpy.array([[40_000, 9], [40_000, 9], [9, 9], [9, 9]])
    >>> [rows.tolist() for rows in _split([numpy.arange(4), numpy.array([2, 3])], lengths)]
    [[0, 1], [2, 3], [2, 3]]
    """
    found = []
    for rows in cut:
        if len(rows) > 1 and len(rows) * int(lengths[rows].max(0).sum()) > MOST:
            half = len(rows) // 2
            found += _split([rows[:half], rows[half:]], lengths)
        else:
            found.append(rows)
    return found


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
