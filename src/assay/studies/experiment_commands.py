"""The other commands of assay study: one for each experiment."""

from pathlib import Path
from typing import Any, cast

import click
import msgspec

from assay.cli import options, output
from assay.studies.experiment_options import SupportOptions, TransferOptions


@click.command("data-map")
@click.argument("folder", type=options.PathOrAddress(exists=True, file_okay=False))
@click.option("--out", type=options.PathOrAddress(writes=True), help="Draw the map into this file: map.svg or map.png.")
@options.overwrite
@options.as_json
@options.talk
def data_map(folder: Path, out: Path | None, overwrite: bool) -> None:
    """Show how a system learned its training pairs: which are easy, ambiguous, hard or forgotten.

    FOLDER is a system that was trained with `assay train --set data_map=yes`. `assay train --set
    map_from=FOLDER,keep=ambiguous:0.33` trains on a part of the pairs.
    """
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.reports.write.pictures import draw_chart
    from assay.storage.files import refuse_existing, write_whole
    from assay.training.data_map import map_chart, map_parts, study_map

    kind = out.suffix.lstrip(".").lower() if out else "svg"
    if kind not in ("svg", "png"):
        raise click.UsageError(f"--out {out}: name a file that ends in .svg or .png.")
    if out:
        refuse_existing(out, overwrite=overwrite)
    found = study_map(folder)
    if out:
        write_whole(out, draw_chart(map_chart(found), cast("Any", kind)), over_any=False)
        output.note(f"The map is in {out}")
    output.show_result(found, lambda: show_parts(map_parts(found)))


@click.command("judge")
@click.option(
    "--model",
    required=True,
    shell_complete=options.complete("models"),
    help="The judge: openai:MODEL@URL, with the options of its name.",
)
@options.source
@click.option("--dry-run", is_flag=True, help="Show the cost, without any call.")
@click.option("--budget", type=click.FloatRange(min=0), metavar="AMOUNT", help="Stop before it costs more than this.")
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
@options.reading
@options.as_json
@options.config
@options.talk
def judge(
    model: str,
    source: str,
    dry_run: bool,
    budget: float | None,
    no_cache: bool,
    **reading: Any,
) -> None:
    """Find out what, besides the texts, influences a language model that judges pairs.

    The model judges the same pairs under changes that should not matter: without a premise, with the labels in other
    orders, with two label names exchanged, in three wordings, and twice. The tables show its label prior, the order
    effect, the prompt spread and its self-agreement; intervals count pairs with the same premise together. Every pair
    takes about eight calls: try `--sample 50` and `--dry-run` first.
    """
    from assay.corpora.reader import read
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.experiments.judge_study import judge_cost, leaning_parts, study_judge

    corpus = read(source, **reading)
    if dry_run:
        cost = judge_cost(model, corpus)
        output.show_result(cost, lambda: cost.text)
        return
    tell = output.note
    with output.stages() as stage:
        found = study_judge(model, corpus, budget=budget, cache=not no_cache, stage=stage, tell=tell)
    output.show_result(found, lambda: show_parts(leaning_parts(found)))


@click.command(
    "support",
    cls=options.AssayCommand,
    examples=(
        "assay study support --limit 60",
        "assay study support --limit 60 --out pairs.tsv --set side=contradict",
    ),
)
@options.fields(SupportOptions, "wanted")
@options.as_json
@options.config
@options.talk
def support(wanted: SupportOptions) -> None:
    """Count the pairs that support or contradict each of the three heuristics of HANS.

    A heuristic predicts entailment if the hypothesis has only words of the premise (lexical overlap), is a contiguous
    part of it (subsequence), or is a phrase of it (constituent; needs the trees in SNLI's and MultiNLI's files). A pair
    labelled entailment supports the heuristic; any other label contradicts it. Pairs are counted twice: by the
    definitions of the paper's own scripts, and by whole tokens.
    """
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.experiments.heuristic_support import published_support, study_support, support_parts

    if wanted.out is None and any((wanted.heuristic, wanted.definition, wanted.side)):
        raise click.UsageError("heuristic, definition and side choose what --out FILE writes; add --out FILE.")
    with output.stages() as stage:
        found = study_support(options=wanted, stage=stage)
    output.show_result(
        {**msgspec.structs.asdict(found), "published": published_support()}, lambda: show_parts(support_parts(found))
    )
    if wanted.out is not None:
        output.note(f"The pairs are in {wanted.out}")


@click.command(
    "transfer",
    cls=options.AssayCommand,
    examples=(
        "assay study transfer --model assay:cbow --data senteval",
        "assay study transfer --model hf:NAME --data senteval --set tasks=MR+TREC,pooling=cls",
    ),
)
@options.fields(TransferOptions, "wanted")
@click.option("--to", type=click.Choice(["md", "csv", "latex"]), help="Print Markdown, every number as CSV, or LaTeX.")
@options.as_json
@options.config
@options.talk
def transfer(wanted: TransferOptions, to: Any) -> None:
    """Measure what a sentence encoder is good for beyond inference, by SentEval's protocol.

    The encoder is frozen; a logistic regression is trained on its vectors for each of nine tasks: MR, CR, MPQA, SUBJ,
    SST, TREC, SICK-E, SICK-R and MRPC (Wang et al. 2019, Table 3). Vectors and finished tasks are cached, so repeat
    the same command to resume.
    """
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.analyses.analysis_list import parts_text
    from assay.studies.transfer.transfer_study import study_transfer, transfer_parts

    if missing := [name for name, given in (("--model", wanted.models), ("--data", wanted.data)) if not given]:
        raise click.UsageError(f"Missing {', '.join(missing)}.")
    with output.stages() as stage:
        found = study_transfer(options=wanted, stage=stage)
    if output.wants_json():
        output.show_json(found)
        return
    parts = transfer_parts(found)
    if to:
        output.say(parts_text(parts, found.estimates, to), nl=False)
    else:
        output.show(show_parts(parts))
