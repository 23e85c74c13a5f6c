"""Chance, keyed by identity: any worker, in any order, makes the same edit."""

import hashlib
from random import Random

MANTISSA = 2**53 - 1
DIGEST = 512
HIGHEST = 1 << DIGEST  # the bit above those of a digest


class KeyedRandom(Random):
    """The random numbers of one transform, keyed for each pair: digests of the key and a counter.

    Seeding the standard generator costs more than most edits; one digest has enough bits for a typical edit.

    >>> rng = KeyedRandom(7, transform="negation/v1")
    >>> first = rng.keyed("pair-1").random()
    >>> _ = rng.keyed("pair-2").random()
    >>> rng.keyed("pair-1").random() == first
    True
    """

    def __init__(self, seed: int, *, transform: str) -> None:
        self._prefix = f"{seed}\0{transform}\0".encode()
        self._begun = hashlib.blake2b(self._prefix)
        self._count = 0
        self.keyed("")
        super().__init__(0)

    def keyed(self, pair: str) -> "KeyedRandom":
        self._pair = pair
        self._pool = 0  # the unused bits, below a 1 that marks how many there are; 0 before the first draw
        self.gauss_next = None
        return self

    def random(self) -> float:
        pool = self._pool
        if pool <= MANTISSA:
            pool = self._filled(53)
        self._pool = pool >> 53
        return (pool & MANTISSA) * 2**-53

    def getrandbits(self, k: int, /) -> int:
        pool = self._pool
        if pool >> k == 0:
            pool = self._filled(k)
        self._pool = pool >> k
        return pool & ((1 << k) - 1)

    def _filled(self, bits: int) -> int:
        """The pool, with digests added until it has `bits` bits."""
        pool = self._pool
        if not pool:
            digest = self._begun.copy()  # the same as a salt of 0, but faster
            digest.update(self._pair.encode())
            pool = int.from_bytes(digest.digest(), "big") | HIGHEST
            self._count = 1
            if bits <= DIGEST:
                return pool
        while pool >> bits == 0:
            digest = hashlib.blake2b(self._prefix, salt=self._count.to_bytes(16, "big"))
            digest.update(self._pair.encode())
            left = pool.bit_length() - 1
            pool += ((int.from_bytes(digest.digest(), "big") | HIGHEST) - 1) << left  # the marking 1 moves up
            self._count += 1
        return pool


def rng_for(seed: int, *, transform: str, pair: str) -> Random:
    """The random numbers of one transform on one pair.

    >>> rng_for(7, transform="t/v1", pair="1").random() == rng_for(7, transform="t/v1", pair="1").random()
    True
    """
    return KeyedRandom(seed, transform=transform).keyed(pair)
