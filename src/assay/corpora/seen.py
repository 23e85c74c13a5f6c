"""Remembers which ids were seen, at eight bytes each."""

from array import array


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
        key = hash(name) & 0xFFFFFFFFFFFFFFFF or 1
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

    def _resize(self, size: int) -> None:
        self._table = array("Q", [0]) * size
        self._mask = size - 1

    def _insert(self, key: int) -> bool:
        table, mask = self._table, self._mask
        place = key & mask
        while held := table[place]:
            if held == key:
                return False
            place = (place + 1) & mask
        table[place] = key
        return True
