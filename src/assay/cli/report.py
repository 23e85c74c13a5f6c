"""assay report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import click
import msgspec

from assay.cli import options, output
from assay.core.option_fields import OptionInfo, refuse_options
from assay.reports.write.output_formats import output_formats, report

TABLES = ("naik", "glockner", "wang", "mccoy", "thresholds")
"""The tables of an article; a test compares them with the reports."""


class ReportSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of formats."""

    tables: Annotated[
        tuple[Literal["naik", "glockner", "wang", "mccoy", "thresholds"], ...],
        OptionInfo(
            f"With --to latex: only this table; may be repeated. One of {', '.join(TABLES)}.",
            "--table",
            metavar="TABLE",
        ),
    ] = ()
    switches: Annotated[
        Mapping[str, str] | None,
        OptionInfo(
            "Settings of a format. latex: intervals=yes puts 95% intervals below the numbers, marks=no leaves out the "
            "* after losses. eval-results: dataset=ORGANISATION/NAME is the data set on the Hub. every-eval-ever: "
            "organization and relationship (first_party, third_party, collaborative, other) say who evaluated.",
            "--set",
            metavar="NAME=VALUE,...",
        ),
    ] = None


@click.command(
    "report", cls=options.AssayCommand, examples=("assay report runs", "assay report runs --to latex --table naik")
)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--to",
    type=click.Choice(output_formats()),
    default="html",
    show_default=True,
    help="html: a page. md: the verdict and all tables. latex: tables for an article. csv, json: every number. "
    "png, svg: every chart. card: a card to share. bibtex: references. methods: a paragraph for an article. "
    "eval-results: files for the Hugging Face Hub. every-eval-ever: files for Every Eval Ever.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    metavar="PATH",
    show_default="in the run's folder; in the current folder for several runs",
    help="The file to write, or the folder for formats of several files.",
)
@click.option("--open", "show", is_flag=True, help="Open the report when it is written.")
@options.fields(ReportSettings, "settings")
@options.overwrite
@options.talk
def command(
    runs: tuple[Path, ...], to: str, out: Path | None, show: bool, settings: ReportSettings, overwrite: bool
) -> None:
    """Write a report of one or more stored runs: a page to share, tables, numbers or charts.

    RUN is a run folder, or a folder of runs (the newest is used). The page is one HTML file that works offline.
    Nothing is measured again, except on slices that were saved in the browser, which are counted from the stored
    answers.
    """
    if to != "latex":
        refuse_options(settings, ("tables",), "needs --to latex")
    path = report(runs, to=to, out=out, overwrite=overwrite, tables=settings.tables, **(settings.switches or {}))
    output.note(f"Wrote the report to {path}")
    if show:
        click.launch(str(path.resolve()))
