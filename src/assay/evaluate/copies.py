"""Stressed copies against the pairs that they were made of: what is lost on the way, and what holds on both sides."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from assay.core.case import ORIGINAL, Case
from assay.core.estimate import Estimate
from assay.evaluate.interval import ClusteredShare
from assay.evaluate.paired import PairedShares

Key = tuple[tuple[str, str], ...]


class Copy(NamedTuple):
    """A case that was made of a pair."""

    keys: tuple[Key, ...]
    """The slices that it belongs to."""
    right: bool
    """Whether the answer is the label."""
    is_same: bool
    """Whether the label is the pair's own and is claimed: whoever is right on the pair should be right here."""


class Asked(NamedTuple):
    """A copy beside the pair that it was made of."""

    copy: Copy
    """The copy."""
    source: bool
    """Whether the answer to the pair is right."""


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
        self._root: str | None = None
        self._origin: str | None = None
        self._source: bool | None = None
        self._copies: list[Copy] = []
        self._cluster: list[Asked] = []

    def add(self, case: Case, right: bool) -> None:
        """Count one answer."""
        if case.origin != self._origin:
            self._close_origin()
            self._origin = case.origin
        if case.root != self._root:
            self._close_cluster()
            self._root = case.root
        if case.family == ORIGINAL:
            self._source = right
        else:
            stays = case.provenance.edit.label is None
            self._copies.append(Copy(tuple(_keys(case, stays)), right, stays and case.expects == "label"))

    def estimates(self) -> list[Estimate]:
        """Every slice's figures, in the order in which the slices appeared."""
        self._close_origin()
        self._close_cluster()
        return [estimate for key in self._pairs for estimate in self._estimates(key)]

    def _close_origin(self) -> None:
        """Pair the last origin's copies with their source, if that was asked."""
        if self._source is not None:
            self._cluster += [Asked(copy, self._source) for copy in self._copies]
        self._source = None
        self._copies = []

    def _close_cluster(self) -> None:
        """Count the copies of the last root together: a suite that was swapped has several origins of one root."""
        for key in dict.fromkeys(key for copy, _ in self._cluster for key in copy.keys):
            asked = [each for each in self._cluster if key in each.copy.keys]
            both = sum(copy.right and source for copy, source in asked)
            self._pairs.setdefault(key, PairedShares()).add(
                both=both,
                only_first=sum(source and not copy.right for copy, source in asked),
                only_second=sum(copy.right and not source for copy, source in asked),
                trials=len(asked),
            )
            if all(copy.is_same for copy, _ in asked):
                self._both[key].add(both, len(asked))
        self._cluster = []

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
