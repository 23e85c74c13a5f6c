"""assay analyse: what no paper has."""

from pathlib import Path

import click

from assay.app.cli import options
from assay.app.cli.analyse.shared import SHOWN, To, show


@click.command("prediction", short_help="Whether one test predicts another.")
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--target", "targets", multiple=True, required=True, metavar="SUITE", help="A suite to predict; may be repeated."
)
@SHOWN
def prediction(runs: tuple[Path, ...], targets: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Whether accuracy on a stress test goes with accuracy on other suites, over all models of these runs."""
    from assay.bench.analyses.prediction import analyse_prediction

    show(analyse_prediction(runs, targets), to, as_json=as_json)
