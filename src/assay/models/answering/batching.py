"""What is asked together: batches that depend only on sizes."""

from collections.abc import Sequence
from typing import NamedTuple


class Batch(NamedTuple):
    """Rows that are asked together."""

    rows: list[int]
    """Their indices among all rows."""
    width: int
    """The size of the largest."""


def batches(sizes: Sequence[int], budget: int) -> list[Batch]:
    """Rows of similar size together, the largest first, so that a model that runs out of memory does so at once.

    >>> batches([3, 9, 4, 8], budget=18)
    [Batch(rows=[1, 3], width=9), Batch(rows=[2, 0], width=4)]
    >>> batches([50], budget=18)
    [Batch(rows=[0], width=50)]
    """
    planned: list[Batch] = []
    for row in sorted(range(len(sizes)), key=lambda row: -sizes[row]):
        if not planned or (len(planned[-1].rows) + 1) * planned[-1].width > budget:
            planned.append(Batch([], sizes[row]))
        planned[-1].rows.append(row)
    return planned
