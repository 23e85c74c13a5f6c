"""assay export."""

from pathlib import Path

import click

from assay.cli import options, output
from assay.export.export_suite import ENDINGS


@click.command("export")
@click.argument("suite", type=options.PathOrAddress())
@click.option(
    "--to",
    "target",
    type=click.Choice(list(ENDINGS)),
    required=True,
    help="The format: hf is a data set folder with a card, lm-eval is a task folder for lm-evaluation-harness.",
)
@click.option(
    "--out", type=options.PathOrAddress(writes=True), help="File or folder to write; by default, named after the suite."
)
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="csv: put an apostrophe before texts that a spreadsheet would treat as a formula; reading it back keeps it.",
)
@click.option(
    "--two-way/--three-way",
    "two_way",
    default=None,
    show_default="two-way if the corpus has two labels",
    help="Write neutral and contradiction as one label, or each as it was built.",
)
@options.overwrite
@options.as_json
@options.config
@options.talk
def command(
    suite: Path,
    target: str,
    out: Path | None,
    escape_formulas: bool,
    two_way: bool | None,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a suite in a format that other tools read.

    If you named the labels with --labels when you built the suite, csv, parquet, hf and lm-eval have your names. The
    other formats have fixed labels.

    Swapped pairs claim no label. In snli and mnli their gold label is `-`, in csv, parquet and hf it is empty. The
    other formats need a label, so swapped pairs are left out there.
    """
    from assay.export.export_suite import count_exported, export, export_notes
    from assay.storage.suite import Suite

    place = export(
        suite,
        target,
        out=out or suite.with_name(f"{suite.resolve().name}-{target}{ENDINGS[target]}"),
        overwrite=overwrite,
        escape_formulas=escape_formulas,
        two_way=two_way,
    )
    notes = export_notes(opened := Suite.open(suite), target, escape_formulas=escape_formulas, two_way=two_way)
    if as_json:
        count = count_exported(opened, target)
        output.show_json({"suite": str(suite), "to": target, "written": str(place), "cases": count, "notes": notes})
    for note in notes:
        output.note(note, silently=quiet)
    output.note(f"Written to {place}", silently=quiet)
