"""assay build."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options as shared
from assay.cli import output
from assay.run.run_options import BuildOptions

EXAMPLES = (
    "assay build negation spelling:keyboard --from pairs.csv --out my-suite",
    "assay build heuristics --per-subcase 10 --out hans",
)


@click.command("build", cls=shared.AssayCommand, examples=EXAMPLES)
@click.argument(
    "families", nargs=-1, required=True, metavar="FAMILY...", shell_complete=shared.complete("transforms", "all")
)
@shared.fields(BuildOptions)
@shared.sharding
@shared.as_json
@shared.config
@shared.talk
def command(options: BuildOptions, shard: Any) -> None:
    """Build families of tests from a corpus into a suite: a folder with a manifest and the cases.

    A FAMILY may name a variant, as in `spelling:keyboard`. `all` builds every family that can be built from a corpus,
    in all its variants. `original` keeps the pairs unchanged. On their own, `heuristics` (HANS) and the logic families
    (`scope`, `monotonicity`, `conjunction`, `quantifiers`, `comparatives`, `conditionals`) generate their pairs from
    templates. With --from, `monotonicity`, `conjunction` and `quantifiers` are built from the corpus instead.

    With --set, besides switches of the families: split=training and grammar=FILE (your own words and templates) for
    generated pairs, and categories=FILE, bigrams=FILE|symspell|train and per_pair=N|all for the family lexical.
    """
    from assay.reports.terminal.suite_summary import suite_summary
    from assay.run.api import build, planned_build
    from assay.run.build.suite_builder import SUITE, parts_of
    from assay.run.workers.engines import engine_pool
    from assay.run.workers.shard import Shard, build_shard, finished_shards, gather_parts
    from assay.storage.files import refuse_folder

    if options.out is None:
        raise click.UsageError("Missing option '--out'.")
    out = Path(options.out)
    if not isinstance(shard, Shard):
        refuse_folder(out, over=SUITE if options.overwrite else None)
    with output.stages() as stage:
        if isinstance(shard, Shard):
            if options.source == "-":
                raise click.UsageError("--shard reads the corpus in every shard, so it can't be standard input.")
            with (
                planned_build(options, stage=stage) as (pairs, recipes),
                engine_pool(options.engine, options.workers) as pool,
            ):
                folder = build_shard(pairs, recipes, out, pool=pool, shard=shard, stage=stage)
        else:
            merged = gather_parts(finished_shards(shard), parts_of(out)) if shard else None
            suite = build(options=options, executor=merged, stage=stage)
    if isinstance(shard, Shard):
        output.note_shard(folder)
        return
    output.show_result(suite.manifest, lambda: suite_summary(suite.manifest))
    if (problems := out / "problems.jsonl").is_file():
        count = len(problems.read_bytes().splitlines())
        output.note(f"{count:,} broken records were skipped; they are listed in {problems}")
    if not len(suite):
        output.note("No cases were built; the reasons are above and in the manifest.")
    output.note(f"The suite is in {out}")
