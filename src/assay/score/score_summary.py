"""The score of a file of answers in the terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType

from assay.core.estimate import Estimate
from assay.core.judgement import Judgement
from assay.core.label_space import THREE_LABELS, LabelNames, LabelSpace
from assay.reports.phrases import two_way_words
from assay.reports.published.published_results import ResultOrigin
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
    space: LabelSpace = THREE_LABELS,
) -> RenderableType:
    """The numbers of a file of answers: by family and label, then by every group."""
    names = LabelNames(space.names)
    view = ReportView(
        estimates=list(estimates),
        judgement=judgement,
        origins=origins or {},
        spaces={e.slice["suite"]: space for e in estimates},
        names=names,
    )
    parts: list[RenderableType] = [line(two_way_words(names))] if space.is_binary else []
    parts += tables_shown(view, ("accuracy", "swap", "severity", "calibration", "thresholds"))
    for name, values in groups_of(view).items():
        few = values <= MOST_VALUES
        said = line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [line(""), SheetTable(group_sheet(view, name, "", "")) if few else said]
    parts += [line(""), *tables_shown(view, ["confusion"])]
    return Group(*parts, *published_section(view), *findings_section(view))
