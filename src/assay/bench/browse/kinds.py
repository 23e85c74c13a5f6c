"""Kinds of cases: cases of one kind have the same value of every facet."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from assay.evaluate.count.columns import Ints

LARGEST = 1 << 62
"""The largest number that codes are mixed into."""


class Kinds(NamedTuple):
    """The kinds of some cases."""

    of_cases: Any
    """The kind of each case, by number."""
    table: Any
    """The codes of each kind, a row for each facet."""


def kinds_of(codes: Sequence[Any]) -> Kinds:
    """The kinds of cases, by the codes of each facet.

    >>> kinds = kinds_of([numpy.array([0, 1, 0, 1]), numpy.array([2, 2, 2, 0])])
    >>> kinds.of_cases.tolist(), kinds.table.tolist()
    ([0, 2, 0, 1], [[0, 1, 1], [2, 0, 2]])
    """
    mixed: Ints = numpy.zeros(len(codes[0]), dtype=numpy.int64)
    span = 1
    for column in codes:
        size = int(column.max(initial=0)) + 1
        if span * size > LARGEST:
            mixed = numpy.unique(mixed, return_inverse=True)[1]
            span = int(mixed.max(initial=0)) + 1
        mixed = mixed * size + column
        span *= size
    _, first, of_cases = numpy.unique(mixed, return_index=True, return_inverse=True)
    return Kinds(of_cases.astype(numpy.uint32), numpy.array([column[first] for column in codes], dtype=numpy.uint32))
