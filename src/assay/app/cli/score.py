"""assay score."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("score")
@click.argument("source", metavar="SUITE|CORPUS")
@click.argument("predictions", type=click.Path(path_type=Path))
@options.labels
@click.option(
    "--missing",
    type=click.Choice(["stop", "wrong", "drop"]),
    default="stop",
    show_default=True,
    help="What a case without an answer does: stop, count as wrong, or be left out.",
)
@options.as_json
@options.config
@options.talk
def command(
    source: str, predictions: Path, labels: dict[str, str] | None, missing: Any, as_json: bool, quiet: bool
) -> None:
    """Score a file of answers against a suite or a corpus, by id.

    PREDICTIONS is JSON lines, csv or tsv with an id (`id` or `pairID`) and a label (`prediction`, `label` or, as HANS
    has it, `gold_label`).
    """
    from assay.report.terminal import score_summary
    from assay.run.verbs import score

    found = score(source, predictions, labels=labels, missing=missing)
    if as_json:
        talk.show_json(found)
    else:
        talk.show(score_summary(found.estimates))
    if found.missing:
        what = "counted as wrong" if missing == "wrong" else "left out"
        talk.note(f"{found.missing:,} of {found.cases:,} cases had no answer and were {what}.", silently=quiet)
    if found.unknown:
        talk.note(f"{found.unknown:,} answers belong to no case here.", silently=quiet)
