"""Comparisons of models in the terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType

from assay.core.results.comparison import Comparisons
from assay.core.run import RunRecord
from assay.reports.tables.comparison import comparison_parts
from assay.reports.tables.trend import trend_sheet
from assay.reports.write.terminal.tables import line, shown

SEVERAL = 2
"""Two runs are compared, more than these have a trend."""


def comparison_summary(found: Comparisons, runs: Sequence[RunRecord] = ()) -> RenderableType:
    """Each pair of models as a table, then the bands, the trend over three runs or more, and notes."""
    trend = trend_sheet(runs) if len(runs) > SEVERAL else None
    over_time = [trend] if trend is not None and trend.rows else []
    return Group(
        shown([*comparison_parts(found), *over_time]), *(line(f"note: {note}", "yellow") for note in found.notes)
    )
