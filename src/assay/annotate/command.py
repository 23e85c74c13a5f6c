"""assay annotate."""

from pathlib import Path
from typing import Annotated, Any

import click

from assay.annotate.layouts import SampleOptions
from assay.cli import options as shared
from assay.cli import output
from assay.core.option_fields import SET, OptionInfo
from assay.run.run_options import ReadOptions

FOLDER = click.argument("folder", type=shared.PathOrAddress(exists=True, file_okay=False))


@click.command("export")
@FOLDER
@click.option(
    "--out",
    type=shared.PathOrAddress(file_okay=False, writes=True),
    help="Folder for the files; by default, the sample's own.",
)
@shared.overwrite
@shared.talk
def export_answers(folder: Path, out: Path | None, overwrite: bool) -> None:
    """Write the answers given in the browser to annotators' files.

    FOLDER holds key.jsonl and answers.sqlite. There is one file per person, in the format that
    `sample` writes, and adjudication.csv if anything was decided. `merge` reads these files.
    """
    from assay.annotate.answer_store import AnswerStore, export_sheets

    with AnswerStore(folder) as store:
        for path in export_sheets(store, out or folder, overwrite=overwrite):
            output.note(f"Written: {path}")


@click.command("import")
@FOLDER
@click.argument("files", nargs=-1, required=True, type=shared.PathOrAddress(exists=True, dir_okay=False))
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the annotators' files.")
@shared.talk
def import_answers(folder: Path, files: tuple[Path, ...], encoding: str) -> None:
    """Read annotators' files, so that people can continue in the browser.

    The name of a file is the name of its annotator, and cases stay in its order. An answer that was given in the
    browser is never replaced.
    """
    from assay.annotate.answer_store import AnswerStore, import_sheets

    with AnswerStore(folder) as store:
        for found in import_sheets(store, files, encoding=encoding):
            output.say(f"{found.added:>7,}  answers of {found.name} are new, {found.same:,} were known")
            for key in found.different:
                output.note(f"Kept the answer that {found.name} gave in the browser: {key}")


RESTORE = "\n  Restore the file from a copy, or ask these people again about these cases."


@click.command("history")
@FOLDER
@shared.as_json
@shared.talk
def show_history(folder: Path, **_: Any) -> None:
    """Check the history of answers in the browser: nothing is lost, doubled or out of order.

    With --json, all changes are shown: each answer with its author, case and time, and what was undone.
    """
    from assay.annotate.answer_store import AnswerStore, faults, history
    from assay.core.errors import CheckFailedError

    with AnswerStore(folder) as store:
        wrong, changes = faults(store), history(store)
    if output.wants_json():
        output.show_json([each._asdict() for each in changes])
    else:
        people = {each.person for each in changes}
        undone = sum(each.undoes is not None for each in changes)
        output.say(f"{len(changes):,} changes by {len(people):,} people, {undone:,} of them undo another")
    if wrong:
        raise CheckFailedError(
            f"{store.file.path}: the answer history is incomplete or damaged:\n"
            + "\n".join(f"  {each}" for each in wrong)
            + RESTORE
        )
    if not output.wants_json():
        output.say("The history is whole.")


@click.group(
    "annotate",
    cls=shared.AssayGroup,
    examples=("assay annotate sample bundled --out sample", "assay annotate agreement merged.jsonl"),
)
def command() -> None:
    """Have people check cases: draw a sample, merge their answers, measure how well they agree.

    `sample` writes one file per person, `merge` turns the answers into gold labels and statistics, and `agreement`
    measures how well people agree. People can also answer in the browser, with `assay serve`: `export` and `import`
    carry their answers to files and back, and `history` checks them.

    A layout is a set of questions. `events`: do the sentences describe the same event, does the second add
    information, is one incorrect (Glockner et al. 2018)? `label`: the label itself (McCoy et al. 2019). `claims`:
    does the evidence support the claim? `check`: the label, grammar and difficulty (Naik et al. 2018, section 3).
    `errors`: which of nine categories explains why a model got a case wrong (Naik et al. 2018, section 2). `notes`:
    what people notice, in their own words. `own`: your question, with your answers
    (--set question='Is it clear?' --set choices=yes+partly+no).
    """


