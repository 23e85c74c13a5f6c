"""assay analyse: what McCoy et al. (2019) analyse."""

from pathlib import Path

import click

from assay.app.cli import options, talk
from assay.app.cli.analyse.shared import MODELS, RUN, SHOWN, To, show


@click.command("subcases", short_help="Accuracy by subcase of HANS (McCoy et al.).")
@RUN
@click.option("--train", metavar="CORPUS", help="Also count how much of this corpus supports each heuristic.")
@MODELS
@options.workers
@SHOWN
def subcases(
    run: Path,
    train: str | None,
    models: tuple[str, ...],
    workers: int | None,
    to: To | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Accuracy by subcase and template of HANS, entailed and not (McCoy et al. 2019)."""
    from assay.bench.analyses.subcases import analyse_subcases
    from assay.bench.shards import default_workers

    with talk.stages(silently=quiet) as stage:
        found = analyse_subcases(run, models=models, train=train, workers=workers or default_workers(), stage=stage)
    show(found, to, as_json=as_json)
