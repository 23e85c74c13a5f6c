"""assay audit."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from assay.cli import options, output


@click.command(
    "audit",
    cls=options.AssayCommand,
    examples=("assay audit bundled --limit 90", "assay audit bundled --gold-labels"),
)
@click.argument("source", metavar="SUITE|CORPUS")
@click.option(
    "--train",
    multiple=True,
    metavar="CORPUS",
    help="Training data: show which cases are in it, nearly the same or from the same template; may be repeated.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if anything is wrong.")
@click.option("--gold-labels", is_flag=True, help="Find the gold labels that contradict what follows from the texts.")
@click.option(
    "--pairs",
    type=options.PathOrAddress(dir_okay=False, writes=True),
    metavar="FILE",
    help="With --gold-labels: write every such pair, as JSON lines (.jsonl) or CSV.",
)
@options.overwrite
@options.workers
@options.two_way
@options.reading
@options.as_json
@options.config
@options.talk
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str,
    train: tuple[str, ...],
    strict: bool,
    gold_labels: bool,
    pairs: Path | None,
    overwrite: bool,
    workers: int | None,
    two_way: bool | None,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Find out how far a suite or a corpus can be solved without reading.

    It guesses labels from parts of each case: the words of the hypothesis or the premise, how much they share, lengths,
    edited words. It lists words that go with a label, cases that are repeated, and cases that are in the training
    data. Labels are guessed from other source pairs only, and intervals count cases of one source pair together.

    With --strict, it exits with 1 if a shortcut, a word or the label balance gives labels away, or if too many cases
    are repeated or in the training data. docs/how-to/audit.md has the limits.

    With --gold-labels, it derives labels from the texts instead, wherever every word can be accounted for. It lists
    the pairs whose gold label is another one, each with the reason. --strict then exits with 1 if there are any.
    """
    from assay.audit.audit_suite import audit
    from assay.audit.audit_tables import audit_parts
    from assay.audit.label_audit import audit_labels, label_parts
    from assay.corpora.reader import read
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.run.api import is_suite
    from assay.run.workers.pool import default_workers

    given = [name for name in reading if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if given and is_suite(source):
        raise click.UsageError(f"--{given[0].replace('_', '-')} is for reading a corpus, but {source} is a suite.")
    if gold_labels:
        if train or is_suite(source):
            raise click.UsageError("--gold-labels is for a corpus, and without --train.")
        with output.stages(silently=quiet) as stage:
            checked = audit_labels(
                read(source, **reading),
                two_way=two_way,
                out=pairs,
                workers=workers or default_workers(),
                overwrite=overwrite,
                stage=stage,
            )
        if as_json:
            output.show_json(checked)
        else:
            output.show(show_parts(label_parts(checked)))
        if pairs is not None:
            output.note(f"The pairs are in {pairs}", silently=quiet)
        context.exit(1 if strict and checked.refuted else 0)
    if pairs is not None:
        raise click.UsageError("--pairs writes what --gold-labels finds; add --gold-labels.")
    with output.stages(silently=quiet) as stage:
        corpus = source if is_suite(source) else read(source, **reading)
        found = audit(corpus, train=train, two_way=two_way, stage=stage)
    if as_json:
        output.show_json(found)
    else:
        output.show(show_parts(audit_parts(found)))
    context.exit(1 if strict and found.concerns else 0)
