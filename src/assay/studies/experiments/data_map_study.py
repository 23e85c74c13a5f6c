"""Data maps: how the pairs of a training were learned, as a table by label and as a chart."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from assay.core.errors import BadInputError
from assay.reports.charts.vegalite import COLOURS, Spec, chart_of
from assay.reports.tables.sheet import Part, plain_sheet
from assay.training.data_map import Mapped, read_map

MOST_POINTS = 4_000
"""Pairs that are drawn; of more, every second, third and so on."""

ALL = "all"


class Learned(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the pairs of one label."""

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
        labels={name: _mean_dynamics(some) for name, some in by_label.items()},
        points=rows[:: -(-len(rows) // MOST_POINTS)],
    )


def _mean_dynamics(rows: Sequence[Mapped]) -> Learned:
    return Learned(
        pairs=len(rows),
        confidence=fmean(row.confidence or 0.0 for row in rows),
        variability=fmean(row.variability or 0.0 for row in rows),
        correctness=fmean(row.correctness or 0.0 for row in rows),
        forgotten=sum(row.forgotten for row in rows),
    )


def map_parts(found: MapStudy) -> list[Part]:
    """The training of pairs by label, as a table."""
    rows = [
        {
            "label": name,
            "pairs": f"{each.pairs:,}",
            "confidence": f"{each.confidence:.3f}",
            "variability": f"{each.variability:.3f}",
            "correctness": f"{100 * each.correctness:.1f}%",
            "forgotten": f"{each.forgotten:,}",
        }
        for name, each in found.labels.items()
    ]
    return [
        f"How {found.folder} learned its training pairs",
        plain_sheet(rows, figures=["pairs", "confidence", "variability", "correctness", "forgotten"]),
        "Confidence: mean probability of what is right, over the epochs. Variability: its standard deviation.",
        "Correctness: share of epochs with the right answer. Forgotten: right and wrong later, or never right.",
    ]


SIDE = 480
"""Height of the chart."""


def map_chart(found: MapStudy) -> Spec:
    """Pairs by variability and confidence."""
    rows = [
        {name: getattr(point, name) for name in ("id", "label", "confidence", "variability", "correctness")}
        for point in found.points
    ]
    share = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    encoding = {
        "x": {"field": "variability", "type": "quantitative", "title": "variability: ambiguous pairs are on the right"},
        "y": {"field": "confidence", **share, "title": "confidence: easy pairs are on top, hard ones below"},
        "color": {
            "field": "correctness",
            **share,
            "scale": {"domain": [0, 1], "range": [COLOURS[1], "#c9c4b8", COLOURS[0]]},
            "legend": {"title": "correctness", "orient": "right", "format": ".0%", "columns": 1},
        },
    }
    mark = {"type": "point", "size": 14, "filled": True, "opacity": 0.6}
    return chart_of(rows, step=SIDE, places=1) | {"height": SIDE, "mark": mark, "encoding": encoding}
