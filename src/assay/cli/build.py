"""assay build."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options, output

OF_GENERATED = ("per_subcase", "split", "grammar")
READING = ("input_format", "columns", "labels", "encoding", "limit", "sample", "on_error")


@click.command("build")
@click.argument(
    "families", nargs=-1, required=True, metavar="FAMILY...", shell_complete=options.complete("transforms", "all")
)
@click.option(
    "--from",
    "source",
    show_default="bundled, but heuristics and logic families are generated",
    metavar="CORPUS",
    help="A file, folder or zip in any known format, `-` for standard input, hf:NAME, or bundled.",
)
@click.option(
    "--per-subcase",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Pairs to generate for each subcase.",
)
@click.option(
    "--split",
    type=click.Choice(["evaluation", "training"]),
    default="evaluation",
    show_default=True,
    help="Which half of the generated pairs to use.",
)
@click.option(
    "--grammar",
    type=options.PathOrAddress(exists=True, dir_okay=False),
    help="A file with your own words and templates, to generate pairs from.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    required=True,
    help="The suite's folder, which must not exist yet.",
)
@options.lexical
@options.seed
@options.tests
@options.ladder
@options.reading
@click.option(
    "--storage",
    type=click.Choice(["jsonl", "jsonl.zst", "parquet", "parts"]),
    show_default="jsonl; parts, which are several parquet files, for more than a million cases",
    help="How cases are stored.",
)
@click.option("--compress", is_flag=True, help="The same as --storage jsonl.zst.")
@options.overwrite
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
    families: tuple[str, ...],
    source: str | None,
    per_subcase: int,
    split: Any,
    grammar: Path | None,
    out: Path,
    lexical: dict[str, Any],
    seed: int,
    switches: dict[str, str],
    ladder: int | None,
    storage: Any,
    compress: bool,
    overwrite: bool,
    workers: int | None,
    engine: str,
    shard: Any,
    merge: Path | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Build families of tests from a corpus into a suite: a folder with a manifest and the cases.

    A FAMILY may name a variant, as in `spelling:keyboard`. `all` builds every family that can be made from a corpus, in
    all its variants. `original` keeps the pairs unchanged. On their own, `heuristics` (HANS) and the logic families
    (`scope`, `monotonicity`, `conjunction`, `quantifiers`, `comparatives`, `conditionals`) generate their pairs from
    templates. With --from, `monotonicity`, `conjunction` and `quantifiers` are made from the corpus instead.
    """
    from assay.corpora.reader import read
    from assay.reports.terminal.suite_summary import suite_summary
    from assay.run.api import build, planned_build
    from assay.run.build.family_sources import lexical_switches, seen_in_training, training_notes
    from assay.run.build.recipes import are_generated, recipes_for
    from assay.run.build.suite_builder import SUITE, generated, parts_of
    from assay.run.workers.engines import engine as engine_of
    from assay.run.workers.pool import default_workers, worker_pool
    from assay.run.workers.shard import finished_shards, gather_parts
    from assay.run.workers.shard_commands import build_shard
    from assay.storage.files import refuse_folder

    if compress and storage not in (None, "jsonl.zst"):
        raise click.UsageError(f"--compress and --storage {storage} contradict each other; give only one of them.")
    workers = workers or default_workers()
    with engine_of(engine, workers) as executor, output.stages(silently=quiet) as stage:
        if source is None and are_generated(families):
            train = lexical.pop("train", None)
            family = families[0].partition("/")[0]
            lacking = () if train else READING
            options.refuse(context, lacking, f"is for families that are made from a corpus; {family} is generated")
            options.refuse(context, tuple({*options.LEXICAL} - {"train"}), "is for the family lexical")
            if family != "heuristics":
                options.refuse(context, ("train",), "is only for generated heuristics, and for lexical")
            refuse_folder(out, over=SUITE if overwrite else None)
            recipes_for(families, seed=seed, switches=switches, ladder=ladder)  # refuses a ladder that makes no sense
            corpus: Any = generated(
                per_subcase, family=family, split=split, seed=seed, switches=switches, grammar=grammar
            )
            switches = {}  # its pairs have them
            if train:
                trained_on = read(train, seed=seed, **reading)
                counts = seen_in_training(trained_on, grammar=corpus.grammar, workers=workers, stage=stage)
                corpus.notes = tuple(training_notes(counts, trained_on.name))
        else:
            options.refuse(
                context, OF_GENERATED, "is only for generated pairs: `assay build heuristics` without --from"
            )
            if not {"lexical", "all"} & {name.partition("/")[0] for name in families}:
                options.refuse(context, ("train",), "is only for generated heuristics, and for lexical")
                options.refuse(context, options.LEXICAL, "is for the family lexical")
            corpus = read(source or "bundled", seed=seed, **reading)
        asked: dict[str, Any] = {
            "seed": seed,
            "switches": {**switches, **lexical_switches(**lexical)},
            "ladder": ladder,
        }
        if shard:
            if source == "-":
                raise click.UsageError("--shard reads the corpus in every shard, so it can't be standard input.")
            with planned_build(families, corpus, **asked) as (pairs, recipes), worker_pool(workers, executor) as pool:
                made = build_shard(pairs, recipes, out, pool=pool, shard=shard, stage=stage)
            output.note_shard(made, silently=quiet)
            return
        if merge:
            refuse_folder(out, over=SUITE if overwrite else None)
            pool = gather_parts(finished_shards(merge), parts_of(out))
        suite = build(
            families,
            corpus,
            out=out,
            **asked,
            storage="jsonl.zst" if compress else storage,
            overwrite=overwrite,
            workers=workers,
            executor=pool if merge else executor,
            stage=stage,
        )
    if as_json:
        output.show_json(suite.manifest)
    else:
        output.show(suite_summary(suite.manifest))
    if corpus.problems:
        output.note(
            f"{len(corpus.problems):,} broken records were left out; they are listed in {out / 'problems.jsonl'}",
            silently=quiet,
        )
    if not len(suite):
        output.note("No cases were made; the reasons are above and in the manifest.", silently=quiet)
    output.note(f"The suite is in {out}", silently=quiet)
