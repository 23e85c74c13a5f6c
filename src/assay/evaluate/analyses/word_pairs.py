"""Accuracy by what is known about two words: cases with the same two words are one cluster."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy

from assay.core.results.estimate import Estimate
from assay.evaluate.analyses.shares import estimate_of
from assay.evaluate.count.columns import Bools, Ints
from assay.evaluate.interval import clustered_share

WordPair = tuple[str, str]
"""A word of the premise, and the one in its place in the hypothesis; both in lower case."""


class WordPairs:
    """Counts the cases of each word pair, and how many of them are hits, by row: a model, or several together.

    Memory grows with the number of distinct pairs, not of cases.

    >>> counted = WordPairs(1)
    >>> counted.add([("red", "blue"), ("red", "blue")], numpy.array([[True, False]]))
    >>> counted.table()
    WordTable(pairs=(('red', 'blue'),), trials=array([2]), hits=array([[1]]))
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._counts: dict[WordPair, list[int]] = {}

    def add(self, pairs: Iterable[WordPair], hits: Bools) -> None:
        """Count cases with their hits, (rows, cases)."""
        for pair, column in zip(pairs, hits.T.tolist(), strict=True):
            counts = self._counts.setdefault(pair, [0] * (self._rows + 1))
            counts[0] += 1
            for row, hit in enumerate(column, 1):
                counts[row] += hit

    def table(self) -> "WordTable":
        """What was counted."""
        counts = numpy.array([*self._counts.values()], dtype=numpy.int64).reshape(-1, self._rows + 1)
        return WordTable(tuple(self._counts), counts[:, 0], counts[:, 1:].T)


class WordTable(NamedTuple):
    """Word pairs with their cases and hits."""

    pairs: tuple[WordPair, ...]
    """The pairs."""
    trials: Ints
    """(pairs,) Cases."""
    hits: Ints
    """(rows, pairs) Cases that are hits."""


def by_group(
    table: WordTable, groups: Sequence[str | None], *, order: Sequence[str], rows: Sequence[Mapping[str, str]], by: str
) -> list[Estimate]:
    """For each row and group, the share of cases that are hits; `groups` has one name for each pair, or None.

    >>> table = WordTable((("red", "blue"), ("hot", "cold")), numpy.array([2, 4]), numpy.array([[1, 4]]))
    >>> found = by_group(table, ["near", "far"], order=("near", "far"), rows=[{"model": "m"}], by="similarity")
    >>> [(each.slice["similarity"], each.value, each.n) for each in found]
    [('near', 0.5, 2), ('far', 1.0, 4)]
    """
    found = []
    names = numpy.array([group or "" for group in groups], dtype=object)
    for where, hits in zip(rows, table.hits, strict=True):
        for name in order:
            there = names == name
            if there.any():
                share = clustered_share(hits[there], table.trials[there])
                found.append(estimate_of("accuracy", share, {**where, by: name}))
    return found


def sizes(groups: Sequence[str | None], *, order: Sequence[str], where: Mapping[str, str], by: str) -> list[Estimate]:
    """How many distinct word pairs each group has.

    >>> [(each.slice["cosine"], each.value) for each in sizes(["a", "a", None], order="ab", where={}, by="cosine")]
    [('a', 2.0)]
    """
    counts = Counter(groups)
    n = sum(count for group, count in counts.items() if group is not None)
    return [
        Estimate(name="pairs", value=float(counts[name]), n=n, slice={**where, by: name})
        for name in order
        if counts[name]
    ]
