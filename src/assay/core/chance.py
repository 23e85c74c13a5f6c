"""Chance, keyed by identity: any worker, in any order, makes the same edit."""

import hashlib
from random import Random

MANTISSA = 2**53 - 1
"""The bits of a float that are drawn."""
UNBEGUN = -1
"""Bits left when nothing was drawn for a pair yet."""


class KeyedRandom(Random):
    """The random numbers of one transform, keyed anew for each pair: the digests of the key, counted.

    Seeding the standard generator costs more than most edits; a digest gives all that an edit draws at once.

    >>> rng = KeyedRandom(7, transform="negation/v1")
    >>> first = rng.keyed("pair-1").random()
    >>> _ = rng.keyed("pair-2").random()
    >>> rng.keyed("pair-1").random() == first
    True
    """

    def __init__(self, seed: int, *, transform: str) -> None:
        self._prefix = f"{seed}\0{transform}\0".encode()
        self._begun = hashlib.blake2b(self._prefix)
        self._pool = self._count = 0
        self.keyed("")
        super().__init__(0)

    def keyed(self, pair: str) -> "KeyedRandom":
        """The generator for a pair."""
        self._pair = pair
        self._left = UNBEGUN
        self.gauss_next = None
        return self

    def random(self) -> float:
        left = self._left
        if left < 53:
            left = self._filled(53)
        pool = self._pool
        self._pool = pool >> 53
        self._left = left - 53
        return (pool & MANTISSA) * 2**-53

    def getrandbits(self, k: int, /) -> int:
        left = self._left
        if left < k:
            left = self._filled(k)
        drawn = self._pool & ((1 << k) - 1)
        self._pool >>= k
        self._left = left - k
        return drawn

    def _filled(self, bits: int) -> int:
        """Add digests until there are so many bits; how many there are then."""
        left = self._left
        if left < 0:
            digest = self._begun.copy()  # the same as a salt of 0, and faster
            digest.update(self._pair.encode())
            self._pool = int.from_bytes(digest.digest(), "big")
            left, self._count = 512, 1
        while left < bits:
            digest = hashlib.blake2b(self._prefix, salt=self._count.to_bytes(16, "big"))
            digest.update(self._pair.encode())
            self._pool |= int.from_bytes(digest.digest(), "big") << left
            left += 512
            self._count += 1
        return left


def rng_for(seed: int, *, transform: str, pair: str) -> Random:
    """The random numbers of one transform on one pair.

    >>> rng_for(7, transform="t/v1", pair="1").random() == rng_for(7, transform="t/v1", pair="1").random()
    True
    """
    return KeyedRandom(seed, transform=transform).keyed(pair)
