"""Fingerprints of pairs: equal for equal texts, and alike for texts that are alike (MinHash, Broder 1997)."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.audit.audit_result import Repeated, TrainingOverlap
from assay.evaluate.surface_shortcuts import LabelledFolds

BANDS, ROWS = 16, 4
"""A pair is compared with those that share all values of a band: this finds 99% of the pairs that are 70% alike."""
LONGEST = 1_000  # largest number of words of a text that are looked at

_DRAWN = np.random.default_rng(1997).integers(1, 1 << 63, size=(2, BANDS * ROWS), dtype=np.uint64)
_FACTORS, _TERMS = _DRAWN[0] | np.uint64(1), _DRAWN[1]


class PairTokenSets(NamedTuple):
    """A pair as its tokens, in lower case and without punctuation."""

    premise: Sequence[str]
    hypothesis: Sequence[str]
    template: str  # both texts without their content words


class Prints(NamedTuple):
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
        start = int(self.ends[row - 1, 1]) if row else 0
        middle, end = self.ends[row].tolist()
        return frozenset(self.shingles[start:middle].tolist()), frozenset(self.shingles[middle:end].tolist())


def prints_of(pairs: Iterable[PairTokenSets]) -> Prints:
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


def join_prints(parts: Sequence[Prints]) -> Prints:
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


ALIKE = 0.7
"""Pairs are nearly equal if their premises share this much of their words and neighbouring words, and their
hypotheses too: in a text of ten words one may be another, in a text of five hardly any."""
HOPEFUL = 0.5  # pairs whose signatures agree less are not compared word by word
TOGETHER = 8  # with how many pairs of the same band a training pair is compared
AT_ONCE = 1 << 16  # largest number of candidates that are compared at a time

Places = NDArray[np.int_]


def find_repeated(prints: Prints, labelled: LabelledFolds) -> Repeated:
    """Find the cases and texts that occur more than once.

    Near duplicates only count between different source pairs with the same label: the others are contrasts.
    """
    _, first, place = np.unique(prints.exact, return_index=True, return_inverse=True)
    earlier = first[place]
    is_exact = earlier != np.arange(len(prints))
    label_of, cluster_of = labelled.label_of, labelled.cluster_of
    one, other = _neighbours(prints)
    wanted = (cluster_of[one] != cluster_of[other]) & (label_of[one] == label_of[other])
    wanted &= (prints.exact[one] != prints.exact[other]) & ~is_exact[other]
    near = {later for _, later in nearly_equal(prints, one[wanted], prints, other[wanted])}
    return Repeated(
        exact=int(is_exact.sum()),
        conflicting=int((is_exact & (label_of != label_of[earlier])).sum()),
        near=len(near),
        templates=len(np.unique(prints.template)),
    )


def _neighbours(prints: Prints) -> tuple[Places, Places]:
    """Candidates: each pair with the one before it and the first one that share a band, the earlier one first."""
    n = len(prints)
    keys = []
    for band in prints.bands:
        order = np.argsort(band, kind="stable")
        is_same = band[order][1:] == band[order][:-1]
        starts = np.maximum.accumulate(np.where(np.concatenate(([False], is_same)), 0, np.arange(n)))
        keys += [(before * n + order[1:])[is_same] for before in (order[:-1], order[starts[1:]])]
    found = np.unique(np.concatenate(keys))
    return found // n, found % n


def nearly_equal(ours: Prints, one: Places, theirs: Prints, other: Places) -> Iterator[tuple[int, int]]:
    for start in range(0, len(one), AT_ONCE):
        left, right = one[start : start + AT_ONCE], other[start : start + AT_ONCE]
        agreed = np.mean(ours.signature[left] == theirs.signature[right], axis=1) >= HOPEFUL
        for row, place in zip(left[agreed].tolist(), right[agreed].tolist(), strict=True):
            if all(map(_are_alike, ours.sides(row), theirs.sides(place))):
                yield row, place


def _are_alike(one: frozenset[int], other: frozenset[int]) -> bool:
    shared = len(one & other)
    return shared >= ALIKE * (len(one) + len(other) - shared)


class Index:
    """An index of the audited cases, in which the pairs of a training corpus are looked up."""

    def __init__(self, prints: Prints) -> None:
        self.prints = prints
        bands = prints.bands
        self._orders = [np.argsort(band, kind="stable") for band in bands]
        self._sorted = [band[order] for band, order in zip(bands, self._orders, strict=True)]

    def overlap(self, name: str, training: Iterable[Prints]) -> TrainingOverlap:
        """The overlap of the cases and a training corpus, which comes in batches."""
        prints = self.prints
        exact, near, template, premise = np.zeros((4, len(prints)), dtype=bool)
        pairs = of_training = 0
        for batch in training:
            pairs += len(batch)
            is_exact = np.isin(batch.exact, prints.exact)
            exact |= np.isin(prints.exact, batch.exact)
            premise |= np.isin(prints.premise, batch.premise)
            template |= np.isin(prints.template, batch.template)
            found = [*nearly_equal(prints, *self._candidates(batch))]
            near[[case for case, _ in found]] = True
            is_exact[[pair for _, pair in found]] = True
            of_training += int(is_exact.sum())
        return TrainingOverlap(
            name=name,
            pairs=pairs,
            cases=len(prints),
            exact=int(exact.sum()),
            near=int((near & ~exact).sum()),
            template=int((template | exact).sum()),
            premise=int(premise.sum()),
            of_training=of_training,
        )

    def _candidates(self, batch: Prints) -> tuple[Places, Prints, Places]:
        """Cases and training pairs that share a band."""
        keys = []
        for band, order, values in zip(batch.bands, self._orders, self._sorted, strict=True):
            start, end = np.searchsorted(values, band, "left"), np.searchsorted(values, band, "right")
            for step in range(TOGETHER):
                found = np.flatnonzero(start + step < end)
                keys.append(order[start[found] + step] * len(batch) + found)
        met = np.unique(np.concatenate(keys))
        return met // len(batch), batch, met % len(batch)
