"""assay export-model."""

from pathlib import Path

import click

from assay.cli import options, output


@click.command("export-model")
@click.argument("model", metavar="KIND:MODEL")
@click.option("--out", type=options.PathOrAddress(writes=True), required=True, help="Folder to write.")
@click.option(
    "--int8", is_flag=True, help="Store weights in eight bits: a quarter of the size, with slightly different answers."
)
@click.option(
    "--dynamic",
    is_flag=True,
    help="With --int8, also round the activations of a transformer: faster, but more labels change.",
)
@click.option(
    "--table",
    type=options.PathOrAddress(here=True),
    help="Folder for word vectors that several exported systems share; created, or checked if it exists.",
)
@options.source
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Compare on at most N pairs.")
@options.overwrite
@options.as_json
@options.talk
def command(
    model: str,
    out: Path,
    int8: bool,
    dynamic: bool,
    table: Path | None,
    source: str,
    limit: int | None,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Export an hf: or trained: model to a folder for onnx:, and measure how well the copy agrees with the original.

    Both answer the pairs of a corpus, by default the bundled one.
    """
    from assay.corpora.reader import read
    from assay.export.export_model import Precision, export_model

    if dynamic and not int8:
        raise click.UsageError("--dynamic needs --int8.")
    precision: Precision = "int8-dynamic" if dynamic else "int8" if int8 else "fp32"
    pairs = read(source, limit=limit)
    found = export_model(model, out, precision=precision, table=table, source=pairs, overwrite=overwrite)
    if as_json:
        output.show_json(found)
    else:
        output.say(
            f"{found.same:,} of {found.pairs:,} labels are the same ({found.same / max(found.pairs, 1):.2%}); "
            f"probabilities differ by {found.mean:.6f} on average and by {found.largest:.6f} at most."
        )
    output.note(f"The model is in {out}; use it with --model onnx:{out}", silently=quiet)
