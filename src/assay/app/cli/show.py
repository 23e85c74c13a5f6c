"""assay show."""

from pathlib import Path

import click

from assay.app.cli import options, talk

FIGURES = ("accuracy", "seeds", "swap", "severity", "calibration", "confusion", "published", "findings")


@click.command("show")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--figure",
    "figures",
    multiple=True,
    type=click.Choice(FIGURES),
    help="Only this; may be repeated. Without it, what `assay run` showed.",
)
@options.as_json
@options.talk
def command(run: Path, figures: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Show a stored run again: its tables and examples, or single figures such as confusion and calibration.

    RUN is the folder of a stored run. Nothing is measured anew. --json gives the whole record, whatever --figure says.
    """
    from assay.report.beside import with_published
    from assay.report.terminal import figure_summary, summary
    from assay.run.examples import telling_examples
    from assay.run.journey import open_run

    record = open_run(run)
    if as_json:
        talk.show_json(with_published(record, record.estimates))
    else:
        talk.show(figure_summary(record, figures) if figures else summary(record, telling_examples(run, record)))
    talk.note_report(run, silently=quiet)
