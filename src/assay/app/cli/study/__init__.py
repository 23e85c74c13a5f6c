"""assay study: a file a study."""

import click

from assay.app.cli.study.lexical import lexical
from assay.app.cli.study.recognise import recognise
from assay.app.cli.study.support import support
from assay.app.cli.study.wordnet_baseline import wordnet_baseline


@click.group("study")
def command() -> None:
    """Ask what a corpus holds that a model could learn from it."""


command.add_command(lexical)
command.add_command(support)
command.add_command(wordnet_baseline)
command.add_command(recognise)
