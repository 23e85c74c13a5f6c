"""assay analyse: what Glockner et al. (2018) analyse."""

from pathlib import Path

import click

from assay.app.cli import options, talk
from assay.app.cli.analyse.shared import MODELS, RUN, SHOWN, TRAIN, To, show


@click.command("similarity", short_help="Accuracy by cosine of two words (Glockner et al.).")
@RUN
@click.option(
    "--vectors",
    required=True,
    type=options.Place(exists=True, dir_okay=False),
    metavar="FILE",
    help="Word vectors in GloVe's format.",
)
@MODELS
@SHOWN
def similarity(run: Path, vectors: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by the cosine of the two words that differ (Glockner et al. 2018)."""
    from assay.bench.analyses.words import analyse_similarity

    talk.note("Reading vectors takes a while the first time.", silently=quiet)
    show(analyse_similarity(run, vectors, models=models), to, as_json=as_json)


@click.command("frequency", short_help="Accuracy by frequency in training (Glockner et al.).")
@RUN
@TRAIN
@MODELS
@SHOWN
def frequency(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by how often training shows the two words (Glockner et al. 2018)."""
    from assay.bench.analyses.words import analyse_frequency

    with talk.stages(silently=quiet) as stage:
        found = analyse_frequency(run, train, models=models, stage=stage)
    show(found, to, as_json=as_json)
