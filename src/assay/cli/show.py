"""assay show."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from assay.cli import options as shared
from assay.cli import output
from assay.core.errors import did_you_mean
from assay.core.option_fields import OptionInfo, given_options, option_words, refuse_options
from assay.run.run_options import ReadOptions
from assay.storage.remote import is_address
from assay.studies.analyses.analysis_options import ANALYSIS_NAMES, GROUP, AnalysisOptions

FIGURES = (
    *("accuracy", "logic", "side-by-side", "seeds", "variants", "swap", "sides"),
    *("heuristics", "subcases", "categories"),
    *("severity", "confusion", "calibration", "fallbacks", "shortcuts", "moves", "errors", "versus"),
    "unknown-shortcuts",
    *("thresholds", "certified", "burial", "groups", "slices", "published", "related", "skips", "findings"),
)
"""The tables of a report, those of models side by side, and the findings; a test compares them with the reports."""

DIAGNOSIS = "diagnosis"  # the tables of shortcuts, of changes after edits, and of correlates of errors
SENSITIVITY = "sensitivity"  # the table of the reliance on a shortcut that the diagnosis would have found
ALONE = (DIAGNOSIS, SENSITIVITY, *ANALYSIS_NAMES)  # tables that are computed from a run's answers, one at a time
EXAMPLES = 3  # records of a data file that are shown


class ShowOptions(AnalysisOptions, frozen=True, kw_only=True):
    tables: Annotated[
        tuple[str, ...],
        OptionInfo(
            f"Only this table, or the findings; may be repeated. One of {', '.join(FIGURES)}; or on its own, one of "
            f"{', '.join(ALONE)}.",
            "--table",
            metavar="TABLE",
            many=True,
        ),
    ] = ()
    everything: Annotated[bool, OptionInfo("Every model by test and label, findings and examples.", "--all")] = False
    failures: Annotated[
        int | None,
        OptionInfo(
            "The N most informative failures, spread over families and models; confident errors after edits first.",
            metavar="N",
            at_least=1,
        ),
    ] = None
    to: Annotated[
        Literal["md", "csv", "latex"] | None,
        OptionInfo("Print an analysis as Markdown or LaTeX, or all its numbers as CSV.", group=GROUP),
    ] = None

    @property
    def alone(self) -> str:
        """The table that is shown on its own, or nothing."""
        found = [table for table in self.tables if table in ALONE]
        if found and len(self.tables) > 1:
            raise click.UsageError(f"Show --table {found[0]} without other tables.")
        return found[0] if found else ""


@click.command(
    "show", cls=shared.AssayCommand, examples=("assay show bundled --limit 20", "assay show runs --table diagnosis")
)
@click.argument("places", metavar="RUN|DATA", nargs=-1, required=True)
@shared.fields(ShowOptions)
@shared.fields(ReadOptions, "reading")
@shared.as_json
@shared.config
@shared.talk
def command(places: tuple[str, ...], options: ShowOptions, reading: ReadOptions) -> None:
    """Show a stored run, one of its tables, where its models fail, or what Assay reads from a data file.

    RUN is a run folder, or a folder of runs (the newest is shown). No model is run again. --json prints the
    whole record, even with --table. For a table that is shown on its own, it prints that table; with --failures, the
    failures.

    For DATA (a file, folder or corpus), it shows format, rows, labels, lengths, what is skipped and why, examples
    and problems. Lengths are in words and, with --model, in tokens of that model, with the number of pairs that
    don't fit.
    """
    for table in options.tables:
        if table not in (known := (*FIGURES, *ALONE)):
            raise click.UsageError(f"No table {table!r}{did_you_mean(table, known)} One of {', '.join(known)}.")
    if len(places) == 1 and not options.tables and options.failures is None and _is_data(places[0]):
        refuse_options(options, _names_without(options, ("models",)), "is not for data files")
        _show_data(places[0], options.models, reading)
        return
    refuse_options(reading, (), "applies to data files only")
    runs = [shared.RunFolder().convert(place, None, click.get_current_context()) for place in places]
    if len(runs) > 1 and options.alone not in ANALYSIS_NAMES:
        raise click.UsageError("Show one run at a time; `assay compare` compares two.")
    if options.alone in ANALYSIS_NAMES:
        _show_analysis(runs, options)
    elif options.alone == DIAGNOSIS:
        refuse_options(options, _names_without(options, ("tables", "models")), "is not for the diagnosis")
        _show_diagnosis(runs[0], options.models)
    elif options.alone == SENSITIVITY:
        refuse_options(options, _names_without(options, ("tables",)), "is not for the sensitivity")
        _show_sensitivity(runs[0])
    elif options.failures is not None:
        refuse_options(options, ("tables", "everything"), "cannot be used with --failures")
        _show_failures(runs[0], options)
    else:
        refuse_options(options, ("models", "families"), "needs --failures")
        refuse_options(options, _names_without(options, ("tables", "everything")), "applies to another table")
        _show_run(runs[0], options)


def _names_without(options: ShowOptions, allowed: tuple[str, ...]) -> list[str]:
    """Options that have no effect; the number of processes never hurts."""
    return [name for name in options.__struct_fields__ if name not in (*allowed, "workers")]


def _is_data(place: str) -> bool:
    """True if this is a data file, a folder of them, or the name of a corpus, and not a run."""
    from assay.corpora.byte_streams import COMPRESSED_ENDINGS, DATA_ENDINGS
    from assay.corpora.reader import BUNDLED, STANDARD_INPUT
    from assay.run.stored_run import RECORD, run_folder

    endings = (*DATA_ENDINGS, *COMPRESSED_ENDINGS, ".zip")
    if place in (BUNDLED, STANDARD_INPUT) or place.startswith("hf:"):
        return True
    if is_address(place):
        return place.endswith(endings)
    path = Path(place)
    if path.is_dir():
        has_run = (run_folder(path) / RECORD).is_file()
        return not has_run and any(each.name.endswith(endings) for each in path.iterdir())
    return path.is_file() or place.endswith(endings) or ".zip/" in place


def _show_data(place: str, models: tuple[str, ...], reading: ReadOptions) -> None:
    import msgspec

    from assay.core.pair import Pair
    from assay.corpora.reader import read
    from assay.reports.terminal.suite_summary import inspection_summary
    from assay.run.predict.text_lengths import measure_lengths

    corpus = read(place, **reading.given_reading())
    kinds: dict[str, None] = {}
    examples: list[Any] = []

    def pairs() -> Iterator[Pair]:
        for record in corpus.records():
            kinds[type(record).__name__] = None
            if len(examples) < EXAMPLES:
                examples.append(msgspec.to_builtins(record))
            if isinstance(record, Pair):
                yield record

    lengths = measure_lengths(pairs(), models)
    words = shlex.join([place, *option_words(reading)])
    commands = {
        "Pair": [f"assay run --from {words} --model MODEL", f"assay audit {words}"],
        "Problem": [
            f"assay run --from {words} --family numeracy",
            f"assay build numeracy --from {words} --out numeracy",
        ],
    }
    found = {
        **msgspec.to_builtins(corpus.summary()),
        "lengths": msgspec.to_builtins(lengths),
        "problems": msgspec.to_builtins(corpus.problems),
        "examples": examples,
        "commands": commands.get(" ".join(kinds), []),
    }
    output.show_result(found, lambda: inspection_summary(found))


def _show_analysis(runs: list[Path], options: ShowOptions) -> None:
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.studies.analyses.analysis_list import ANALYSES, analysis_text

    entry = ANALYSES[options.alone]
    if len(runs) > 1 and not entry.several:
        raise click.UsageError(f"--table {entry.name} is about one run.")
    refuse_options(options, _names_without(options, ("tables", "to", *entry.options)), f"is not for {entry.name}")
    given = {field.name for field in given_options(options)}
    for name in entry.required:
        if name not in given:
            needed = f"--set {name}=SUITE+SUITE" if name == "targets" else f"--{name}"
            raise click.UsageError(f"--table {entry.name} needs {needed}.")
    if "vectors" in given:
        output.note("Reading vectors takes a while the first time.")
    with output.stages() as stage:
        found = entry.compute(runs, options, stage)
    if output.wants_json():
        output.show_json(found)
    elif options.to:
        output.say(analysis_text(found, options.to), nl=False)
    else:
        output.show(show_parts(part for each in entry.tables(found) for part in (each, "")))


def _show_failures(run: Path, options: ShowOptions) -> None:
    from assay.reports.terminal.run_summary import failure_list
    from assay.run.measure import failures
    from assay.run.stored_run import open_run

    found = failures(run, options.failures or 1, models=options.models, families=options.families)
    shown = failure_list(found, space=open_run(run).label_space)
    output.show_json(found) if output.wants_json() else output.page(shown)


def _show_run(run: Path, options: ShowOptions) -> None:
    from assay.reports.published.comparable_results import with_published
    from assay.reports.terminal.run_summary import figure_summary, full_summary
    from assay.reports.terminal.terminal_tables import run_screen
    from assay.run.case_index.saved_slices import slice_accuracies
    from assay.run.stored_run import open_run
    from assay.storage.remote import with_addresses

    record, tables = open_run(run), options.tables
    if "unknown-shortcuts" in tables and not output.wants_json():
        from assay.run.find_shortcuts import is_searched, search_stored

        if not is_searched(record):
            record = search_stored(record, run)
            told = "`assay run --find-shortcuts` also runs models on new cases, which confirm or refute the rules."
            output.note(told)
    if output.wants_json():
        output.show_json(with_published(record))
    elif tables or options.everything:
        slices = slice_accuracies(record) if options.everything or "slices" in tables else []
        output.show(figure_summary(record, tables, slices=slices) if tables else full_summary(record, slices=slices))
        output.note_report(run)
    else:
        output.show(run_screen(record, folder=with_addresses(str(run))))


def _show_diagnosis(run: Path, models: tuple[str, ...]) -> None:
    """Show the stored diagnosis; a run that was stored without one is diagnosed now."""
    from assay.reports.terminal.run_summary import diagnosis_summary
    from assay.run.diagnose_run import diagnose
    from assay.run.stored_run import open_run

    found = diagnose(run, models=models)
    output.show_result(found, lambda: diagnosis_summary(open_run(run), found))


def _show_sensitivity(run: Path) -> None:
    from assay.evaluate.diagnose.planting import PLANTED
    from assay.reports.tables.diagnosis_tables import sensitivity_table
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.run.diagnose_run import find_sensitivity

    with output.stages() as stage:
        advance = stage("Planting shortcuts into honest answers", len(PLANTED))
        found = find_sensitivity(run, lambda: advance(1))
    output.show_result(found, lambda: show_parts([sensitivity_table(found)]))
