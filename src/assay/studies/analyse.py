"""assay analyse: the papers' analyses of a stored run."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.cli import options, output

if TYPE_CHECKING:
    from assay.studies.analyses.analysis_result import Analysis

To = Literal["md", "csv", "latex"]

RUN = click.argument("run", type=options.RunFolder())
TRAIN = click.option("--train", required=True, metavar="CORPUS", help="The corpus that the models were trained on.")
MODELS = click.option("--model", "models", multiple=True, metavar="MODEL", help="Only this model; may be repeated.")
TWO = click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="A model to compare; may be repeated. By default, the best and the worst of the run.",
)
SHOWN = options.options(
    click.option(
        "--to", type=click.Choice(["md", "csv", "latex"]), help="Print Markdown, every figure as CSV, or LaTeX."
    ),
    options.as_json,
    options.config,
    options.talk,
)


def show(found: "Analysis", to: To | None, *, as_json: bool) -> None:
    """Print an analysis: tables, JSON, or a document."""
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.analyses.analysis_list import analysis_parts, analysis_text

    if as_json:
        output.show_json(found)
    elif to:
        output.say(analysis_text(found, to), nl=False)
    else:
        output.show(show_parts(part for each in analysis_parts(found) for part in (each, "")))


@click.command("directions", short_help="Which way models err, by family (Naik et al.).")
@RUN
@MODELS
@SHOWN
def directions(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Which way models err in each family, and how often the wrong answer is neutral (Naik et al. 2018)."""
    from assay.studies.analyses.directions import analyse_directions

    show(analyse_directions(run, models=models), to, as_json=as_json)


@click.command("antonyms", short_help="Antonyms that training contradicts (Naik et al.).")
@RUN
@TRAIN
@TWO
@SHOWN
def antonyms(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Which antonyms models know: by training contradictions with both words, and by relation (Naik et al. 2018)."""
    from assay.studies.analyses.antonyms import analyse_antonyms

    with output.stages(silently=quiet) as stage:
        found = analyse_antonyms(run, train, models=models, stage=stage)
    show(found, to, as_json=as_json)


@click.command("numbers", short_help="Errors about numbers that models share (Naik et al.).")
@RUN
@TWO
@SHOWN
def numbers(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Errors about numbers that models share, by what a case does with the number (Naik et al. 2018)."""
    from assay.studies.analyses.numbers import analyse_numbers

    show(analyse_numbers(run, models=models), to, as_json=as_json)


@click.command("errors", short_help="Why models err, in nine categories (Naik et al.).")
@RUN
@MODELS
@click.option(
    "--family", "families", multiple=True, default=("original",), show_default=True, help="Errors in this family."
)
@click.option(
    "--annotated",
    type=options.PathOrAddress(exists=True, dir_okay=False),
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
    from assay.studies.analyses.error_causes import analyse_errors

    show(analyse_errors(run, models=models, families=families, annotated=annotated), to, as_json=as_json)


@click.command("similarity", short_help="Accuracy by cosine of two words (Glockner et al.).")
@RUN
@click.option(
    "--vectors",
    required=True,
    type=options.PathOrAddress(exists=True, dir_okay=False),
    metavar="FILE",
    help="Word vectors in GloVe's format.",
)
@MODELS
@SHOWN
def similarity(run: Path, vectors: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by the cosine of the two words that differ (Glockner et al. 2018)."""
    from assay.studies.analyses.similarity import analyse_similarity

    output.note("Reading vectors takes a while the first time.", silently=quiet)
    show(analyse_similarity(run, vectors, models=models), to, as_json=as_json)


@click.command("frequency", short_help="Accuracy by frequency in training (Glockner et al.).")
@RUN
@TRAIN
@MODELS
@SHOWN
def frequency(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by how often training shows the two words (Glockner et al. 2018)."""
    from assay.studies.analyses.frequency import analyse_frequency

    with output.stages(silently=quiet) as stage:
        found = analyse_frequency(run, train, models=models, stage=stage)
    show(found, to, as_json=as_json)


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
    from assay.run.workers.pool import default_workers
    from assay.studies.analyses.subcases import analyse_subcases

    with output.stages(silently=quiet) as stage:
        found = analyse_subcases(run, models=models, train=train, workers=workers or default_workers(), stage=stage)
    show(found, to, as_json=as_json)


@click.command("swap", short_help="Effect of swapped training pairs (Wang et al.).")
@RUN
@SHOWN
def swap(run: Path, to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """How far training with swapped pairs moves a system on each test (Wang et al. 2019).

    The run must have one system trained with several percentages, 0 among them: `assay train --swap PERCENT`.
    """
    from assay.studies.analyses.swap_training import analyse_swap

    show(analyse_swap(run), to, as_json=as_json)


@click.command("epochs", short_help="Errors that stay over epochs (Wang et al.).")
@click.argument("trained", nargs=-1, required=True, type=options.PathOrAddress(exists=True, file_okay=False))
@click.option(
    "--suite",
    required=True,
    type=options.PathOrAddress(exists=True, file_okay=False),
    help="The suite that was given to `assay train --suite`.",
)
@click.option(
    "--family", "families", multiple=True, help="Cases of this family; by default, swapped pairs if there are some."
)
@click.option("--most", type=click.IntRange(min=1), default=400, show_default=True, help="How many frequent errors.")
@SHOWN
def epochs(
    trained: tuple[Path, ...],
    suite: Path,
    families: tuple[str, ...],
    most: int,
    to: To | None,
    as_json: bool,
    quiet: bool,  # noqa: ARG001
) -> None:
    """What systems get wrong again and again while they are trained (Wang et al. 2019).

    TRAINED are folders of `assay train --suite SUITE`, which stores answers after each epoch.
    """
    from assay.studies.analyses.epochs import analyse_epochs

    show(analyse_epochs(trained, suite, families=families, most=most), to, as_json=as_json)


@click.command("prediction", short_help="Whether one test predicts another.")
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--target", "targets", multiple=True, required=True, metavar="SUITE", help="A suite to predict; may be repeated."
)
@SHOWN
def prediction(runs: tuple[Path, ...], targets: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Whether accuracy on a stress test goes with accuracy on other suites, over all models of these runs."""
    from assay.studies.analyses.prediction_of_failure import analyse_prediction

    show(analyse_prediction(runs, targets), to, as_json=as_json)


@click.group("analyse")
def command() -> None:
    """Repeat the papers' analyses on a stored run.

    RUN is the folder of a run, or a folder of runs, of which the newest is analysed. No model is asked again.
    """


for each in (directions, antonyms, numbers, errors, similarity, frequency, swap, epochs, subcases, prediction):
    command.add_command(each)
