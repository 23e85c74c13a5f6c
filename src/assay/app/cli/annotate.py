"""assay annotate."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.group("annotate")
def command() -> None:
    """Have people check cases: draw a sample, merge their answers, measure how far they agree.

    Each case gets three questions: do the sentences describe the same event, does the second add information, is one
    incorrect? `sample` writes a file a person, `merge` makes gold labels of the answers, `agreement` measures them.
    """


@command.command("sample")
@click.argument("source", metavar="SUITE|CORPUS")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder to draw into.")
@click.option("--size", type=click.IntRange(min=1), default=100, show_default=True, help="How many cases to draw.")
@click.option(
    "--annotator", "annotators", multiple=True, default=("a", "b", "c"), show_default=True, help="Whom to ask; repeat."
)
@click.option(
    "--by",
    multiple=True,
    default=("family", "label"),
    show_default=True,
    help="What to draw evenly over: family, variant, label, or a group such as category; repeat.",
)
@click.option("--layout", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True, help="Of the files.")
@options.seed
@options.reading
@options.as_json
@options.config
@options.talk
def sample(
    source: str,
    out: Path,
    size: int,
    annotators: tuple[str, ...],
    by: tuple[str, ...],
    layout: Any,
    seed: int,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Draw cases of a suite or a corpus into a file an annotator.

    The files hold texts and questions, no labels; each has an order of its own. sample.jsonl beside them is what the
    answers are merged with. A file that is there is never written again: the same command with one annotator more
    writes that one's file only.
    """
    from assay.bench.annotation.sample import draw_sample
    from assay.bench.api import is_suite, read
    from assay.bench.judge.score import pair_as_case
    from assay.core.suite import Suite

    cases = iter(Suite.open(source)) if is_suite(source) else map(pair_as_case, read(source, **reading))
    found = draw_sample(cases, out, annotators=annotators, size=size, by=by, seed=seed, layout=layout)
    if as_json:
        talk.show_json(found)
    else:
        for stratum, count in found.strata.items():
            click.echo(f"{count:>7,}  {stratum}")
    if found.cases < size:
        talk.note(f"All {found.cases:,} cases are drawn: there are no {size:,}.", silently=quiet)
    for name in found.kept:
        talk.note(f"Kept as it is: {out / name}", silently=quiet)
    for name in found.written:
        talk.note(f"Written: {out / name}", silently=quiet)


@command.command("merge")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file to write, jsonl.")
@click.option(
    "--missing",
    type=click.Choice(["stop", "drop"]),
    default="stop",
    show_default=True,
    help="What a case does that somebody has not answered: stop, or be left out and counted.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="How the annotators' files are encoded.")
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
    """Make gold labels of the answers to a sample.

    FOLDER holds the sample; FILES are the annotators' files, all of the folder if none is named. Not the same event is
    contradiction, else new information is neutral, else it is entailment. A case in which anybody finds a sentence
    incorrect is discarded; the gold label is what more than half say, and `-` where no label has as many. The file can
    be read as a corpus, in which such pairs are left out.
    """
    from assay.bench.annotation.merge import merge_answers

    found = merge_answers(folder, out, files=files, missing=missing, encoding=encoding, overwrite=overwrite)
    if as_json:
        talk.show_json(found)
    else:
        gold = sum(found.gold.values())
        click.echo(f"{gold:,} of {found.drawn:,} cases have a gold label of {', '.join(found.annotators)}")
        for label, count in found.gold.items():
            click.echo(f"{count:>7,}  {label}")
        for reason, count in found.discarded.items():
            click.echo(f"{count:>7,}  discarded: {reason}")
        click.echo(f"{found.confirmed:>7,}  have the label that they were built with")
    talk.note(f"Written: {out}", silently=quiet)


@command.command("agreement")
@click.argument("source", metavar="CORPUS")
@click.option(
    "--annotators",
    type=click.IntRange(min=2),
    metavar="N",
    help="Measure pairs with so many labels; if not given, with the number that most pairs have.",
)
@options.reading
@options.as_json
@options.config
@options.talk
def agreement(source: str, annotators: int | None, as_json: bool, quiet: bool, **reading: Any) -> None:
    """Measure how far annotators agree: a merged file, or any corpus with annotators' labels.

    Fleiss' kappa over all labels and of each label against the rest, Krippendorff's alpha, and the estimated human
    performance: the share of single labels that are the gold label.
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
        talk.note(
            f"Not measured: {without:,} pairs without a gold label; with them agreement would be lower.", silently=quiet
        )
    if found.left_out:
        left = ", ".join(f"{count:,} with {what}" for what, count in found.left_out.items())
        talk.note(f"Not measured: pairs with another number of labels ({left}).", silently=quiet)
