"""assay annotate."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk
from assay.app.cli.annotate_answers import export_answers, import_answers, show_history


@click.group("annotate")
def command() -> None:
    """Have people check cases: draw a sample, merge their answers, measure how well they agree.

    `sample` writes one file per person, `merge` turns the answers into gold labels and figures, and `agreement`
    measures how well people agree. People can also answer in the browser, with `assay serve`: `export` and `import`
    carry their answers to files and back, and `history` checks them.

    A layout says what people are asked. `events`: do the sentences describe the same event, does the second add
    information, is one incorrect (Glockner et al. 2018)? `label`: the label itself (McCoy et al. 2019). `check`: the
    label, grammar and difficulty (Naik et al. 2018, section 3). `errors`: which of nine categories explains why a model
    got a case wrong (Naik et al. 2018, section 2). `notes`: what people notice, in their own words.
    """


@command.command("sample")
@click.argument("source", metavar="SUITE|CORPUS|RUN")
@click.option("--out", required=True, type=options.Place(file_okay=False, writes=True), help="Folder for the sample.")
@click.option("--size", type=click.IntRange(min=1), default=100, show_default=True, help="How many cases to draw.")
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    default=("a", "b", "c"),
    show_default=True,
    help="Name of an annotator; may be repeated.",
)
@click.option(
    "--by",
    multiple=True,
    default=("family", "label"),
    show_default=True,
    help="Spread the sample evenly over this: family, variant, label, or a group such as category; may be repeated.",
)
@click.option(
    "--layout",
    type=click.Choice(["events", "label", "check", "errors", "notes"]),
    default="events",
    show_default=True,
    help="What people are asked.",
)
@click.option("--model", metavar="MODEL", help="errors: the model of the run whose errors are sorted.")
@click.option(
    "--storage",
    type=click.Choice(["csv", "jsonl"]),
    default="csv",
    show_default=True,
    help="Format of the annotators' files.",
)
@options.two_way
@options.seed
@options.reading
@options.as_json
@options.config
@options.talk
@click.pass_context
def sample(
    context: click.Context,
    /,
    source: str,
    out: Path,
    size: int,
    annotators: tuple[str, ...],
    by: tuple[str, ...],
    layout: Any,
    model: str | None,
    storage: Any,
    two_way: bool | None,
    seed: int,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Draw cases from a suite or a corpus and write one file per annotator.

    The files hold texts and questions, each in a different order, under ids that reveal nothing about a case. Give each
    person their file and instructions.md. Keep key.jsonl, which has the ids and labels: `merge` needs it. Only --layout
    errors shows labels: it draws from what a model of a stored run got wrong. Existing files are never overwritten: if
    you repeat the command with one more annotator, only the new file is written.
    """
    from assay.bench.annotation.drawing import drawn_from
    from assay.bench.annotation.sample import draw_sample

    if layout != "errors":
        options.refuse(context, ("model",), "is for --layout errors, in which people sort a model's errors")
    given = drawn_from(source, layout, model=model, two_way=two_way, reading=reading)
    found = draw_sample(
        given.cases,
        out,
        annotators=annotators,
        size=size,
        by=by,
        seed=seed,
        layout=layout,
        storage=storage,
        two_way=given.two_way,
        names=given.names,
        answers=given.answers,
    )
    if as_json:
        talk.show_json(found)
    else:
        for stratum, count in found.strata.items():
            talk.say(f"{count:>7,}  {stratum}")
    if found.cases < size:
        talk.note(f"Drew all {found.cases:,} cases; there are fewer than {size:,}.", silently=quiet)
    for name in found.kept:
        talk.note(f"Kept unchanged: {out / name}", silently=quiet)
    for name in found.written:
        talk.note(f"Written: {out / name}", silently=quiet)


@command.command("merge")
@click.argument("folder", type=options.Place(exists=True, file_okay=False))
@click.argument("files", nargs=-1, type=options.Place(exists=True, dir_okay=False))
@click.option(
    "--out", required=True, type=options.Place(dir_okay=False, writes=True), help="The JSON lines file to write."
)
@click.option(
    "--missing",
    type=click.Choice(["stop", "drop"]),
    default="stop",
    show_default=True,
    help="If somebody has not answered a case: stop, or drop the case and count it.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of the annotators' files.")
@options.overwrite
@options.as_json
@options.config
@options.talk
def merge(
    folder: Path,
    files: tuple[Path, ...],
    out: Path,
    missing: Any,
    encoding: str,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Turn the answers to a sample into gold labels, and into the figures that the layout's paper reports.

    FOLDER holds key.jsonl. FILES are the annotators' files; by default, all of those in the folder. The gold label is
    the one that more than half give, or `-` if there is none. The file can be read as a corpus, which leaves out pairs
    labelled `-`. If a set has two labels, answers have two as well.

    With the layout events, different events mean contradiction; otherwise new information means neutral; otherwise the
    label is entailment; a case is discarded if anybody finds a sentence incorrect. With errors, each case gets the
    category that more than half give. With notes, everybody's notes are put side by side.

    A file adjudication.csv (or .jsonl) beside key.jsonl, in the form of an annotator's file, decides the cases that it
    answers, whatever the others say.
    """
    import msgspec

    from assay.bench.annotation.merge import merge_answers
    from assay.reports.write.terminal.annotation import merged_lines

    found = merge_answers(folder, out, files=files, missing=missing, encoding=encoding, overwrite=overwrite)
    if as_json:
        talk.show_json(found)
    else:
        for text in merged_lines(msgspec.to_builtins(found)):
            talk.say(text)
    talk.note(f"Written: {out}", silently=quiet)


@command.command("agreement")
@click.argument("source", metavar="CORPUS")
@click.option(
    "--annotators",
    type=click.IntRange(min=2),
    metavar="N",
    help="Measure the pairs with N labels; by default, N is the number that most pairs have.",
)
@options.reading
@options.as_json
@options.config
@options.talk
def agreement(source: str, annotators: int | None, as_json: bool, quiet: bool, **reading: Any) -> None:
    """Measure how well annotators agree, in a merged file or any corpus with annotators' labels.

    Shows Fleiss' kappa over all labels and for each label against the rest, Krippendorff's alpha, and the estimated
    human performance: the share of single labels that match the gold label.
    """
    import msgspec

    from assay.bench.annotation.agree import annotator_agreement
    from assay.bench.api import read
    from assay.corpora.formats.fields import UNLABELLED
    from assay.reports.tables.agreement import agreement_parts
    from assay.reports.write.terminal.tables import shown

    corpus = read(source, **reading)
    found = annotator_agreement(corpus, annotators=annotators)
    if as_json:
        talk.show_json(found)
    else:
        talk.show(shown(agreement_parts(msgspec.to_builtins(found))))
    if without := corpus.skipped[UNLABELLED.reason]:
        talk.note(f"Not measured: {without:,} pairs without a gold label, which would lower agreement.", silently=quiet)
    if found.left_out:
        left = ", ".join(f"{count:,} with {what}" for what, count in found.left_out.items())
        talk.note(f"Not measured: pairs with a different number of labels ({left}).", silently=quiet)


for each in (export_answers, import_answers, show_history):
    command.add_command(each)
