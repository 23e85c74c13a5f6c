"""Any model that can be exported, written as a folder that `onnx:` runs."""

from collections.abc import Collection
from pathlib import Path
from typing import Literal

from assay.core.errors import MissingExtraError, UserError
from assay.core.files import to_json
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_words import is_generative
from assay.models.adapters.trained import Trained
from assay.models.answering.label_order import parse_labels
from assay.models.hub import quietly
from assay.models.systems.card import CARD, read_card

Precision = Literal["fp32", "int8", "int8-dynamic"]
"""Precision of weights; `int8-dynamic` also rounds a transformer's activations: faster, but it changes more labels."""


def export(
    settings: HuggingFace | Trained,
    folder: Path,
    precision: Precision,
    *,
    table: Path | None = None,
    words: Collection[str] | None = None,
) -> None:
    """Write a model into a folder; `table` is a folder for shared vectors, `words` are the words to keep."""
    try:
        import onnx  # noqa: F401 - what the exporter works with
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("export", needed_for="Exporting a model") from error
    if isinstance(settings, HuggingFace):
        _classifier(settings, folder, precision)
    else:
        _trained(settings, folder, precision, table=table, words=words)


def _classifier(settings: HuggingFace, folder: Path, precision: Precision) -> None:
    from assay.models.export.classifier import export_classifier

    with quietly():
        tokenizer, model = settings.load(settings.folder(), attention="eager")
        if is_generative(model.config.to_dict()):
            raise UserError(f"hf:{settings.what} writes text: only classifiers can be exported.")
        if explicit := parse_labels(settings.labels):
            model.config.id2label = dict(enumerate(explicit))
            model.config.label2id = {label: index for index, label in enumerate(explicit)}
        export_classifier(model, tokenizer, folder, precision)


def _trained(
    settings: Trained, folder: Path, precision: Precision, *, table: Path | None, words: Collection[str] | None
) -> None:
    from assay.models.export.classifier import export_classifier
    from assay.models.export.words import export_words
    from assay.models.systems.checkpoint import load_system
    from assay.models.systems.system import WordSystem
    from assay.models.systems.transformer import Transformer

    system = load_system(settings.folder)
    (folder / CARD).write_bytes(to_json(read_card(settings.folder)))
    if isinstance(system, WordSystem):
        if precision == "int8-dynamic":
            raise UserError(f"trained:{settings.what} is a system over words: export it without --dynamic.")
        export_words(system, folder, precision, table=table, words=words)
    elif isinstance(system, Transformer):
        with quietly():
            system.encoder.set_attn_implementation("eager")
            export_classifier(system.encoder, system.tokenizer, folder, precision)
    else:
        raise UserError(f"trained:{settings.what} is a {type(system).__name__}, which can't be exported yet.")
