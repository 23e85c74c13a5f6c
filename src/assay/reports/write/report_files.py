"""Reports of stored runs: pages, tables and pictures from their records."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from assay.core.comparison import Comparisons
from assay.core.errors import UserError, did_you_mean
from assay.core.run_record import RunRecord
from assay.reports.tables.report_tables import ARTICLE
from assay.reports.view import ReportView, view_of
from assay.reports.write.latex import Style
from assay.reports.write.output_formats import Format, write_report
from assay.run.case_index.saved_slices import slice_accuracies
from assay.run.execute import close_run
from assay.run.stored_run import Run, open_run, run_folder
from assay.storage.files import refuse_existing, write_whole

FORMATS: tuple[str, ...] = get_args(Format)

PICTURES = ("png", "svg")
"""Formats with one file for each chart, in a folder."""

CHARTS = "charts"
"""The name of that folder, in the run's folder."""


def report(
    runs: Run | Sequence[Run],
    *,
    to: Format = "html",
    out: str | Path | None = None,
    overwrite: bool = False,
    tables: str | Sequence[str] = (),
    intervals: bool = False,
    marks: bool = True,
) -> Path:
    """Write a report of a stored run, or of several together, and return its path.

    A run is a record, its folder, or a folder of runs, which means the newest. Without `out`, the report is written to
    the run's folder and replaces an older one; a report of several runs is written to the current folder. `tables`,
    `intervals` and `marks` are about LaTeX: which of the papers' tables to write, and what they show.

    >>> import assay; import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = assay.run(assay.read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     path = report(record, to="md")
    ...     path.name, path.read_text().startswith("# Right for the right reasons?")
    ('report.md', True)
    """
    if to not in FORMATS:
        raise UserError(f"No report format {to!r}{did_you_mean(to, FORMATS)} Choose from {', '.join(FORMATS)}.")
    records = [open_run(each) for each in ([runs] if isinstance(runs, str | Path | RunRecord) else runs)]
    if not records:
        raise UserError("Name a stored run. `assay list runs` shows them.")
    files = write_report(_seen(records), to, style=_style(tables, intervals=intervals, marks=marks))
    home = run_folder(records[0]) if len(records) == 1 else Path()
    several = to in PICTURES
    place = Path(out) if out else home / (CHARTS if several else next(iter(files)))
    targets = {place / name if several else place: content for name, content in files.items()}
    for path in targets if out else ():
        refuse_existing(path, overwrite=overwrite)
    for path, content in targets.items():
        write_whole(path, content, over_any=not out)
    if to == "html" and not out and len(records) == 1:
        close_run(home)
    return place


def _seen(records: Sequence[RunRecord]) -> ReportView:
    """The runs, with the slices that were saved beside them."""
    return view_of(records, slices={each.id: slice_accuracies(each) for each in records})


def _style(tables: str | Sequence[str], *, intervals: bool, marks: bool) -> Style:
    names = [tables] if isinstance(tables, str) else list(tables)
    for name in names:
        if name not in ARTICLE:
            raise UserError(f"No table {name!r}{did_you_mean(name, ARTICLE)} Choose from {', '.join(ARTICLE)}.")
    return Style(names, intervals=intervals, marks=marks)


def write_page(record: RunRecord) -> None:
    """The page of a run, in its folder."""
    folder = run_folder(record)
    for name, content in write_report(_seen([record]), "html").items():
        write_whole(folder / name, content)
    close_run(folder)


def write_comparison(found: Comparisons, runs: Sequence[RunRecord], out: Path, *, overwrite: bool = False) -> None:
    """The page of a comparison."""
    from assay.reports.page.comparison_page import comparison_page

    refuse_existing(out, overwrite=overwrite)
    write_whole(out, comparison_page(found, runs).encode(), over_any=False)
