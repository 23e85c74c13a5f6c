"""assay study: one file per study."""

import click

from assay.cli.options import AssayGroup
from assay.studies.experiment_commands import (
    data_map,
    judge,
    support,
    transfer,
)
from assay.studies.study_commands import plan, prescribe, run, show


@click.group(
    "study", cls=AssayGroup, examples=("assay study support --limit 60", "assay study mitigate runs --out plan.yaml")
)
def command() -> None:
    """Repeat the papers' training experiments, or measure what training data teaches and what influences a judge."""


command.add_command(run)
command.add_command(show)
command.add_command(plan)
command.add_command(prescribe)
command.add_command(support)
command.add_command(data_map)
command.add_command(transfer)
command.add_command(judge)
