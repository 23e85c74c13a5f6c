"""assay build."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("build")
@click.argument("families", nargs=-1, required=True, metavar="FAMILY...")
@options.source
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The suite's folder, which must not exist yet."
)
@options.seed
@options.reading
@click.option(
    "--storage",
    type=click.Choice(["jsonl", "jsonl.zst", "parquet"]),
    default="jsonl",
    show_default=True,
    help="How cases are stored.",
)
@click.option("--compress", "storage", flag_value="jsonl.zst", help="The same as --storage jsonl.zst.")
@options.overwrite
@options.workers
@options.as_json
@options.config
@options.talk
def command(
    families: tuple[str, ...],
    source: str,
    out: Path,
    seed: int,
    storage: Any,
    overwrite: bool,
    workers: int | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Build families of tests from a corpus into a suite: a folder with a manifest and the cases.

    `all` builds every family. `original` holds the pairs as they are.
    """
    from assay.core import registry
    from assay.report.terminal import suite_summary
    from assay.run.shards import default_workers
    from assay.run.verbs import build, read

    names = registry.transforms.newest() if "all" in families else list(families)
    corpus = read(source, **reading)
    with talk.stages(silently=quiet) as stage:
        suite = build(
            names,
            corpus,
            out=out,
            seed=seed,
            storage=storage,
            overwrite=overwrite,
            workers=workers or default_workers(),
            stage=stage,
        )
    if as_json:
        talk.show_json(suite.manifest)
    else:
        talk.show(suite_summary(suite.manifest))
    if corpus.problems:
        talk.note(
            f"{len(corpus.problems):,} broken records were left out; each is named in {out / 'problems.jsonl'}",
            silently=quiet,
        )
    talk.note(f"The suite is in {out}", silently=quiet)
