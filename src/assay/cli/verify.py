"""assay verify."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import options, output

if TYPE_CHECKING:
    from assay.run.verify_stored import Standing, Verified, VerifiedRun

SAID: dict["Standing", str] = {"proven": "verified", "unchecked": "without a check", "unclaimed": "not claimed to hold"}

ASSUMED = (
    "verified: under the assumptions of each family; where an edit keeps the label, that of the source is trusted."
)

LEXICAL = (
    "lexical: verified if both sentences are about the same event and words have their usual sense;",
    "the evidence is WordNet, number values and rules for the word's place, stricter in running text than in captions.",
)


@click.command("verify", cls=options.AssayCommand, examples=("assay verify my-suite", "assay verify runs --deep"))
@click.argument("folder", type=options.RunFolder(exists=True))
@click.option("--deep", is_flag=True, help="Also recompute every number of a run from its stored answers.")
@options.workers
@options.engine
@options.sharding
@options.as_json
@options.talk
def command(folder: Path, deep: bool, workers: int | None, engine: str, shard: Any) -> None:
    """Check a suite or a stored run, and say what was checked.

    For a suite, checks digests, schema and ids, that the manifest's seed, recipes and counts fit the cases and each
    other, and verifies the label of every strict case again, under the assumptions that the page of its family lists.
    An edit that keeps the label is verified to do so; the label of the source pair itself is not checked.
    Cases of the fidelities `paper` and `code`, and swapped pairs, have no verified labels; they are counted separately.
    For a run, checks the seal of its record, each of its suites, and the digest of
    every file of answers. A folder of runs means its newest run.

    Exits with 1 and names the problem if anything is damaged, if a label does not hold or, with --deep, if a number
    does not follow from the answers.
    """
    from assay.core.errors import CheckFailedError
    from assay.run.verify_stored import examine, examine_run, is_run
    from assay.run.workers.engines import engine_pool
    from assay.run.workers.pool import default_workers
    from assay.run.workers.shard import Shard, examine_merged, verify_shard

    if isinstance(shard, Shard) and is_run(folder):
        raise click.UsageError(f"--shard needs one suite: name one of {folder / 'suites'}.")
    if deep and not is_run(folder) and not isinstance(shard, Shard):
        raise click.UsageError(f"--deep recomputes the numbers of a run, but {folder} is not a run.")
    with engine_pool(engine, workers or default_workers()) as pool:
        if isinstance(shard, Shard):
            output.note_shard(verify_shard(folder, pool=pool, shard=shard))
            return
        if is_run(folder):
            run = examine_run(folder, deep=deep, pool=pool)
            damages, facts, lines = run.damages, _run_facts(folder, run), list(_run_lines(folder, run))
        else:
            suite = examine_merged(folder, shard) if shard else examine(folder, pool=pool)
            damages, facts, lines = suite.damages, {"suite": str(folder), "labels": _labels(suite)}, _suite_lines(suite)
    if output.wants_json():
        output.show_json({**facts, "damages": damages})
    if damages:
        raise CheckFailedError("\n  ".join([f"{folder} is damaged:", *damages]))
    if not output.wants_json():
        output.note(f"{folder} is complete and undamaged; {lines[0]}")
        for line in lines[1:]:
            output.note(f"  {line}")


def _labels(suite: "Verified") -> "dict[Standing, int]":
    return {standing: suite.labels[standing] for standing in SAID}


def _suite_lines(suite: "Verified") -> list[str]:
    """The checks of a suite, and their meaning where a family assumes more than its text."""
    known = ", ".join(f"{count:,} {SAID[standing]}" for standing, count in _labels(suite).items() if count)
    lines = [f"labels: {known or 'none'}."]
    if suite.labels["proven"]:
        lines += [ASSUMED, *(LEXICAL if "lexical" in suite.families else ())]
    return lines


def _run_facts(folder: Path, run: "VerifiedRun") -> dict[str, Any]:
    return {
        "run": str(folder),
        "suites": {name: {"labels": _labels(suite)} for name, suite in run.suites.items()},
        "files": run.files,
        "answers": run.answers,
        "figures": run.figures,
    }


def _run_lines(folder: Path, run: "VerifiedRun") -> Iterator[str]:
    yield "checked:"
    yield f"{folder / 'record.json'}: its seal matches."
    for name, suite in run.suites.items():
        count = suite.labels.total()
        yield f"The suite {name}: seal, digests, counts and ids of {count:,} cases match; {_suite_lines(suite)[0]}"
    yield f"The digests of {run.files:,} files with {run.answers:,} answers match."
    if run.figures is None:
        yield "Numbers were not recomputed; add --deep to do that."
    else:
        yield f"{run.figures:,} numbers were recomputed from the answers and are the same."
