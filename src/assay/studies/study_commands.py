"""assay study run, show and plan."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli import options, output
from assay.cli.output import say

if TYPE_CHECKING:
    from assay.studies.plan.study_record import StudyRecord

PAGE = "report.html"
"""The page of a study, in its folder."""

MOST = 30
"""The most tests, or published numbers, of a table that are printed in brief; the page has all."""

SHOWN = click.option(
    "--to",
    type=click.Choice(["html", "md", "latex", "json"]),
    help="Print a page, Markdown, LaTeX, or the record with the published numbers, in place of the tables.",
)


@click.command("show")
@click.argument("folders", type=options.PathOrAddress(exists=True), nargs=-1, required=True)
@SHOWN
@options.talk
def show(folders: tuple[Path, ...], to: Any, quiet: bool) -> None:  # noqa: ARG001 - there is nothing else to print
    """Show a stored study again: all its tables, in any format.

    FOLDERS are the folders that `assay study run` made. Studies of one plan that were run for different systems
    (`--only system=esim`) are shown as one.
    """
    from assay.studies.plan.joint_records import open_studies

    show_study(open_studies(folders), to)


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


def _only(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, list[str]]:
    """Read `system=esim` and the like; the same name twice means either."""
    found: dict[str, list[str]] = {}
    for each in values:
        name, given, value = each.partition("=")
        if not given or not value:
            raise click.BadParameter(f"{each!r} is not of the form system=NAME, condition=NAME or seed=N")
        found.setdefault(name, []).append(value)
    return found


@click.command("run")
@click.argument("study", metavar="NAME|FILE")
@click.option(
    "--data",
    type=options.PathOrAddress(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Where the plan's corpora are, if the plan does not say. Without either, the bundled corpus stands in, to see "
    "how a study works.",
)
@click.option(
    "--out",
    type=options.PathOrAddress(here=True),
    default=Path("studies"),
    show_default=True,
    help="Folder of studies; they share their training runs.",
)
@click.option(
    "--preset",
    type=click.Choice(["paper", "allennlp", "laptop", "tiny"]),
    help="Model sizes and training schedule, in place of the plan's.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most N pairs of each corpus, for training, development and tests.",
)
@click.option(
    "--only",
    multiple=True,
    callback=_only,
    metavar="NAME=VALUE",
    help="Only this system, condition or seed, such as system=esim. May be repeated.",
)
@click.option("--dry-run", is_flag=True, help="Say how many training runs there are and how long they take, and stop.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Training runs at the same time; by default, one per core.",
)
@options.engine
@SHOWN
@options.as_json
@options.config
@options.talk
def run(
    study: str,
    data: Path | None,
    out: Path,
    preset: str | None,
    sample: int | None,
    only: dict[str, list[str]],
    dry_run: bool,
    workers: int | None,
    engine: str,
    to: Any,
    as_json: bool,
    quiet: bool,
) -> None:
    """Repeat a training experiment: train systems under several conditions, test them, and show the tables.

    NAME is a plan that comes with Assay (`assay list studies`), FILE a plan of your own. Studies share the training
    runs that they have in common. If a study is interrupted, repeat the same command to resume it.
    """
    from assay.run.workers.engines import engine as engine_of
    from assay.run.workers.pool import default_workers
    from assay.storage.files import write_whole
    from assay.studies.plan.plan_file import find_plan
    from assay.studies.plan.run_study import StudyRequest, run_study
    from assay.studies.plan.study_page import study_text

    tell: Any = partial(output.note, silently=quiet)
    plan = find_plan(study)
    folder = data or (Path(plan.data) if plan.data else None)
    request = StudyRequest(out, data=folder, preset=preset, sample=sample, only=only, workers=workers)
    pool = engine_of(engine, workers or default_workers(), hangs=0)  # nobody knows how long a training takes
    with pool as executor, output.stages(silently=quiet) as stage:
        record = run_study(
            plan,
            request,
            dry_run=dry_run,
            executor=executor,
            foresee=lambda ahead: tell(_told(ahead, plan.kind)),
            stage=stage,
            tell=tell,
        )
    if record is None:
        return
    write_whole(out / record.id / PAGE, study_text(record, "html").encode())
    show_study(record, "json" if as_json else to, brief=True)
    tell(f"The study is stored in {out / record.id}; its page is {out / record.id / PAGE}")
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
