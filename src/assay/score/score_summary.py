"""The score of a file of answers in the terminal."""

from rich.console import Group, RenderableType

from assay.core.label_space import LabelNames
from assay.reports.phrases import two_way_words
from assay.reports.tables.group_tables import group_sheet, groups_of
from assay.reports.terminal.run_summary import findings_section, published_section, tables_shown
from assay.reports.terminal.terminal_tables import SheetTable, line
from assay.reports.view import ReportView
from assay.score.score_answers import Score

MOST_VALUES = 80  # a group with more values than this is only in the machine-readable output


def score_summary(score: Score) -> RenderableType:
    """The numbers of a file of answers: by family and label, then by every group."""
    space = score.label_space
    view = ReportView(
        estimates=list(score.estimates),
        judgement=score.judgement,
        origins=score.suites,
        spaces={e.slice["suite"]: space for e in score.estimates},
        names=LabelNames(space.names),
    )
    parts: list[RenderableType] = [line(two_way_words(view.names))] if space.is_binary else []
    parts += tables_shown(view, ("accuracy", "swap", "severity", "calibration", "thresholds"))
    for name, values in groups_of(view).items():
        few = values <= MOST_VALUES
        said = line(f"{name}: {values:,} values; --json lists them all", "dim")
        parts += [line(""), SheetTable(group_sheet(view, name, "", "")) if few else said]
    parts += [line(""), *tables_shown(view, ["confusion"])]
    return Group(*parts, *published_section(view), *findings_section(view))
