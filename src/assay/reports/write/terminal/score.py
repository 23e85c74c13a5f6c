"""The score of a file of answers in the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType

from assay.core.label import LabelNames
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.reports.published.data import Origin
from assay.reports.tables.groups import group_sheet, groups_of
from assay.reports.view import View
from assay.reports.words import PLAIN, two_way_words
from assay.reports.write.terminal.run import findings_section, published_section, tables_shown
from assay.reports.write.terminal.tables import SheetTable, line

MOST_VALUES = 80
"""A group with more values than this is only in the machine-readable output."""


def score_summary(
    estimates: Sequence[Estimate],
    judgement: Judgement,
    origins: Mapping[str, Origin] | None = None,
    *,
    two_way: bool = False,
    names: LabelNames = PLAIN,
) -> RenderableType:
    """The figures of a file of answers: by family and label, then by every group."""
    in_two = frozenset(e.slice["suite"] for e in estimates) if two_way else frozenset[str]()
    view = View(estimates=list(estimates), judgement=judgement, origins=origins or {}, in_two=in_two, names=names)
    parts: list[RenderableType] = [line(two_way_words(names))] if two_way else []
    parts += tables_shown(view, ("accuracy", "swap", "severity", "calibration", "thresholds"))
    for name, values in groups_of(view).items():
        few = values <= MOST_VALUES
        said = line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [line(""), SheetTable(group_sheet(view, name, "", "")) if few else said]
    parts += [line(""), *tables_shown(view, ["confusion"])]
    return Group(*parts, *published_section(view), *findings_section(view))
