"""assay study: one file per study."""

import click

from assay.app.cli.study.data_map import data_map
from assay.app.cli.study.judge import judge
from assay.app.cli.study.lexical import lexical
from assay.app.cli.study.plan import plan
from assay.app.cli.study.recognise import recognise
from assay.app.cli.study.run import run
from assay.app.cli.study.show import show
from assay.app.cli.study.support import support
from assay.app.cli.study.transfer import transfer
from assay.app.cli.study.trees import trees
from assay.app.cli.study.wordnet_baseline import wordnet_baseline


@click.group("study")
def command() -> None:
    """Repeat the papers' training experiments, and find out what a model could pick up or a judge leans on."""


command.add_command(run)
command.add_command(show)
command.add_command(plan)
command.add_command(lexical)
command.add_command(support)
command.add_command(wordnet_baseline)
command.add_command(recognise)
command.add_command(trees)
command.add_command(data_map)
command.add_command(transfer)
command.add_command(judge)
