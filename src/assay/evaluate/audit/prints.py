"""Fingerprints of pairs: equal for equal texts, and alike for texts that are alike (MinHash, Broder 1997)."""

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BANDS, ROWS = 16, 4
"""A pair is compared with those that share all values of a band: it finds 99 % of what is 70 % alike."""
LONGEST = 1_000
"""How many words of a text are looked at."""

_DRAWN = np.random.default_rng(1997).integers(1, 1 << 63, size=(2, BANDS * ROWS), dtype=np.uint64)
_FACTORS, _TERMS = _DRAWN[0] | np.uint64(1), _DRAWN[1]


class Read(NamedTuple):
    """A pair as its tokens, in lower case and without punctuation."""

    premise: Sequence[str]
    """Tokens of the premise."""
    hypothesis: Sequence[str]
    """Tokens of the hypothesis."""
    template: str
    """Both texts without their content words."""


class Prints(NamedTuple):
    """Fingerprints of several pairs."""

    exact: NDArray[np.uint64]
    """(pairs,) The same for pairs with the same tokens."""
    premise: NDArray[np.uint64]
    """(pairs,) The same for premises with the same tokens."""
    template: NDArray[np.uint64]
    """(pairs,) The same for pairs with the same template."""
    signature: NDArray[np.uint32]
    """(pairs, bands * rows) Values that agree as often as the shingles of two pairs do."""
    shingles: NDArray[np.uint32]
    """(shingles of all pairs) Hashed words and neighbouring words, first of a premise, then of its hypothesis."""
    ends: NDArray[np.int_]
    """(pairs, 2) Where the shingles of a premise end, and where those of its hypothesis end."""

    def __len__(self) -> int:
        return len(self.exact)

    @property
    def bands(self) -> NDArray[np.uint64]:
        """(bands, pairs) The values of each band as one number."""
        mixed = self.signature.astype(np.uint64) * _FACTORS  # so that equal values in other rows don't cancel out
        return np.ascontiguousarray(mixed.reshape(len(self), BANDS, ROWS).sum(axis=2).T)

    def sides(self, row: int) -> tuple[frozenset[int], frozenset[int]]:
        """The shingles of a premise and of its hypothesis."""
        start = int(self.ends[row - 1, 1]) if row else 0
        middle, end = self.ends[row].tolist()
        return frozenset(self.shingles[start:middle].tolist()), frozenset(self.shingles[middle:end].tolist())


def prints_of(pairs: Iterable[Read]) -> Prints:
    """The fingerprints of some pairs."""
    keys: list[tuple[int, int, int]] = []
    shingles: list[int] = []
    ends: list[tuple[int, int]] = []
    for pair in pairs:
        premise, hypothesis = " ".join(pair.premise), " ".join(pair.hypothesis)
        keys.append((_key(f"{premise}\0{hypothesis}"), _key(premise), _key(pair.template)))
        shingles += _shingles(pair.premise, side=0)
        middle = len(shingles)
        shingles += _shingles(pair.hypothesis, side=1)
        ends.append((middle, len(shingles)))
    exact, premises, templates = np.array(keys, dtype=np.uint64).reshape(-1, 3).T
    found, bounds = np.array(shingles, dtype=np.uint32), np.array(ends, dtype=np.int_).reshape(-1, 2)
    return Prints(exact, premises, templates, _signature(found, bounds), found, bounds)


def joined(parts: Sequence[Prints]) -> Prints:
    """Several sets of fingerprints as one."""
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(each.shingles) for each in parts[:-1])])
    ends = [each.ends + start for each, start in zip(parts, before, strict=True)]
    return Prints(
        np.concatenate([each.exact for each in parts]),
        np.concatenate([each.premise for each in parts]),
        np.concatenate([each.template for each in parts]),
        np.concatenate([each.signature for each in parts]),
        np.concatenate([each.shingles for each in parts]),
        np.concatenate(ends),
    )


def _key(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _shingles(tokens: Sequence[str], *, side: int) -> set[int]:
    """Hashed words and neighbouring words, never none at all."""
    read = tokens[:LONGEST]
    found = {zlib.crc32(token.encode(), side) for token in read}
    found.update(zlib.crc32(f"{one} {other}".encode(), side) for one, other in pairwise(read))
    return found or {side}


def _signature(shingles: NDArray[np.uint32], ends: NDArray[np.int_]) -> NDArray[np.uint32]:
    """For each of many hash functions, the smallest value of a pair's shingles."""
    signature = np.empty((len(ends), BANDS * ROWS), dtype=np.uint32)
    if not len(ends):
        return signature
    starts = np.concatenate(([0], ends[:-1, 1]))
    wide = shingles.astype(np.uint64)
    for row, (factor, term) in enumerate(zip(_FACTORS, _TERMS, strict=True)):
        hashed = (wide * factor + term) >> np.uint64(32)  # the upper half of a product is well mixed
        signature[:, row] = np.minimum.reduceat(hashed, starts)
    return signature
