"""assay show."""

from pathlib import Path

import click

from assay.cli import options, output

FIGURES = (
    *(
        "accuracy",
        "logic",
        "side-by-side",
        "seeds",
        "variants",
        "swap",
        "sides",
        "heuristics",
        "subcases",
        "categories",
    ),
    *("severity", "confusion", "calibration", "fallbacks", "shortcuts", "moves", "errors", "versus"),
    *("thresholds", "certified", "burial", "groups", "slices", "published", "related", "skips", "findings"),
)
"""The tables of a report, those of models side by side, and the findings; a test compares them with the reports."""

DIAGNOSIS = "diagnosis"
"""The table that says which shortcuts models follow, what edits do, and what goes with their errors."""


@click.command(
    "show",
    cls=options.AssayCommand,
    examples=("assay show runs --table diagnosis", "assay show runs --failures 5 --family negation"),
)
@click.argument("run", type=options.RunFolder())
@click.option(
    "--table",
    "figures",
    multiple=True,
    type=click.Choice([*FIGURES, DIAGNOSIS]),
    metavar="TABLE",
    help=f"Only this table, or the findings; may be repeated. By default, what `assay run` showed. "
    f"One of {', '.join(FIGURES)}; or diagnosis, which can't be combined with others.",
)
@click.option("--all", "everything", is_flag=True, help="Every model by test and label, findings and examples.")
@click.option(
    "--failures",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the N most telling failures, spread over families and models: right before the edit, most confident.",
)
@click.option("--model", "models", multiple=True, metavar="MODEL", help="Failures of this model; may be repeated.")
@click.option("--family", "families", multiple=True, metavar="FAMILY", help="Failures in this family; may be repeated.")
@options.as_json
@options.talk
@click.pass_context
def command(
    context: click.Context,
    run: Path,
    figures: tuple[str, ...],
    everything: bool,
    failures: int | None,
    models: tuple[str, ...],
    families: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show a stored run again: its tables and examples, single tables such as confusion, or where models fail.

    RUN is the folder of a stored run, or a folder of runs, of which the newest is shown. Nothing is measured again,
    except on slices that were saved in the browser, which are counted from the stored answers.
    --json gives the whole record, even with --table, or the diagnosis; with --failures, it gives the failures.
    """
    from assay.reports.published.comparable_results import with_published
    from assay.reports.terminal.example_list import failure_list, names_of
    from assay.reports.terminal.run_screen import run_screen
    from assay.reports.terminal.run_summary import figure_summary, full_summary
    from assay.run.case_index.saved_slices import slice_accuracies
    from assay.run.failure_examples import find_failures
    from assay.run.stored_run import open_run
    from assay.storage.remote import with_addresses

    if DIAGNOSIS in figures:
        if len(figures) > 1:
            raise click.UsageError("Show the diagnosis without other tables.")
        options.refuse(context, ("families", "failures", "everything"), "is not for the diagnosis")
        _show_diagnosis(run, models, as_json=as_json)
        return
    if failures is None:
        options.refuse(context, ("models", "families"), "needs --failures")
    else:
        options.refuse(context, ("figures", "everything"), "cannot be used with --failures")
        found = find_failures(run, failures, models=models, families=families)
        output.show_json(found) if as_json else output.page(failure_list(found, named=names_of(open_run(run))))
        return
    record = open_run(run)
    if as_json:
        output.show_json(with_published(record))
    elif figures or everything:
        slices = slice_accuracies(record) if everything or "slices" in figures else []
        output.show(figure_summary(record, figures, slices=slices) if figures else full_summary(record, slices=slices))
        output.note_report(run, silently=quiet)
    else:
        output.show(run_screen(record, folder=with_addresses(str(run))))


def _show_diagnosis(run: Path, models: tuple[str, ...], *, as_json: bool) -> None:
    """Show the stored diagnosis; a run that was stored without one is diagnosed now."""
    from assay.reports.terminal.run_summary import diagnosis_summary
    from assay.run.api import diagnose
    from assay.run.stored_run import open_run

    found = diagnose(run, models=models)
    output.show_json(found) if as_json else output.show(diagnosis_summary(open_run(run), found))
