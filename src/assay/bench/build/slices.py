"""Counts for the slices of a family, such as categories of words: cases by label, skips by reason."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Skip
from assay.core.pair import Pair
from assay.core.protocols import Sliced
from assay.core.suite import Slice

NOT_DRAWN = ""
"""The reason if nothing was wrong, but other cases of the pair were drawn."""


class Counted(NamedTuple):
    """A count of a slice."""

    family: str
    """The family that the slice belongs to."""
    slice: str
    """Its name."""
    made: bool
    """Whether cases are counted, or skips."""
    what: str
    """The cases' label, or the reason."""
    n: int
    """How many."""


class SliceTally:
    """Counts by family, slice, and label or reason."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, bool, str]] = Counter()

    def count(self, transform: Sliced, pair: Pair, made: Sequence[Case], proven: Sequence[Case | Skip]) -> None:
        """Count the slices of a pair: its cases, and those that the check refused."""
        family = transform.family
        names = [case.group[transform.slice_by] for case in made]
        for name, found in zip(names, proven, strict=True):
            what = found.reason if isinstance(found, Skip) else found.compared_with.value
            self._counts[family, name, isinstance(found, Case), what] += 1
        for name, skip in transform.slices_of(pair).items():
            if name not in names:
                self._counts[family, name, False, skip.reason if skip else NOT_DRAWN] += 1

    def add(self, counted: Iterable[Counted]) -> None:
        """Add the counts of another tally."""
        for family, name, made, what, n in counted:
            self._counts[family, name, made, what] += n

    def drop(self, family: str, name: str, *, label: str, reason: str) -> None:
        """Count a case as not made."""
        self._counts[family, name, True, label] -= 1
        self._counts[family, name, False, reason] += 1

    def counted(self) -> Iterator[Counted]:
        """All counts, for another tally."""
        return (Counted(*key, n) for key, n in self._counts.items())

    def of(self, transform: Sliced, *, pairs: int) -> dict[str, Slice]:
        """Every slice of a transform, by name; one that no pair could fill says so."""
        return {name: self._slice(transform, name, pairs) for name in transform.slices()}

    def _slice(self, transform: Sliced, name: str, pairs: int) -> Slice:
        here = sorted((key[2:], n) for key, n in self._counts.items() if key[:2] == (transform.family, name) and n)
        cases = {what: n for (made, what), n in here if made}
        skips = {what: n for (made, what), n in here if not made}
        not_drawn = skips.pop(NOT_DRAWN, 0)
        if not (cases or skips or not_drawn):
            skips = {transform.absent: pairs}
        return Slice(cases=cases, skips=skips, not_drawn=not_drawn)
