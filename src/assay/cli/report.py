"""assay report."""

from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec

from assay.cli import options, output
from assay.core.option_fields import SET, OptionInfo, refuse_options
from assay.reports.write.output_formats import FORMATS, report

TABLES = ("naik", "glockner", "wang", "mccoy", "thresholds")
"""The tables of an article; a test compares them with the reports."""


class LatexOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the tables of an article are written."""

    tables: Annotated[
        tuple[Literal["naik", "glockner", "wang", "mccoy", "thresholds"], ...],
        OptionInfo(
            f"With --to latex: only this table; may be repeated. One of {', '.join(TABLES)}.",
            "--table",
            metavar="TABLE",
        ),
    ] = ()
    intervals: Annotated[bool, OptionInfo("yes puts 95% intervals below the numbers of --to latex.", SET)] = False
    marks: Annotated[bool, OptionInfo("no leaves out the * after losses in --to latex.", SET)] = True


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
    help="A page; the verdict and all tables; tables for an article; every number; every chart; or a card to share.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    metavar="PATH",
    show_default="in the run's folder; in the current folder for several runs",
    help="The file to write, or the folder for png and svg.",
)
@click.option("--open", "show", is_flag=True, help="Open the report when it is written.")
@options.fields(LatexOptions, "latex")
@options.overwrite
@options.talk
def command(
    runs: tuple[Path, ...], to: Any, out: Path | None, show: bool, latex: LatexOptions, overwrite: bool, quiet: bool
) -> None:
    """Write a report of one or more stored runs: a page to share, tables, numbers or charts.

    RUN is a run folder, or a folder of runs (the newest is used). The page is one HTML file that works offline.
    Nothing is measured again, except on slices that were saved in the browser, which are counted from the stored
    answers.
    """
    if to != "latex":
        refuse_options(latex, (), "needs --to latex")
    path = report(runs, to=to, out=out, overwrite=overwrite, **msgspec.structs.asdict(latex))
    output.note(f"The report is {path}", silently=quiet)
    if show:
        click.launch(str(path.resolve()))
