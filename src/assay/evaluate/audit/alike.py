"""Pairs that are equal or nearly equal: inside of a set of cases, and between it and a training corpus."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from assay.core.results.audit import Overlap, Repeated
from assay.evaluate.audit.prints import Prints
from assay.evaluate.shortcuts import Labelled

ALIKE = 0.7
"""Pairs are nearly equal if their premises share this much of their words and neighbouring words, and their
hypotheses too: in a text of ten words one may be another, in a text of five hardly any."""
HOPEFUL = 0.5
"""Pairs whose signatures agree less are not compared word by word."""
TOGETHER = 8
"""With how many pairs of the same band a training pair is compared."""
AT_ONCE = 1 << 16
"""How many candidates are compared at a time."""

Places = NDArray[np.int_]


def find_repeated(prints: Prints, labelled: Labelled) -> Repeated:
    """What is in a set of cases more than once.

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
    """Those of the candidates that are nearly equal."""
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
    """The audited cases, in which the pairs of a training corpus are looked up."""

    def __init__(self, prints: Prints) -> None:
        self.prints = prints
        bands = prints.bands
        self._orders = [np.argsort(band, kind="stable") for band in bands]
        self._sorted = [band[order] for band, order in zip(bands, self._orders, strict=True)]

    def overlap(self, name: str, training: Iterable[Prints]) -> Overlap:
        """What the cases have in common with a training corpus, which comes in batches."""
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
        return Overlap(
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
