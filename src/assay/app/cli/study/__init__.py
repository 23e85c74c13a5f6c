"""assay study: one file per study."""

import click

from assay.app.cli.study.judge import judge
from assay.app.cli.study.lexical import lexical
from assay.app.cli.study.recognise import recognise
from assay.app.cli.study.support import support
from assay.app.cli.study.trees import trees
from assay.app.cli.study.wordnet_baseline import wordnet_baseline


@click.group("study")
def command() -> None:
    """Find out what a model could pick up from a corpus, or what a judge leans on."""


command.add_command(judge)
command.add_command(lexical)
command.add_command(support)
command.add_command(wordnet_baseline)
command.add_command(recognise)
command.add_command(trees)