@command.command("sample")
@click.argument("source", metavar="SUITE|CORPUS|RUN")
@click.option(
    "--out", required=True, type=shared.PathOrAddress(file_okay=False, writes=True), help="Folder for the sample."
)
@shared.fields(SampleOptions)
@click.option("--model", metavar="MODEL", help="For the layout errors: the model whose errors are categorised.")
@shared.reading
@shared.as_json
@shared.config
@shared.talk
def sample(source: str, out: Path, options: SampleOptions, model: str | None, **reading: Any) -> None:
    """Draw cases from a suite or a corpus and write one file per annotator.

    The files hold texts and questions, each in a different order, under ids that reveal nothing about a case. Give each
    person their file and instructions.md. Keep key.jsonl, which has the ids and labels: `merge` needs it. Only --layout
    errors shows labels: it draws from what a model of a stored run got wrong. Existing files are never overwritten: if
    you repeat the command with one more annotator, only the new file is written.
    """
    from assay.annotate.sample import draw_sample, drawn_from

    if model and options.layout != "errors":
        raise click.UsageError("--model needs --layout errors, in which people sort a model's errors.")
    given = drawn_from(source, options.layout, model=model, labels=options, reading=reading)
    found = draw_sample(given.cases, out, space=given.space, answers=given.answers, options=options)
    if output.wants_json():
        output.show_json(found)
    else:
        for stratum, count in found.strata.items():
            output.say(f"{count:>7,}  {stratum}")
    if found.cases < options.size:
        output.note(f"Drew all {found.cases:,} cases; there are fewer than {options.size:,}.")
    for name in found.kept:
        output.note(f"Kept unchanged: {out / name}")
    for name in found.written:
        output.note(f"Written: {out / name}")


@command.command("merge")
@click.argument("folder", type=shared.PathOrAddress(exists=True, file_okay=False))
@click.argument("files", nargs=-1, type=shared.PathOrAddress(exists=True, dir_okay=False))
@click.option(
    "--out", required=True, type=shared.PathOrAddress(dir_okay=False, writes=True), help="The JSON lines file to write."
)
@click.option(
    "--missing",
    type=click.Choice(["stop", "drop"]),
    default="stop",
    show_default=True,
    help="If somebody has not answered a case: stop, or drop the case and count it.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the annotators' files.")
@shared.overwrite
@shared.as_json
@shared.config
@shared.talk
def merge(folder: Path, files: tuple[Path, ...], out: Path, missing: Any, encoding: str, overwrite: bool) -> None:
    """Turn the answers to a sample into gold labels and the statistics that the layout's paper reports.

    FOLDER holds key.jsonl. FILES are the annotators' files; by default, all in the folder. The gold label is
    the one that more than half give, or `-` if there is none. The merged file can be read as
    a corpus, which leaves out pairs labelled `-`. For a two-label set, answers are also reduced to two labels.

    With the layout events, different events mean contradiction; otherwise new information means neutral; otherwise the
    label is entailment; a case is discarded if anybody finds a sentence incorrect. With the layout errors, each case
    gets the category that more than half give. With notes, everybody's notes are put side by side.

    A file adjudication.csv (or .jsonl) beside key.jsonl, in the form of an annotator's file, decides the cases that it
    answers, whatever the others say.
    """
    from assay.annotate.merge_answers import merge_answers, merged_lines

    found = merge_answers(folder, out, files=files, missing=missing, encoding=encoding, overwrite=overwrite)
    if output.wants_json():
        output.show_json(found)
    else:
        for text in merged_lines(found):
            output.say(text)
    output.note(f"Written: {out}")


class AgreementOptions(ReadOptions, frozen=True, kw_only=True):
    annotators: Annotated[
        int | None,
        OptionInfo("measure only pairs with this many labels; by default, the most common number.", SET, at_least=2),
    ] = None


@command.command("agreement")
@click.argument("source", metavar="CORPUS")
@shared.fields(AgreementOptions)
@shared.as_json
@shared.config
@shared.talk
def agreement(source: str, options: AgreementOptions) -> None:
    """Measure how well annotators agree, in a merged file or any corpus with annotators' labels.

    Shows Fleiss' kappa over all labels and for each label against the rest, Krippendorff's alpha, and the estimated
    human performance: the fraction of single labels that match the gold label.
    """
    from assay.annotate.agreement import agreement_parts, annotator_agreement
    from assay.corpora.formats.pairs import UNLABELLED
    from assay.corpora.reader import read
    from assay.reports.terminal.terminal_tables import show_parts

    corpus = read(source, **options.given_reading())
    found = annotator_agreement(corpus, annotators=options.annotators)
    output.show_result(found, lambda: show_parts(agreement_parts(found)))
    if without := corpus.skipped[UNLABELLED.reason]:
        output.note(f"Not measured: {without:,} pairs without a gold label, which would lower agreement.")
    if found.left_out:
        left = ", ".join(f"{count:,} with {what}" for what, count in found.left_out.items())
        output.note(f"Not measured: pairs with a different number of labels ({left}).")


for each in (export_answers, import_answers, show_history):
    command.add_command(each)
