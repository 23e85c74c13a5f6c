"""assay audit."""

import click
import msgspec

from assay.audit.audit_result import LabelAuditOptions
from assay.cli import options as shared
from assay.cli import output
from assay.core.option_fields import refuse_options
from assay.run.run_options import ReadOptions


@click.command(
    "audit",
    cls=shared.AssayCommand,
    examples=("assay audit bundled --limit 90", "assay audit bundled --gold-labels"),
)
@click.argument("source", metavar="SUITE|CORPUS")
@click.option("--strict", is_flag=True, help="Exit with 1 if anything is wrong.")
@click.option("--gold-labels", is_flag=True, help="Find gold labels that the texts refute.")
@shared.fields(LabelAuditOptions)
@shared.fields(ReadOptions, "reading")
@shared.as_json
@shared.config
@shared.talk
@click.pass_context
def command(
    context: click.Context, /, strict: bool, gold_labels: bool, options: LabelAuditOptions, reading: ReadOptions
) -> None:
    """Find out how often shortcuts alone give the label of a suite or a corpus.

    It guesses labels from parts of each case: the words of the hypothesis or the premise, how much they share, lengths,
    edited words. It lists words that go with a label, cases that are repeated, and cases that are in the training
    data. Labels are guessed from other source pairs only, and intervals count cases of one source pair together.

    With --strict, it exits with 1 if a shortcut, a word or the label balance gives labels away, or if too many cases
    are repeated or in the training data. docs/how-to/audit.md lists the thresholds.

    With --gold-labels, it derives labels from the texts instead, wherever every word can be accounted for. It lists
    the pairs whose gold label differs, each with the reason. --strict then exits with 1 if there are any.
    """
    from assay.audit.audit_suite import audit
    from assay.audit.audit_tables import audit_parts
    from assay.audit.label_audit import audit_labels, label_parts
    from assay.corpora.reader import read
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.run.api import is_suite

    source, given = options.source, reading.given_reading()
    if given and is_suite(source):
        raise click.UsageError(f"--{next(iter(given)).replace('_', '-')} applies to a corpus, but {source} is a suite.")
    if not is_suite(source):
        options = msgspec.structs.replace(options, source=read(source, **given))
    if not gold_labels:
        refuse_options(options, ("out",), "writes what --gold-labels finds; add --gold-labels")
        with output.stages() as stage:
            found = audit(options=options, stage=stage)
        output.show_result(found, lambda: show_parts(audit_parts(found)))
        context.exit(1 if strict and found.concerns else 0)
    if options.train or is_suite(source):
        raise click.UsageError("--gold-labels needs a corpus, and can't be combined with --train.")
    with output.stages() as stage:
        checked = audit_labels(options=options, stage=stage)
    output.show_result(checked, lambda: show_parts(label_parts(checked)))
    if options.out is not None:
        output.note(f"The pairs are in {options.out}")
    context.exit(1 if strict and checked.refuted else 0)
