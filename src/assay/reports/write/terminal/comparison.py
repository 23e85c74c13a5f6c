"""Comparisons of models in the terminal."""

from rich.console import Group, RenderableType

from assay.core.results.comparison import Comparisons
from assay.reports.tables.comparison import comparison_parts
from assay.reports.write.terminal.tables import line, shown


def comparison_summary(found: Comparisons) -> RenderableType:
    """Each pair of models as a table, then the bands, then notes."""
    return Group(shown(comparison_parts(found)), *(line(f"note: {note}", "yellow") for note in found.notes))
