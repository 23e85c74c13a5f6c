"""How the pairs of a training were learned: figures by label, and points to draw."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from assay.bench.training.data_map import Mapped, read_map
from assay.core.errors import BadInputError

MOST_POINTS = 4_000
"""Pairs that are drawn; of more, every second, third and so on."""

ALL = "all"


class Learned(msgspec.Struct, frozen=True, kw_only=True):
    """How the pairs of one label were learned."""

    pairs: int
    """Pairs that an epoch had."""
    confidence: float
    """The mean of their confidence."""
    variability: float
    """The mean of their variability."""
    correctness: float
    """The mean of their correctness."""
    forgotten: int
    """Pairs that were right and became wrong later, or were never right."""


class MapStudy(msgspec.Struct, frozen=True, kw_only=True):
    """A data map, summed up."""

    folder: str
    """The trained system."""
    labels: dict[str, Learned]
    """By label, and for all of them."""
    points: list[Mapped]
    """Pairs to draw."""


def study_map(folder: Path) -> MapStudy:
    """Sum up the map in the folder of a trained system."""
    rows = [row for row in read_map(folder) if row.confidence is not None]
    if not rows:
        raise BadInputError("its data map is empty: no epoch was trained", where=str(folder))
    by_label: dict[str, list[Mapped]] = {ALL: rows}
    for row in rows:
        by_label.setdefault(row.label.value, []).append(row)
    return MapStudy(
        folder=folder.name,
        labels={name: _learned(some) for name, some in by_label.items()},
        points=rows[:: -(-len(rows) // MOST_POINTS)],
    )


def _learned(rows: Sequence[Mapped]) -> Learned:
    return Learned(
        pairs=len(rows),
        confidence=fmean(row.confidence or 0.0 for row in rows),
        variability=fmean(row.variability or 0.0 for row in rows),
        correctness=fmean(row.correctness or 0.0 for row in rows),
        forgotten=sum(row.forgotten for row in rows),
    )
