"""What the commands of assay analyse share."""

from typing import TYPE_CHECKING, Literal

import click

from assay.app.cli import options, talk

if TYPE_CHECKING:
    from assay.core.analysis import Analysis

To = Literal["md", "csv", "latex"]

RUN = click.argument("run", type=options.RunFolder())
TRAIN = click.option("--train", required=True, metavar="CORPUS", help="The corpus that the models were trained on.")
MODELS = click.option("--model", "models", multiple=True, metavar="MODEL", help="Only this model; may be repeated.")
TWO = click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="A model to compare; may be repeated. By default, the best and the worst of the run.",
)
SHOWN = options.options(
    click.option(
        "--to", type=click.Choice(["md", "csv", "latex"]), help="Print Markdown, every figure as CSV, or LaTeX."
    ),
    options.as_json,
    options.config,
    options.talk,
)


def show(found: "Analysis", to: To | None, *, as_json: bool) -> None:
    """Print an analysis: tables, JSON, or a document."""
    from assay.reports.tables.analyses.parts import analysis_parts
    from assay.reports.write.analyses import analysis_text
    from assay.reports.write.terminal.tables import shown

    if as_json:
        talk.show_json(found)
    elif to:
        talk.say(analysis_text(found, to), nl=False)
    else:
        talk.show(shown(part for each in analysis_parts(found) for part in (each, "")))
