"""assay study mitigate."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from assay.cli import options, output


@click.command("mitigate")
@click.argument("run", type=options.RunFolder())
@click.option(
    "--model", metavar="MODEL", help="The model to train against its shortcuts; by default, the first that follows one."
)
@click.option(
    "--system",
    metavar="SYSTEM",
    help="The system to train; by default the one that the model is, if Assay trained it; bert, from the weights of an "
    "hf: classifier that names its labels; or decomposable-attention.",
)
@click.option(
    "--data",
    type=options.PathOrAddress(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Where corpora are. Without data, the bundled corpus stands in, to see how it works.",
)
@click.option(
    "--from", "train", multiple=True, metavar="FILE", help="Training pairs, relative to --data; may be repeated."
)
@click.option("--dev", default="", metavar="FILE", help="Pairs that pick the best weights.")
@click.option("--test", default="", metavar="FILE", help="Real pairs to build the test suites from.")
@click.option("--vectors", default="", metavar="FILE", help="Word vectors in GloVe's text format.")
@click.option(
    "--hard",
    default="",
    metavar="FILE",
    help="Test pairs that their hypotheses do not give away, such as SNLI's hard test set.",
)
@click.option(
    "--withheld", multiple=True, metavar="FILE", help="A test set that no mitigation is trained for; may be repeated."
)
@click.option(
    "--out",
    type=options.PathOrAddress(writes=True),
    default=Path("prescription.yaml"),
    show_default=True,
    help="File for the plan.",
)
@options.overwrite
@options.as_json
@options.config
@options.talk
def command(
    run: Path,
    model: str | None,
    system: str | None,
    out: Path,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Write a plan of mitigations for a model of a run, from its diagnosis.

    RUN is a run folder, or a folder of runs (the newest is used). For each shortcut that the model follows, the plan
    has trainings that may help, suites that measure whether they do, and suites that are withheld from them. `assay
    study run prescription.yaml` trains, tests, and shows before and after.
    """
    from assay.reports.terminal.terminal_tables import show_parts
    from assay.storage.files import refuse_existing, write_whole
    from assay.studies.mitigation.propose_mitigations import (
        NamedSources,
        plan_text,
        proposal_parts,
        propose_mitigations,
    )

    tell: Any = partial(output.note, silently=quiet)
    refuse_existing(out, overwrite=overwrite)
    found = propose_mitigations(run, NamedSources(**given), model=model, system=system)
    if isinstance(found, str):
        output.say(found)
        tell("Nothing was written.")
        return
    write_whole(out, plan_text(found).encode(), over_any=False)
    if as_json:
        output.show_json(found)
    else:
        output.show(show_parts(proposal_parts(found)))
    tell(f"The plan is {out}. Run it: assay study run {out}")
    if not found.data:
        tell(
            "No data were named, so the bundled corpus will stand in: that shows how it works, and no more.\n"
            "  For a trial that counts, add --data FOLDER, or --from, --dev and --test with pairs of yours."
        )
