"""The parts of the page: what each is about, its charts, its heatmaps, and the table behind them."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.reports.charts.chart import Chart
from assay.reports.charts.grid import Grid
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.sheets import sheets
from assay.reports.view import View

MOST_PRINTED = 40
"""Longer tables without a chart are not printed unless they were opened."""


class Part(NamedTuple):
    """A part of the page about one topic, which opens on demand."""

    name: str
    """Its address in the page."""
    title: str
    """Its heading."""
    about: str
    """What a reader finds in it, in a few words."""
    sheet: Sheet
    """The table."""
    charts: Sequence[Chart]
    """The charts."""
    grids: Sequence[Grid]
    """The heatmaps."""

    @property
    def is_drawn(self) -> bool:
        """Whether something is shown above the table, which is closed then."""
        return bool(self.charts or self.grids)

    @property
    def is_rare(self) -> bool:
        """Whether it is only a long table, or few readers need it: then it is not printed unless it was opened."""
        return self.name in ("related", "skips") or (not self.is_drawn and len(self.sheet.rows) > MOST_PRINTED)


ABOUT = {
    "accuracy": "every figure with its interval, and the change from the source pairs",
    "seeds": "how far the seeds of one system differ",
    "variants": "kinds of the same test",
    "swap": "what each label does when the two texts trade places",
    "heuristics": "where a heuristic gives the right answer, and where it does not",
    "subcases": "the constructions behind the heuristics",
    "categories": "what kind of word was replaced",
    "burial": "whether a model finds the sentence that decides, wherever it is in a long text",
    "severity": "the same test, stronger and stronger",
    "confusion": "what was answered instead",
    "calibration": "whether a model knows when it is wrong",
    "thresholds": "from which score on to believe a model, and what that costs",
    "fallbacks": "cases that a model could not judge",
    "shortcuts": "ways to answer without reading, and which models follow them",
    "moves": "how answers move from a pair to its edited copy",
    "errors": "odds of being wrong, by what can be seen of the cases",
    "versus": "errors that models share, and those that only one makes",
    "groups": "your own columns, such as genre",
    "slices": "cases that you chose in the browser",
    "published": "the papers' figures for the same tests",
    "related": "the papers' figures for similar tests on other data",
    "skips": "why some pairs gave no case",
}
"""What each part is about."""

DRAWN = {
    "accuracy": ("changes",),
    "swap": ("swap",),
    "heuristics": ("heuristics-",),
    "severity": ("severity-",),
    "confusion": ("confusion",),
    "calibration": ("confidence",),
    "thresholds": ("thresholds-",),
    "published": ("published",),
}
"""Which charts are above which table, by the beginning of their names."""

FIRST = ("shortcuts", "moves")
"""Parts that come before all others: they say why a model fails."""

LAST = ("published", "related", "skips")
"""Parts that come after the examples: few readers need them first."""


def parts(view: View, drawn: Sequence[Chart], heatmaps: Sequence[Grid]) -> list[Part]:
    """The parts that have something to show: why models fail, then the tables in their order."""
    return [
        Part(
            sheet.name,
            sheet.title,
            ABOUT.get(sheet.name, ""),
            sheet,
            [chart for chart in drawn if chart.name.startswith(DRAWN.get(sheet.name, ("\0",)))],
            [grid for grid in heatmaps if grid.name == sheet.name],
        )
        for sheet in sorted(sheets(view), key=lambda sheet: sheet.name not in FIRST)
    ]
