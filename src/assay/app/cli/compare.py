"""assay compare."""

from pathlib import Path

import click

from assay.app.cli import options, talk


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--models", nargs=2, metavar="BASELINE MODEL", help="Two models: the first is what the second is held against."
)
@options.as_json
@options.talk
def command(runs: tuple[Path, ...], models: tuple[str, str] | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - its notes are part of the result
    """Say what is better, worse and undecided, by family and label.

    RUNS are folders of stored runs; of a folder of runs the newest is meant. Two runs: every model that both have, in
    the second against the first. One run: two of its models, named with --models; with two runs, the first name is
    looked for in the first. Runs of other cases are compared on those that both have. Models called NAME@SEED are seeds
    of one system: they are shown as a band, over any number of runs.
    """
    from assay.bench.api import compare
    from assay.reports.write.terminal.comparison import comparison_summary

    found = compare(*runs, models=models or ())
    if as_json:
        talk.show_json(found)
    else:
        talk.show(comparison_summary(found))
