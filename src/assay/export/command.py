"""assay export."""

from pathlib import Path
from typing import Annotated, Literal

import click

from assay.cli import options as shared
from assay.cli import output
from assay.core.label_space import LabelOptions
from assay.core.option_fields import SET, OptionInfo, refuse_options
from assay.export.export_suite import ENDINGS
from assay.run.run_options import CORPUS

ONNX = "onnx"  # the format of a model; all others are formats of suites


class ExportOptions(LabelOptions, frozen=True, kw_only=True):
    out: Annotated[
        Path | None,
        OptionInfo("File or folder to write; by default, named after the suite. A model needs it.", path="out"),
    ] = None
    source: Annotated[
        str, OptionInfo(f"onnx: pairs on which the copy is compared. {CORPUS}", "--from", metavar="CORPUS")
    ] = "bundled"
    limit: Annotated[int | None, OptionInfo("onnx: compare on at most N pairs.", metavar="N", at_least=1)] = None
    overwrite: Annotated[bool, OptionInfo("Replace the file, or the folder if Assay made all of it.")] = False
    precision: Annotated[
        Literal["fp32", "int8", "int8-dynamic"],
        OptionInfo(
            "int8 stores a model's weights in eight bits, a quarter of the size, with slightly different answers; "
            "int8-dynamic also rounds the activations of a transformer, which is faster, but more labels change.",
            SET,
        ),
    ] = "fp32"
    shared_vectors: Annotated[
        Path | None,
        OptionInfo("a folder for word vectors that several exported systems share, created or checked.", SET),
    ] = None
    escape_formulas: Annotated[
        bool,
        OptionInfo(
            "yes puts an apostrophe before texts in csv that a spreadsheet would treat as a formula; reading it back "
            "keeps it.",
            SET,
        ),
    ] = False


OF_MODELS = ("source", "limit", "precision", "shared_vectors")
OF_SUITES = (*LabelOptions.__struct_fields__, "escape_formulas")


@click.command(
    "export",
    cls=shared.AssayCommand,
    examples=("assay export my-suite --to csv", "assay export trained:esim --to onnx --out esim-onnx"),
)
@click.argument("suite", metavar="SUITE|MODEL")
@click.option(
    "--to",
    "target",
    type=click.Choice([*ENDINGS, ONNX]),
    required=True,
    help="The format: hf is a data set folder with a card, inspect and lm-eval are task folders for Inspect and "
    "lm-evaluation-harness, onnx is a model's folder that runs without PyTorch.",
)
@shared.fields(ExportOptions)
@shared.as_json
@shared.config
@shared.talk
def command(suite: str, target: str, options: ExportOptions) -> None:
    """Write a suite in a format that other tools read, or an hf: or trained: model as a folder for onnx:.

    If you named the labels with --labels when you built the suite, csv, parquet, hf, inspect and lm-eval have your
    names. The other formats have fixed labels.

    Swapped pairs have no label. In snli and mnli their gold label is `-`, in csv, parquet and hf it is empty. The
    other formats need a label, so swapped pairs are left out there.

    The copy of a model is compared with the original: both answer the pairs of a corpus, by default the bundled one.
    """
    if target == ONNX:
        refuse_options(options, OF_SUITES, "applies to suites only")
        _export_model(suite, options)
    else:
        refuse_options(options, OF_MODELS, "applies to models only, with --to onnx")
        folder = shared.PathOrAddress().convert(suite, None, click.get_current_context())
        _export_suite(folder, target, options)


def _export_suite(suite: Path, target: str, options: ExportOptions) -> None:
    from assay.export.export_suite import LABELLED_ONLY, export_notes, export_suite
    from assay.storage.suite import Suite

    opened, escaped = Suite.open(suite), options.escape_formulas
    space = options.resize(opened.manifest.label_space)
    out = options.out or suite.with_name(f"{suite.resolve().name}-{target}{ENDINGS[target]}")
    place = export_suite(opened, target, out, overwrite=options.overwrite, escape_formulas=escaped, space=space)
    notes = export_notes(opened, target, escape_formulas=escaped, space=space)
    if output.wants_json():
        labelled = target in LABELLED_ONLY
        count = sum(case.label is not None for case in opened) if labelled else len(opened)
        output.show_json({"suite": str(suite), "to": target, "written": str(place), "cases": count, "notes": notes})
    for note in notes:
        output.note(note)
    output.note(f"Written to {place}")


def _export_model(model: str, options: ExportOptions) -> None:
    from assay.corpora.reader import read
    from assay.export.export_model import export_model

    if options.out is None:
        raise click.UsageError("Missing --out, the folder for the model.")
    table = options.shared_vectors
    found = export_model(
        model,
        options.out,
        precision=options.precision,
        table=Path(table) if table else None,
        source=read(options.source, limit=options.limit),
        overwrite=options.overwrite,
    )
    if output.wants_json():
        output.show_json(found)
    else:
        output.say(
            f"{found.same:,} of {found.pairs:,} labels are the same ({found.same / max(found.pairs, 1):.2%}); "
            f"probabilities differ by {found.mean:.6f} on average and by {found.largest:.6f} at most."
        )
    output.note(f"The model is in {options.out}; use it with --model onnx:{options.out}")
