"""assay diagnose."""

from pathlib import Path

import click

from assay.cli import options, output


@click.command("diagnose")
@click.argument("run", type=options.RunFolder())
@click.option("--model", "models", multiple=True, metavar="MODEL", help="Only this model; may be repeated.")
@options.as_json
@options.talk
def command(run: Path, models: tuple[str, ...], as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - nothing but the result is shown
    """Say which shortcuts the models of a run follow, what edits do, and what goes with their errors.

    RUN is the folder of a stored run, or a folder of runs, of which the newest is used. Every run is diagnosed when it
    is made; an older run is diagnosed now, from its cases and answers.
    """
    from assay.reports.terminal.run_summary import diagnosis_summary
    from assay.run.api import diagnose
    from assay.run.stored_run import open_run

    found = diagnose(run, models=models)
    if as_json:
        output.show_json(found)
    else:
        output.show(diagnosis_summary(open_run(run), found))
