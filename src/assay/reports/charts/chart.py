"""What a chart is."""

from typing import NamedTuple

from assay.reports.charts.vegalite import Spec


class Chart(NamedTuple):
    """A chart, with a description for people who can't see it."""

    name: str
    """Short, for files and addresses."""
    title: str
    """What it shows."""
    told: str
    """How to read it."""
    spec: Spec
    """The chart itself."""
