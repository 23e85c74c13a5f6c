"""assay report."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk
from assay.app.reporting import FORMATS, report


@click.command("report")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    default="html",
    show_default=True,
    help="A page; the verdict and all tables; the papers' tables; every figure; or every chart.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    show_default="in the run's folder; in the current folder for several runs",
    help="The file to write, or the folder for png and svg.",
)
@options.overwrite
@options.talk
def command(runs: tuple[Path, ...], to: Any, out: Path | None, overwrite: bool, quiet: bool) -> None:
    """Write a report of one or more stored runs: a page to share, tables, figures or charts.

    RUN is the folder of a stored run, or a folder of runs, of which the newest is used. The page is one HTML file that
    works offline. Nothing is measured again.
    """
    path = report(runs, to=to, out=out, overwrite=overwrite)
    talk.note(f"The report is {path}", silently=quiet)
