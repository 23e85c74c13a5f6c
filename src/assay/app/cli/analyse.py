"""assay analyse."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.app.cli import options, talk

if TYPE_CHECKING:
    from assay.core.results.analysis import Analysis

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


@click.group("analyse")
def command() -> None:
    """Repeat the papers' analyses on a stored run.

    RUN is the folder of a run, or a folder of runs, of which the newest is analysed. No model is asked again.
    """


def _show(found: "Analysis", to: To | None, *, as_json: bool) -> None:
    from assay.reports.tables.analyses.parts import analysis_parts
    from assay.reports.write.analyses import analysis_text
    from assay.reports.write.terminal.tables import shown

    if as_json:
        talk.show_json(found)
    elif to:
        click.echo(analysis_text(found, to), nl=False)
    else:
        talk.show(shown(part for each in analysis_parts(found) for part in (each, "")))


@command.command("directions")
@RUN
@MODELS
@SHOWN
def directions(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Which way models err in each family, and how often the wrong answer is neutral (Naik et al. 2018)."""
    from assay.bench.analyses.directions import analyse_directions

    _show(analyse_directions(run, models=models), to, as_json=as_json)


@command.command("antonyms")
@RUN
@TRAIN
@TWO
@SHOWN
def antonyms(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Which antonyms models know: by training contradictions with both words, and by relation (Naik et al. 2018)."""
    from assay.bench.analyses.antonyms import analyse_antonyms

    with talk.stages(silently=quiet) as stage:
        found = analyse_antonyms(run, train, models=models, stage=stage)
    _show(found, to, as_json=as_json)


@command.command("numbers")
@RUN
@TWO
@SHOWN
def numbers(run: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Errors about numbers that models share, by what a case does with the number (Naik et al. 2018)."""
    from assay.bench.analyses.numbers import analyse_numbers

    _show(analyse_numbers(run, models=models), to, as_json=as_json)


@command.command("errors")
@RUN
@MODELS
@click.option(
    "--family", "families", multiple=True, default=("original",), show_default=True, help="Errors in this family."
)
@click.option(
    "--annotated",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
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

    _show(analyse_errors(run, models=models, families=families, annotated=annotated), to, as_json=as_json)


@command.command("similarity")
@RUN
@click.option(
    "--vectors",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Word vectors in GloVe's format.",
)
@MODELS
@SHOWN
def similarity(run: Path, vectors: Path, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by the cosine of the two words that differ (Glockner et al. 2018)."""
    from assay.bench.analyses.words import analyse_similarity

    talk.note("Reading vectors takes a while the first time.", silently=quiet)
    _show(analyse_similarity(run, vectors, models=models), to, as_json=as_json)


@command.command("frequency")
@RUN
@TRAIN
@MODELS
@SHOWN
def frequency(run: Path, train: str, models: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:
    """Accuracy on contradictions by how often training shows the two words (Glockner et al. 2018)."""
    from assay.bench.analyses.words import analyse_frequency

    with talk.stages(silently=quiet) as stage:
        found = analyse_frequency(run, train, models=models, stage=stage)
    _show(found, to, as_json=as_json)


@command.command("swap")
@RUN
@SHOWN
def swap(run: Path, to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """How far training with swapped pairs moves a system on each test (Wang et al. 2019).

    The run must have one system trained with several percentages, 0 among them: `assay train --swap PERCENT`.
    """
    from assay.bench.analyses.swap import analyse_swap

    _show(analyse_swap(run), to, as_json=as_json)


@command.command("epochs")
@click.argument("trained", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--suite",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
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
    from assay.bench.analyses.epochs import analyse_epochs

    _show(analyse_epochs(trained, suite, families=families, most=most), to, as_json=as_json)


@command.command("subcases")
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
    _show(found, to, as_json=as_json)


@command.command("prediction")
@click.argument("runs", nargs=-1, required=True, type=options.RunFolder())
@click.option(
    "--target", "targets", multiple=True, required=True, metavar="SUITE", help="A suite to predict; may be repeated."
)
@SHOWN
def prediction(runs: tuple[Path, ...], targets: tuple[str, ...], to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Whether accuracy on a stress test goes with accuracy on other suites, over all models of these runs."""
    from assay.bench.analyses.prediction import analyse_prediction

    _show(analyse_prediction(runs, targets), to, as_json=as_json)
