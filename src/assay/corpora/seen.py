"""Remembers which ids and which texts were seen, at eight bytes each."""

from array import array
from collections import Counter
from collections.abc import Mapping

from assay.core.case import text_digest
from assay.core.label import Label
from assay.core.pair import Pair

SHOWN = 3
"""How many lines a note names."""

SAME = "an earlier pair and its label"
OTHER = "an earlier pair with another label"


class SeenIds:
    """A set of 64-bit hashes in one flat table, so that millions of ids take megabytes, not gigabytes.

    >>> seen = SeenIds()
    >>> seen.add("a"), seen.add("b"), seen.add("a")
    (True, True, False)
    """

    def __init__(self) -> None:
        self._count = 0
        self._resize(1 << 14)

    def add(self, name: str) -> bool:
        """Remember an id; False if it was there before."""
        key = _key(name)
        if not self._insert(key):
            return False
        self._count += 1
        if self._count * 3 > len(self._table) * 2:
            old = self._table
            self._resize(len(old) * 2)
            for key in old:
                if key:
                    self._insert(key)
        return True

    def __contains__(self, name: str) -> bool:
        return self._place(_key(name))[1]

    def _resize(self, size: int) -> None:
        self._table = array("Q", [0]) * size
        self._mask = size - 1

    def _insert(self, key: int) -> bool:
        place, there = self._place(key)
        self._table[place] = key
        return not there

    def _place(self, key: int) -> tuple[int, bool]:
        """Where a key is or belongs, and whether it is there."""
        table, mask = self._table, self._mask
        place = key & mask
        while held := table[place]:
            if held == key:
                return place, True
            place = (place + 1) & mask
        return place, False


class RepeatedPairs:
    """Counts pairs that were read before, with the same label or with another.

    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> repeated = RepeatedPairs()
    >>> for line in (2, 3, 4):
    ...     repeated.add(pair, line)
    >>> repeated.notes()
    ['2 pairs repeat an earlier pair and its label, in lines 3 and 4']
    """

    def __init__(self) -> None:
        self._seen = SeenIds()
        self._counts: Counter[str] = Counter()
        self._first: dict[str, list[int]] = {SAME: [], OTHER: []}

    def add(self, pair: Pair, line: int) -> None:
        """Remember the texts and the label of a pair."""
        texts = text_digest(pair.premise, pair.hypothesis)
        if not self._seen.add(texts + pair.label):
            kind = SAME
        elif any(texts + label in self._seen for label in Label if label is not pair.label):
            kind = OTHER
        else:
            return
        self._counts[kind] += 1
        if len(self._first[kind]) < SHOWN:
            self._first[kind].append(line)

    def notes(self) -> list[str]:
        """What a careful user should know, with the first lines."""
        found = []
        for kind, count in self._counts.items():
            *others, last = map(str, self._first[kind])
            lines = f"lines {', '.join(others)} and {last}" if others else f"line {last}"
            more = ", and in others" if count > SHOWN else ""
            found.append(f"{count:,} {'pairs repeat' if count > 1 else 'pair repeats'} {kind}, in {lines}{more}")
        return found


def one_class(labels: Mapping[str, int]) -> list[str]:
    """The note about a corpus in which every pair has the same label.

    >>> one_class({"neutral": 12})
    ['all 12 pairs have the label neutral, so a model that always gives this answer is right on all of them']
    """
    count = sum(labels.values())
    if len(labels) != 1 or count == 1:
        return []
    (label,) = labels
    return [
        f"all {count:,} pairs have the label {label}, so a model that always gives this answer is right on all of them"
    ]


def _key(name: str) -> int:
    return hash(name) & 0xFFFFFFFFFFFFFFFF or 1
