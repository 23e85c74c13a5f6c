"""assay study show."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.app.cli import options, talk

if TYPE_CHECKING:
    from assay.core.study.record import StudyRecord

PAGE = "report.html"
"""The page of a study, in its folder."""

MOST = 30
"""The most tests, or published figures, of a table that are printed in brief; the page has all."""

SHOWN = click.option(
    "--to",
    type=click.Choice(["html", "md", "latex", "json"]),
    help="Print a page, Markdown, LaTeX, or the record with the published figures, in place of the tables.",
)


@click.command("show")
@click.argument("folders", type=options.Place(exists=True), nargs=-1, required=True)
@SHOWN
@options.talk
def show(folders: tuple[Path, ...], to: Any, quiet: bool) -> None:  # noqa: ARG001 - there is nothing else to print
    """Show a stored study again: all its tables, in any format.

    FOLDERS are what `assay study run` stored it in. Studies of one plan that were run for different systems
    (`--only system=esim`) are shown as one.
    """
    from assay.bench.experiment.records import open_studies

    show_study(open_studies(folders), to)


def show_study(record: "StudyRecord", to: Any, *, brief: bool = False) -> None:
    """Print a study; in brief, without tests that have no verdict and without long tables."""
    from assay.reports.tables.studies.study import study_parts
    from assay.reports.write.study import study_text
    from assay.reports.write.terminal.tables import shown

    if to:
        talk.say(study_text(record, to), nl=False)
    else:
        parts = study_parts(record, brief=brief, most=MOST if brief else None)
        talk.show(shown(part for each in parts for part in ((each,) if isinstance(each, str) else ("", each, ""))))
