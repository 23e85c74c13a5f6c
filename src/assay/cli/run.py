"""assay run."""

from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from assay.cli import options, output
from assay.core.case import FAMILIES
from assay.run.spec import BENCHES, PER_SUBCASE


@click.command("run")
@click.option(
    "--from",
    "source",
    show_default="bundled, unless you give only suites",
    metavar="CORPUS",
    help="A file, folder or zip in any known format, `-` for standard input, hf:NAME, or bundled.",
)
@click.option(
    "--family",
    "families",
    multiple=True,
    show_default=", ".join(FAMILIES),
    shell_complete=options.complete("transforms"),
    help="A family of tests to build; may be repeated.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="[NAME=]FOLDER",
    help="A suite that you have already built; may be repeated.",
)
@click.option(
    "--per-subcase",
    type=click.IntRange(min=1),
    default=PER_SUBCASE,
    show_default=True,
    help="Pairs to generate for each subcase, as in heuristics.",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    show_default="the default bench",
    shell_complete=options.complete("models"),
    help="A model to test; may be repeated.",
)
@click.option(
    "--bench",
    type=click.Choice([*BENCHES]),
    help="Test the models of a bench too: `papers` has all that come with Assay, `default` six of them: "
    f"{', '.join(name.removeprefix('assay:') for name in BENCHES['default'])}.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    default=Path("runs"),
    show_default=True,
    help="Folder of runs; the new run gets a folder in it.",
)
@click.option(
    "--truncate",
    type=click.Choice(["premise", "error"]),
    default="premise",
    show_default=True,
    help="If a premise is too long for a model: cut off its end, count and mark it, or stop the run.",
)
@options.windows
@click.option("--no-cache", is_flag=True, help="Keep answers and suites with this run only; use no others.")
@click.option("--dry-run", is_flag=True, help="Build the tests and say what asking would cost, without asking.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0),
    metavar="AMOUNT",
    help="Stop before endpoints cost more than this; give their prices with price_in and price_out.",
)
@click.option(
    "--progress",
    type=click.Choice(["bar", "json"]),
    default="bar",
    show_default=True,
    help="Show progress on standard error as bars in a terminal, or as lines of JSON for another program.",
)
@click.option("--no-report", is_flag=True, help="Store the run without a page.")
@options.two_way
@options.collapse
@options.seed
@options.tests
@options.ladder
@options.reading
@options.workers
@options.engine
@options.sharding
@options.as_json
@options.config
@options.talk
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str | None,
    families: tuple[str, ...],
    suites: tuple[str, ...],
    per_subcase: int,
    models: tuple[str, ...],
    bench: Any,
    out: Path,
    truncate: Any,
    windows: str,
    no_cache: bool,
    dry_run: bool,
    budget: float | None,
    progress: str,
    no_report: bool,
    two_way: bool | None,
    collapse: Any,
    seed: int,
    switches: dict[str, str],
    ladder: int | None,
    workers: int | None,
    engine: str,
    shard: Any,
    merge: Path | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Test models: build tests from a corpus, ask every model, measure, and store the run.

    Without options, it uses the bundled corpus, all families of stress tests, a sample of generated pairs and the
    default bench. More than three models are shown side by side; `assay show` shows the rest. Your models come first;
    references, whose reasons are known, come last and are marked. With --suite, but without
    --from or --family, nothing is built. Repeat the same command to resume an interrupted run; if only its page is
    missing, the page is written.
    """
    from assay.corpora.reader import read
    from assay.reports.published.comparable_results import with_published
    from assay.reports.terminal.run_screen import run_screen, verdict_screen
    from assay.reports.write.report_files import write_page
    from assay.run.api import forecast, run
    from assay.run.workers.engines import engine as engine_of
    from assay.run.workers.pool import default_workers
    from assay.run.workers.shard import finished_shards, gather_answers
    from assay.run.workers.shard_commands import ask_shard
    from assay.storage.files import folder_of_work
    from assay.storage.remote import with_addresses

    builds = source is not None or bool(families) or not suites
    strange = [name for name in reading if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if strange and not builds:
        raise click.UsageError(
            f"--{strange[0].replace('_', '-')} is for reading a corpus, but this run does not read one."
        )
    corpus = read(source or "bundled", seed=seed, **reading) if builds else None
    asked: dict[str, Any] = {
        "families": families or None,
        "suites": suites,
        "models": models,
        "bench": bench,
        "seed": seed,
        "switches": switches,
        "ladder": ladder,
        "per_subcase": per_subcase,
        "truncate": truncate,
        "windows": windows,
        "cache": not no_cache,
        "collapse": collapse,
        "two_way": two_way,
        "workers": workers or default_workers(),
    }
    stages = partial(output.stages, silently=quiet, as_json=progress == "json")
    if dry_run:
        with stages() as stage:
            costs = forecast(corpus, stage=stage, **asked)
        output.show_json(costs) if as_json else output.show("\n".join(cost.text for cost in costs.values()))
        return
    tell = partial(output.note, silently=quiet)
    if shard:
        with engine_of(engine, asked["workers"]) as executor, stages() as stage:
            made = ask_shard(
                corpus, **asked, budget=budget, out=out, shard=shard, executor=executor, stage=stage, tell=tell
            )
        output.note_shard(made, silently=quiet)
        return
    shards = finished_shards(merge) if merge else []
    if shards:
        gather_answers(shards, folder_of_work(out / shards[0].card.place), cache=not no_cache)
    with engine_of(engine, asked["workers"]) as executor, stages() as stage:
        record = run(
            corpus,
            **asked,
            executor=executor,
            budget=budget,
            out=out,
            leave_open=not no_report,
            stage=stage,
            tell=tell,
        )
    if shards and shards[0].card.made_of != {name: manifest.digest for name, manifest in record.suites.items()}:
        tell("The shards were made from other cases, perhaps because the corpus has changed: all were asked again.")
    folder = out / record.id
    if not no_report:
        write_page(record)
    if as_json:
        output.show_json(with_published(record))
        output.note(f"The run is stored in {folder}", silently=quiet)
        output.note_report(folder, silently=quiet)
    else:
        output.show(verdict_screen(record) if quiet else run_screen(record, folder=with_addresses(str(folder))))
    for answers in record.models:
        for text in answers.notes:
            output.note(text, silently=quiet)
        if answers.truncated:
            output.note(f"{answers.model}: the premises of {answers.truncated:,} cases were cut off.", silently=quiet)
    for problems in sorted(folder.glob("suites/*/problems.jsonl")):
        output.note(f"Broken records were left out; they are listed in {problems}", silently=quiet)
