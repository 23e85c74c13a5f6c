"""assay analyse: what Naik et al. (2018) analyse."""

from pathlib import Path

import click

from assay.app.cli import options, talk
from assay.app.cli.analyse.shared import MODELS, RUN, SHOWN, TRAIN, TWO, To, show


@click.command("directions", short_help="Which way models err, by family (Naik et al.).")
@RUN
@MODELS
@SHOWN
def directions(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Which way models err in each family, and how often the wrong answer is neutral (Naik et al. 2018)."""
    from assay.bench.analyses.directions import analyse_directions

    show(analyse_directions(run, models=models), to, as_json=as_json)


@click.command("antonyms", short_help="Antonyms that training contradicts (Naik et al.).")
@RUN
@TRAIN
@TWO
@SHOWN
def antonyms(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Which antonyms models know: by training contradictions with both words, and by relation (Naik et al. 2018)."""
    from assay.bench.analyses.antonyms import analyse_antonyms

    with talk.stages(silently=quiet) as stage:
        found = analyse_antonyms(run, train, models=models, stage=stage)
    show(found, to, as_json=as_json)


@click.command("numbers", short_help="Errors about numbers that models share (Naik et al.).")
@RUN
@TWO
@SHOWN
def numbers(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Errors about numbers that models share, by what a case does with the number (Naik et al. 2018)."""
    from assay.bench.analyses.numbers import analyse_numbers

    show(analyse_numbers(run, models=models), to, as_json=as_json)


@click.command("errors", short_help="Why models err, in nine categories (Naik et al.).")
@RUN
@MODELS
@click.option(
    "--family", "families", multiple=True, default=("original",), show_default=True, help="Errors in this family."
)
@click.option(
    "--annotated",
    type=options.Place(exists=True, dir_okay=False),
    metavar="FILE",
    help="Errors that people sorted: what `assay annotate merge` wrote for the layout `errors`.",
)
@SHOWN
def errors(
    run: Path,
    models: tuple[str, ...],
    families: tuple[str, ...],
    annotated: Path | None,
    to: To | None,
    as_json: bool,
    quiet: bool,  # noqa: ARG001
) -> None:
    """Why models err: nine categories, by automatic cues and by annotators (Naik et al. 2018)."""
    from assay.bench.analyses.errors import analyse_errors

    show(analyse_errors(run, models=models, families=families, annotated=annotated), to, as_json=as_json)
