"""Chance, keyed by identity: any worker, in any order, makes the same edit."""

import hashlib
from random import Random


class KeyedRandom(Random):
    """The random numbers of one transform, keyed anew for each pair and seeded only when one is drawn.

    Seeding costs more than most edits, and many transforms draw nothing.

    >>> rng = KeyedRandom(7, transform="negation/v1")
    >>> first = rng.keyed("pair-1").random()
    >>> _ = rng.keyed("pair-2").random()
    >>> rng.keyed("pair-1").random() == first
    True
    """

    def __init__(self, seed: int, *, transform: str) -> None:
        self._prefix = f"{seed}\0{transform}\0"
        self._pending: str | None = ""
        super().__init__(0)

    def keyed(self, pair: str) -> "KeyedRandom":
        """The generator for a pair."""
        self._pending = pair
        self.gauss_next = None
        return self

    def random(self) -> float:
        self._settle()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self._settle()
        return super().getrandbits(k)

    def _settle(self) -> None:
        if self._pending is not None:
            key = hashlib.blake2b((self._prefix + self._pending).encode(), digest_size=16).digest()
            self._pending = None
            self.seed(int.from_bytes(key, "big"))


def rng_for(seed: int, *, transform: str, pair: str) -> Random:
    """The random numbers of one transform on one pair.

    >>> rng_for(7, transform="t/v1", pair="1").random() == rng_for(7, transform="t/v1", pair="1").random()
    True
    """
    return KeyedRandom(seed, transform=transform).keyed(pair)
