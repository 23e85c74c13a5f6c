"""The score of a file of answers in the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType

from assay.core.estimate import Estimate
from assay.core.judgement import Judgement
from assay.core.label import LabelNames
from assay.reports.phrases import PLAIN, two_way_words
from assay.reports.published.result_origin import ResultOrigin
from assay.reports.tables.group_tables import group_sheet, groups_of
from assay.reports.terminal.run_summary import findings_section, published_section, tables_shown
from assay.reports.terminal.terminal_tables import SheetTable, line
from assay.reports.view import ReportView

MOST_VALUES = 80
"""A group with more values than this is only in the machine-readable output."""


def score_summary(
    estimates: Sequence[Estimate],
    judgement: Judgement,
    origins: Mapping[str, ResultOrigin] | None = None,
    *,
    two_way: bool = False,
    names: LabelNames = PLAIN,
) -> RenderableType:
    """The figures of a file of answers: by family and label, then by every group."""
    in_two = frozenset(e.slice["suite"] for e in estimates) if two_way else frozenset[str]()
    view = ReportView(estimates=list(estimates), judgement=judgement, origins=origins or {}, in_two=in_two, names=names)
    parts: list[RenderableType] = [line(two_way_words(names))] if two_way else []
    parts += tables_shown(view, ("accuracy", "swap", "severity", "calibration", "thresholds"))
    for name, values in groups_of(view).items():
        few = values <= MOST_VALUES
        said = line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [line(""), SheetTable(group_sheet(view, name, "", "")) if few else said]
    parts += [line(""), *tables_shown(view, ["confusion"])]
    return Group(*parts, *published_section(view), *findings_section(view))
