"""assay study: plans of training runs, mitigations, and one command for each experiment."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
import msgspec

from assay.cli import options, output
from assay.cli.options import AssayGroup
from assay.studies.plans import PAGE, MitigateOptions, StudyOptions, SupportOptions, TransferOptions, mitigate, study

if TYPE_CHECKING:
    from assay.studies.plan.study_record import StudyRecord


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


MOST = 30  # maximum number of tests, or published numbers, of a table that are printed in brief; the page has all

SHOWN = click.option(
    "--to",
    type=click.Choice(["html", "md", "latex", "json"]),
    help="Print a page, Markdown, LaTeX, or the record with the published numbers, in place of the tables.",
)


@click.command("show")
@click.argument("folders", type=options.PathOrAddress(exists=True), nargs=-1, required=True)
@SHOWN
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    metavar="FOLDER",
    help="Write the charts as SVG into this folder instead: seeds as points, published numbers hollow.",
)
@options.overwrite
@options.talk
def show(folders: tuple[Path, ...], to: Any, out: Path | None, overwrite: bool) -> None:
    """Show a stored study again: all its tables, in any format, or its charts.

    FOLDERS are the folders that `assay study run` made. Studies of one plan that were run for different systems
    (`--only system=esim`) are shown as one.
    """
    from assay.storage.files import refuse_existing, write_whole
    from assay.studies.plan.joint_records import open_studies

    record = open_studies(folders)
    if out is None:
        show_study(record, to)
        return
    pictures = {out / f"{plot.name}.svg": plot for plot in record.plots()}
    for path in pictures:
        refuse_existing(path, overwrite=overwrite)
    for path, plot in pictures.items():
        write_whole(path, plot.draw("svg"))
        output.note(f"{plot.title}: {path}")


def show_study(record: "StudyRecord", to: Any, *, brief: bool = False) -> None:
    """Print a study; in brief, without tests that have no verdict and without long tables."""
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.plan.study_page import study_text
    from assay.studies.plan.study_tables import study_parts

    if to:
        output.say(study_text(record, to), nl=False)
    else:
        parts = study_parts(record, brief=brief, most=MOST if brief else None)
        output.show(
            show_parts(part for each in parts for part in ((each,) if isinstance(each, str) else ("", each, "")))
        )


@click.command(
    "run",
    cls=options.AssayCommand,
    examples=("assay study run swap-training --preset tiny --sample 2000", "assay study run plan.yaml --dry-run"),
)
@click.argument("plan", metavar="NAME|FILE")
@options.fields(StudyOptions, "wanted")
@SHOWN
@options.as_json
@options.config
@options.talk
def run(wanted: StudyOptions, to: Any) -> None:
    """Repeat a training experiment: train systems under several conditions, test them, and show the tables.

    NAME is a plan that comes with Assay (`assay list studies`), FILE a plan of your own. A training run
    trains and tests one system; studies share the runs that they have in common. If a study is interrupted, repeat
    the same command: finished training runs are stored, and the others continue.
    """
    tell: Any = output.note
    with output.stages() as stage:
        record = study(
            options=wanted,
            foresee=lambda plan, ahead: tell(_describe_forecast(ahead, plan.kind)),
            stage=stage,
            tell=tell,
        )
    if record is None:
        return
    show_study(record, "json" if output.wants_json() else to, brief=True)
    folder = Path(wanted.out) / record.id
    tell(f"The study is stored in {folder}; its page is {folder / PAGE}")
    if record.missing:
        raise click.exceptions.Exit(1)


def _describe_forecast(ahead: Any, kind: str) -> str:
    from assay.training.command import duration

    there = f", {ahead.finished} of them finished" if ahead.finished else ""
    runs = f"{ahead.trainings} training run{'s' if ahead.trainings > 1 else ''}"
    if ahead.expected is None:
        return f"{runs}{there}."
    workers = ahead.expected.workers
    side = f", {workers} at a time" if workers > 1 else ""
    untried = " for training, and some minutes per run for the tasks, which are not tried" if kind == "transfer" else ""
    warning = f"\n{ahead.warning}" if ahead.warning else ""
    by_system = ahead.expected.systems
    told = [f"{name} {duration(seconds)}" for name, seconds in sorted(by_system.items(), key=lambda item: -item[1])]
    cost = f" By system, one after another: {', '.join(told)}." if len(told) > 1 else ""
    return f"{runs}{there}{side}: about {duration(ahead.expected.elapsed)}{untried}.{cost}{warning}"


@click.command("plan")
@click.argument("name")
def plan(name: str) -> None:
    """Print the plan of a built-in study, to change it and run it as your own: `assay study run FILE`."""
    from assay.core.errors import UnknownNameError, did_you_mean
    from assay.studies.plan.plan_file import built_in_plans

    plans = built_in_plans()
    if name not in plans:
        raise UnknownNameError(f"No study {name!r}{did_you_mean(name, plans)} See `assay list studies`.")
    output.say(plans[name].read_text(encoding="utf-8"), nl=False)


@click.command(
    "mitigate",
    cls=options.AssayCommand,
    examples=("assay study mitigate runs", "assay study mitigate runs --data DATA --set withheld=heuristics.txt"),
)
@click.argument("run", type=options.RunFolder())
@options.fields(MitigateOptions, "wanted")
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    default=Path("mitigation.yaml"),
    show_default=True,
    help="File for the plan.",
)
@options.overwrite
@options.as_json
@options.config
@options.talk
def propose(wanted: MitigateOptions, out: Path, overwrite: bool) -> None:
    """Write a plan of mitigations for a model of a run, from its diagnosis.

    RUN is a run folder, or a folder of runs (the newest is used). For each shortcut that the model follows, the plan
    has training runs that may help, suites that measure whether they do, and suites that are withheld from them. `assay
    study run mitigation.yaml` trains, tests, and shows before and after.
    """
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.storage.files import refuse_existing, write_whole
    from assay.studies.mitigation.propose_mitigations import proposal_parts

    tell: Any = output.note
    refuse_existing(out, overwrite=overwrite)
    found = mitigate(options=wanted)
    if isinstance(found, str):
        output.say(found)
        tell("Nothing was written.")
        return
    write_whole(out, found.text.encode(), over_any=False)
    output.show_result(found, lambda: show_parts(proposal_parts(found)))
    tell(f"The plan is {out}. Run it: assay study run {out}")
    if not found.data:
        tell(
            "No data was named, so the bundled corpus is used. It shows how a study works; its numbers mean nothing.\n"
            "  For real numbers, add --data FOLDER, or --from, --dev and --test with your own pairs."
        )


@click.group(
    "study", cls=AssayGroup, examples=("assay study support --limit 60", "assay study mitigate runs --out plan.yaml")
)
def command() -> None:
    """Repeat the papers' training experiments, or measure what training data teaches and what influences a judge."""


for each in (run, show, plan, propose, support, data_map, transfer, judge):
    command.add_command(each)
