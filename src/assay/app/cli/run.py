"""assay run."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk
from assay.run.journey import FAMILIES, MODELS


@click.command("run")
@options.source
@click.option(
    "--family",
    "families",
    multiple=True,
    default=FAMILIES,
    show_default=True,
    help="A family of tests; may be repeated.",
)
@click.option(
    "--model", "models", multiple=True, default=MODELS, show_default=True, help="A model on the bench; may be repeated."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder of runs; a new one is made in it.",
)
@options.seed
@options.tests
@options.reading
@options.workers
@options.as_json
@options.config
@options.talk
def command(
    source: str,
    families: tuple[str, ...],
    models: tuple[str, ...],
    out: Path,
    seed: int,
    switches: dict[str, str],
    workers: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Put models on the bench: build tests from a corpus, ask every model, measure, and store the run.

    With no option at all it takes the bundled corpus, six families of stress tests and three baselines. An
    interrupted run goes on where it stopped when the same command is given again.
    """
    from assay.report.terminal import summary
    from assay.run.shards import default_workers
    from assay.run.verbs import read, run

    corpus = read(source, **reading)
    with talk.stages(silently=quiet) as stage:
        record = run(
            corpus,
            families=families,
            models=models,
            seed=seed,
            switches=switches,
            out=out,
            workers=workers or default_workers(),
            stage=stage,
        )
    if as_json:
        talk.show_json(record)
    else:
        talk.show(summary(record))
    folder = out / record.id
    problems = folder / "suite" / "problems.jsonl"
    if problems.is_file():
        talk.note(f"Broken records were left out; each is named in {problems}", silently=quiet)
    talk.note(f"The run is stored in {folder}", silently=quiet)
