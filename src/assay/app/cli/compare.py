"""assay compare."""

from pathlib import Path

import click

from assay.app.cli import options, talk


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option("--models", nargs=2, metavar="BASELINE MODEL", help="Compare the second model with the first.")
@options.as_json
@options.talk
def command(runs: tuple[Path, ...], models: tuple[str, str] | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - its notes are part of the result
    """Show what is better, worse or undecided, by family and label.

    RUNS are folders of stored runs; a folder of runs means its newest run. With two runs, every model that both
    have is compared, the second run against the first. With one run, name two of its models with --models. With
    --models and two runs, the first name is looked up in the first run. Only the cases that both runs have are
    compared. Models called NAME@SEED are seeds of one system and are shown as a band, over any number of runs.
    """
    from assay.bench.api import compare
    from assay.reports.write.terminal.comparison import comparison_summary

    found = compare(*runs, models=models or ())
    if as_json:
        talk.show_json(found)
    else:
        talk.show(comparison_summary(found))
