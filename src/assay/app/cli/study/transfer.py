"""assay study transfer."""

from pathlib import Path
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("transfer")
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    metavar="MODEL",
    help="An encoder: assay:cbow, trained:DIR, hf:NAME, onnx:DIR. May be repeated; several seeds become a band.",
)
@click.option(
    "--data",
    required=True,
    type=options.Place(),
    metavar="FOLDER",
    help="The tasks' files: MR.jsonl, TREC.train.jsonl, SICK_train.txt and so on, or folders transfer and sick.",
)
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task; may be repeated.")
@click.option(
    "--pooling",
    type=click.Choice(["mean", "cls", "max"]),
    show_default="what the model's folder says, or mean",
    help="How a transformer's vectors of tokens become one.",
)
@click.option("--seed", type=int, default=1111, show_default=True, help="Seed of the classifiers.")
@click.option(
    "--set",
    "switches",
    type=click.UNPROCESSED,
    multiple=True,
    callback=options.mapping,
    metavar="SWITCH=VALUE,...",
    help="How classifiers are trained, if not as in SentEval; docs/studies/transfer.md lists the switches.",
)
@click.option("--no-cache", is_flag=True, help="Encode and measure everything again, and keep nothing.")
@click.option("--to", type=click.Choice(["md", "csv", "latex"]), help="Print Markdown, every figure as CSV, or LaTeX.")
@options.as_json
@options.config
@options.talk
def transfer(
    models: tuple[str, ...],
    data: Path,
    tasks: tuple[str, ...],
    pooling: Any,
    seed: int,
    switches: dict[str, str] | None,
    no_cache: bool,
    to: Any,
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure what a sentence encoder is good for beyond inference, by SentEval's protocol.

    The encoder stays as it is; a logistic regression is trained on its vectors for each of nine tasks: MR, CR, MPQA,
    SUBJ, SST, TREC, SICK-E, SICK-R and MRPC (Wang et al. 2019, Table 3). Vectors and finished tasks are kept, so a
    study that was interrupted goes on where it was.
    """
    import msgspec

    from assay.bench.studies.transfer import study_transfer
    from assay.evaluate.transfer.settings import protocol_with
    from assay.reports.tables.studies.transfer import transfer_parts
    from assay.reports.write.analyses import parts_text
    from assay.reports.write.terminal.tables import shown

    with talk.stages(silently=quiet) as stage:
        found = study_transfer(
            models,
            data,
            tasks=tasks,
            seed=seed,
            pooling=pooling,
            protocol=protocol_with(switches or {}),
            cache=not no_cache,
            stage=stage,
        )
    if as_json:
        talk.show_json(found)
        return
    parts = transfer_parts(msgspec.to_builtins(found))
    if to:
        talk.say(parts_text(parts, found.estimates, to), nl=False)
    else:
        talk.show(shown(parts))
