"""Stressed copies against the pairs that they were made of: what is lost on the way, and what holds on both sides."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.evaluate.interval import ClusteredShare
from assay.evaluate.paired import PairedShares

ORIGINAL = "original"
"""The family of the source pairs."""

Key = tuple[tuple[str, str], ...]


class Copy(NamedTuple):
    """A case that was made of a pair."""

    keys: tuple[Key, ...]
    """The slices that it belongs to."""
    right: bool
    """Whether the answer is the label."""
    is_same: bool
    """Whether the label is the pair's own and is claimed: whoever is right on the pair should be right here."""


class Copies:
    """One model's answers to cases and to their source pairs, which stand together in a suite.

    By family, variant and severity it gives: the accuracy on the `source` pairs that cases were made of; the `drop`
    from there to the cases, with its interval, and McNemar's exact test of it; and, where the label stays,
    `consistency`, the share of copies that are answered rightly along with their source pair. Labels are told apart
    where they stay.

    >>> Copies(model="m", suite="s").estimates()
    []
    """

    def __init__(self, *, model: str, suite: str) -> None:
        self.where = {"model": model, "suite": suite}
        self._pairs: dict[Key, PairedShares] = {}
        self._both: defaultdict[Key, ClusteredShare] = defaultdict(ClusteredShare)
        self._origin: str | None = None
        self._source: bool | None = None
        self._copies: list[Copy] = []

    def add(self, case: Case, right: bool) -> None:
        """Count one answer."""
        if case.origin != self._origin:
            self._close()
            self._origin = case.origin
        if case.family == ORIGINAL:
            self._source = right
        else:
            stays = case.provenance.edit.label is None
            self._copies.append(Copy(tuple(_keys(case, stays)), right, stays and case.expects == "label"))

    def estimates(self) -> list[Estimate]:
        """Every slice's figures, in the order in which the slices appeared."""
        self._close()
        return [estimate for key in self._pairs for estimate in self._estimates(key)]

    def _close(self) -> None:
        """Pair the last origin's copies with their source, if that was asked."""
        if self._source is not None:
            for key in dict.fromkeys(key for copy in self._copies for key in copy.keys):
                copies = [copy for copy in self._copies if key in copy.keys]
                right = sum(copy.right for copy in copies)
                self._pairs.setdefault(key, PairedShares()).add(
                    both=right if self._source else 0,
                    only_first=len(copies) - right if self._source else 0,
                    only_second=0 if self._source else right,
                    trials=len(copies),
                )
                if all(copy.is_same for copy in copies):
                    self._both[key].add(right if self._source else 0, len(copies))
        self._source = None
        self._copies = []

    def _estimates(self, key: Key) -> Iterator[Estimate]:
        pairs, both = self._pairs[key], self._both.get(key)
        where = {**self.where, **dict(key)}
        yield Estimate(name="source", value=pairs.first, n=pairs.n, slice=where)
        low, high = pairs.interval or (None, None)
        yield Estimate(name="drop", value=pairs.difference, low=low, high=high, n=pairs.n, slice=where)
        yield Estimate(name="mcnemar", value=pairs.p, n=pairs.n, slice=where)
        if both and both.n == pairs.n:
            low, high = both.interval or (None, None)
            yield Estimate(name="consistency", value=both.value, low=low, high=high, n=both.n, slice=where)


def _keys(case: Case, stays: bool) -> Iterator[Key]:
    """The slices of a copy."""
    family = ("family", case.family)
    severity = case.group.get("severity")
    slices: list[Key] = [(family,)]
    if case.variant:
        slices.append((family, ("variant", case.variant)))
    if severity is not None:
        slices.append((family, ("severity", severity)))
    for each in slices:
        yield each
        if stays:
            yield (*each, ("label", case.label.value))
