"""assay export-model."""

from pathlib import Path

import click

from assay.app.cli import options, talk


@click.command("export-model")
@click.argument("model", metavar="hf:NAME")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write.")
@click.option("--int8", is_flag=True, help="Store weights in eight bits: smaller and quicker, not quite the same.")
@options.source
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Compare on N pairs at the most.")
@options.as_json
@options.talk
def command(model: str, out: Path, int8: bool, source: str, limit: int | None, as_json: bool, quiet: bool) -> None:
    """Write a model of transformers as a folder for onnx:, and tell how far the copy agrees with the original.

    Both are asked the pairs of a corpus, the bundled one if none is named.
    """
    from assay.corpora.reading import read
    from assay.run.export_model import export_model

    found = export_model(model, out, int8=int8, source=read(source, limit=limit))
    if as_json:
        talk.show_json(found)
    else:
        click.echo(
            f"{found.same:,} of {found.pairs:,} labels are the same ({found.same / max(found.pairs, 1):.2%}); "
            f"probabilities differ by {found.mean:.6f} in the mean and {found.largest:.6f} at the most."
        )
    talk.note(f"The model is in {out}; ask it with --model onnx:{out}", silently=quiet)
