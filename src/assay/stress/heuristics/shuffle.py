"""Counter-based random numbers: the n-th number of a key is the same everywhere, and needs none of the others."""

import hashlib
from math import isqrt

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Bits = NDArray[np.uint64]

ROUNDS = 4
"""Of the shuffle."""

_HALF = np.uint64(32)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def shuffled(start: int, stop: int, *, size: int, key: str) -> Numbers:
    """Places `start` to `stop` of the numbers below `size`, in an order that the key decides.

    A Feistel network on the next square; what falls outside is sent through again. Any part of the order can be
    computed without the rest, and only integers are used: the same numbers everywhere.

    >>> sorted(shuffled(0, 10, size=10, key="k").tolist()) == list(range(10))
    True
    >>> shuffled(2, 5, size=10, key="k").tolist() == shuffled(0, 10, size=10, key="k").tolist()[2:5]
    True
    """
    side, above = np.uint64(isqrt(size - 1) + 1), np.uint64(size)  # a side is at most 2**32, as sizes fit into 64 bits
    keys = np.frombuffer(hashlib.blake2b(key.encode(), digest_size=8 * ROUNDS).digest(), dtype="<u8")
    numbers = _sent_through(np.arange(start, stop, dtype=np.uint64), keys, side)
    while (outside := np.flatnonzero(numbers >= above)).size:
        numbers[outside] = _sent_through(numbers[outside], keys, side)
    return numbers.view(np.int64)


def _sent_through(numbers: Bits, keys: Bits, side: np.uint64) -> Bits:
    left = numbers // side
    right = numbers - left * side
    for key in keys:
        added = left + (((right ^ key) * _ODD >> _HALF) * side >> _HALF)  # less than twice the side
        left, right = (
            right,
            np.minimum(added, added - side),
        )  # what would be below 0 wraps around to the highest numbers
    return left * side + right


def chances(count: int, *, key: str) -> NDArray[np.float64]:
    """Random numbers above 0 and at most 1.

    >>> bool((chances(1000, key="k") > 0).all()), round(float(chances(1000, key="k").mean()), 1)
    (True, 0.5)
    """
    start = np.uint64(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
    numbers = start + np.arange(count, dtype=np.uint64) * _ODD
    return ((_mixed(numbers) >> np.uint64(11)).astype(np.float64) + 1) / (1 << 53)


def _mixed(numbers: Bits) -> Bits:
    """Bits that look random, the higher ones most (after SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
