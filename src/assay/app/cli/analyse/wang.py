"""assay analyse: what Wang et al. (2019) analyse."""

from pathlib import Path

import click

from assay.app.cli import options
from assay.app.cli.analyse.shared import RUN, SHOWN, To, show


@click.command("swap", short_help="Effect of swapped training pairs (Wang et al.).")
@RUN
@SHOWN
def swap(run: Path, to: To | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """How far training with swapped pairs moves a system on each test (Wang et al. 2019).

    The run must have one system trained with several percentages, 0 among them: `assay train --swap PERCENT`.
    """
    from assay.bench.analyses.swap import analyse_swap

    show(analyse_swap(run), to, as_json=as_json)


@click.command("epochs", short_help="Errors that stay over epochs (Wang et al.).")
@click.argument("trained", nargs=-1, required=True, type=options.Place(exists=True, file_okay=False))
@click.option(
    "--suite",
    required=True,
    type=options.Place(exists=True, file_okay=False),
    help="The suite that was given to `assay train --suite`.",
)
@click.option(
    "--family", "families", multiple=True, help="Cases of this family; by default, swapped pairs if there are some."
)
@click.option("--most", type=click.IntRange(min=1), default=400, show_default=True, help="How many frequent errors.")
@SHOWN
def epochs(
    trained: tuple[Path, ...],
    suite: Path,
    families: tuple[str, ...],
    most: int,
    to: To | None,
    as_json: bool,
    quiet: bool,  # noqa: ARG001
) -> None:
    """What systems get wrong again and again while they are trained (Wang et al. 2019).

    TRAINED are folders of `assay train --suite SUITE`, which stores answers after each epoch.
    """
    from assay.bench.analyses.epochs import analyse_epochs

    show(analyse_epochs(trained, suite, families=families, most=most), to, as_json=as_json)
