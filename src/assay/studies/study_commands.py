"""assay study run, show, plan and mitigate."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import options, output
from assay.cli.output import say
from assay.studies.plans import PAGE, MitigateOptions, StudyOptions, mitigate, study

if TYPE_CHECKING:
    from assay.studies.plan.study_record import StudyRecord

MOST = 30
"""Maximum number of tests, or published numbers, of a table that are printed in brief; the page has all."""

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
            options=wanted, foresee=lambda plan, ahead: tell(_told(ahead, plan.kind)), stage=stage, tell=tell
        )
    if record is None:
        return
    show_study(record, "json" if output.wants_json() else to, brief=True)
    folder = Path(wanted.out) / record.id
    tell(f"The study is stored in {folder}; its page is {folder / PAGE}")
    if record.missing:
        raise click.exceptions.Exit(1)


def _told(ahead: Any, kind: str) -> str:
    """A sentence about what is about to happen."""
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
    say(plans[name].read_text(encoding="utf-8"), nl=False)


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
    default=Path("prescription.yaml"),
    show_default=True,
    help="File for the plan.",
)
@options.overwrite
@options.as_json
@options.config
@options.talk
def prescribe(wanted: MitigateOptions, out: Path, overwrite: bool) -> None:
    """Write a plan of mitigations for a model of a run, from its diagnosis.

    RUN is a run folder, or a folder of runs (the newest is used). For each shortcut that the model follows, the plan
    has training runs that may help, suites that measure whether they do, and suites that are withheld from them. `assay
    study run prescription.yaml` trains, tests, and shows before and after.
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
