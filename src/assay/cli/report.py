"""assay report."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options, output
from assay.reports.write.report_files import FORMATS, report

TABLES = ("naik", "glockner", "wang", "mccoy", "thresholds")
"""The tables of an article; a test compares them with the reports."""


@click.command(
    "report",
    cls=options.AssayCommand,
    examples=("assay report runs", "assay report runs --to latex --table naik"),
)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    default="html",
    show_default=True,
    help="A page; the verdict and all tables; tables for an article; every figure; every chart; or a card to share.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    metavar="PATH",
    show_default="in the run's folder; in the current folder for several runs",
    help="The file to write, or the folder for png and svg.",
)
@click.option("--open", "show", is_flag=True, help="Open the report when it is written.")
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Choice(TABLES),
    metavar="TABLE",
    help=f"With --to latex: only this table; may be repeated. One of {', '.join(TABLES)}.",
)
@click.option("--intervals", is_flag=True, help="With --to latex: 95% intervals below the figures.")
@click.option("--marks/--no-marks", default=True, help="With --to latex: whether losses are marked with *.")
@options.overwrite
@options.talk
@click.pass_context
def command(
    context: click.Context,
    runs: tuple[Path, ...],
    to: Any,
    out: Path | None,
    show: bool,
    tables: tuple[str, ...],
    intervals: bool,
    marks: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Write a report of one or more stored runs: a page to share, tables, figures or charts.

    RUN is the folder of a stored run, or a folder of runs, of which the newest is used. The page is one HTML file that
    works offline. Nothing is measured again, except on slices that were saved in the browser, which are counted from
    the stored answers.
    """
    if to != "latex":
        options.refuse(context, ("tables", "intervals", "marks"), "needs --to latex")
    path = report(runs, to=to, out=out, overwrite=overwrite, tables=tables, intervals=intervals, marks=marks)
    output.note(f"The report is {path}", silently=quiet)
    if show:
        click.launch(str(path.resolve()))
