"""assay run."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options as shared
from assay.cli import output
from assay.run.run_options import RunOptions

EXAMPLES = (
    "assay run --family negation --model assay:overlap",
    "assay run --from pairs.csv --columns premise=text_a --sample 200 --default-models",
)


@click.command("run", cls=shared.AssayCommand, examples=EXAMPLES)
@shared.fields(RunOptions)
@click.option("--dry-run", is_flag=True, help="Build the tests and show the cost of the models, without running them.")
@click.option(
    "--progress",
    cls=shared.GroupedOption,
    group=shared.OUTPUT,
    type=click.Choice(["bar", "json"]),
    default="bar",
    show_default=True,
    help="Show progress on standard error as bars in a terminal, or as lines of JSON for another program.",
)
@click.option(
    "--no-report", cls=shared.GroupedOption, group=shared.OUTPUT, is_flag=True, help="Do not write report.html."
)
@shared.sharding
@shared.as_json
@shared.config
@shared.talk
def command(options: RunOptions, dry_run: bool, progress: str, no_report: bool, shard: Any) -> None:
    """Test models: build tests from a corpus, run every model on them, measure, and store the run.

    Without options, it uses the bundled corpus, all families of stress tests, a sample of generated pairs and the
    default models. The terminal shows verdicts and one table, your models first and baselines last; `assay show RUN
    --all` prints the rest. With --suite, but without --from or --family, nothing is built. Repeat the same command to
    resume an interrupted run; if only its page is missing, the page is written.

    With --set, besides switches of the families: all_models=yes adds every model that comes with Assay,
    truncate=error stops if a premise is too long for a model, and collapse=sum adds up the probabilities of
    neutral and contradiction when three-way answers are read as two-way.
    """
    from assay.run.api import forecast, run
    from assay.run.plan_sample import plan, plan_text
    from assay.run.workers.shard import Shard, ask_shard, finished_shards, gather_answers
    from assay.storage.files import folder_of_work

    tell = output.note
    merged = finished_shards(shard) if isinstance(shard, Path) else []
    if merged:
        place = folder_of_work(Path(options.out) / merged[0].card.place)
        gather_answers(merged, place, cache=options.cache)
    with output.stages(as_json=progress == "json") as stage:
        if dry_run:
            costs = forecast(options=options, stage=stage)
            plans = plan(options=options, stage=stage) if options.effect is not None else []
        elif isinstance(shard, Shard):
            folder = ask_shard(options, shard, stage=stage, tell=tell)
        else:
            record = run(options=options, leave_open=not no_report, stage=stage, tell=tell)
    if dry_run:
        texts = [*(cost.text for cost in costs.values()), *([plan_text(plans, options.effect or 0.0)] if plans else [])]
        output.show_json({"costs": costs, "plan": plans} if plans else costs) if output.wants_json() else output.show(
            "\n".join(texts)
        )
    elif isinstance(shard, Shard):
        output.note_shard(folder)
    else:
        if merged and merged[0].card.made_of != {name: suite.digest for name, suite in record.suites.items()}:
            tell("The shards hold other cases, perhaps because the corpus has changed: all models were run again.")
        _show_run_page(record, as_page=not no_report)


def _show_run_page(record: Any, *, as_page: bool) -> None:
    """Print a run with notes about it, and write its page."""
    from assay.reports.published.comparable_results import with_published
    from assay.reports.terminal.terminal_tables import run_screen, verdict_screen
    from assay.reports.write.output_formats import write_page
    from assay.storage.remote import with_addresses

    if as_page:
        write_page(record)
    if output.wants_json():
        output.note(f"The run is stored in {record.folder}")
        output.note_report(record.folder)
        output.show_json(with_published(record))
    else:
        output.show(
            verdict_screen(record)
            if output.is_quiet()
            else run_screen(record, folder=with_addresses(str(record.folder)))
        )
    for answers in record.models:
        for text in answers.notes:
            output.note(text)
        if answers.truncated:
            output.note(f"{answers.model}: the premises of {answers.truncated:,} cases were cut off.")
    for problems in sorted(record.folder.glob("suites/*/problems.jsonl")):
        output.note(f"Broken records were skipped; they are listed in {problems}")
