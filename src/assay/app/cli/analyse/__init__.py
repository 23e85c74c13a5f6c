"""assay analyse: one file per paper."""

import click

from assay.app.cli.analyse.glockner import frequency, similarity
from assay.app.cli.analyse.mccoy import subcases
from assay.app.cli.analyse.naik import antonyms, directions, errors, numbers
from assay.app.cli.analyse.ours import prediction
from assay.app.cli.analyse.wang import epochs, swap


@click.group("analyse")
def command() -> None:
    """Repeat the papers' analyses on a stored run.

    RUN is the folder of a run, or a folder of runs, of which the newest is analysed. No model is asked again.
    """


for each in (directions, antonyms, numbers, errors, similarity, frequency, swap, epochs, subcases, prediction):
    command.add_command(each)
