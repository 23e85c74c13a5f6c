"""Exporting a model, and measuring how well the copy agrees with the original."""

from collections.abc import Collection
from pathlib import Path
from typing import Literal

import msgspec

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import MissingExtraError, UserError
from assay.core.protocols import Model, TextModel
from assay.core.serialise import from_json, to_json
from assay.corpora.reader import BUNDLED, CorpusReader, read
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.hub import quietly
from assay.models.adapters.label_order import parse_labels
from assay.models.adapters.label_words import is_generative
from assay.models.adapters.onnx import Onnx
from assay.models.adapters.pair_classifier import PairClassifier
from assay.models.adapters.trained import Trained
from assay.models.systems.system_card import CARD, read_card
from assay.run.predict.model_names import settings_of
from assay.storage.files import Kind, files_in, folder_aside, write_digests, write_whole

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
    from assay.export.onnx_graphs import export_classifier

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
    from assay.export.onnx_graphs import export_classifier, export_words
    from assay.models.systems.system import WordSystem, load_system
    from assay.models.systems.transformer import Transformer

    system = load_system(settings.folder)
    (folder / CARD).write_bytes(to_json(read_card(settings.folder)))
    if isinstance(system, WordSystem):
        if precision == "int8-dynamic":
            raise UserError(
                f"trained:{settings.what} is a system over words: export it with --set precision=int8 or without it."
            )
        export_words(system, folder, precision, table=table, words=words)
    elif isinstance(system, Transformer):
        with quietly():
            system.encoder.set_attn_implementation("eager")
            export_classifier(system.encoder, system.tokenizer, folder, precision)
    else:
        raise UserError(f"trained:{settings.what} is a {type(system).__name__}, which can't be exported yet.")


AGREEMENT = "agreement.json"


class ExportAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of an exported model with the original."""

    schema: int = 1  # version of this file's shape
    model: str
    identity: str  # the original's digest
    precision: Precision
    pairs: int
    same: int  # pairs with the same label from both
    largest: float
    mean: float
    files: tuple[str, ...] = ()  # the other files that were written


def _files(folder: Path) -> tuple[str, ...]:
    return (AGREEMENT, *from_json(folder / AGREEMENT, ExportAgreement, newest=1).files)


EXPORTED = Kind("an exported model", _files)


def export_model(
    name: str,
    out: str | Path,
    *,
    precision: Precision = "fp32",
    table: str | Path | None = None,
    words: Collection[str] | None = None,
    source: str | Path | CorpusReader = BUNDLED,
    overwrite: bool = False,
) -> ExportAgreement:
    """Write an `hf:` or `trained:` model as a folder for `onnx:`, and compare both on the pairs of a corpus.

    For a system over words, `table` is a folder for vectors that several systems share. If `words` are given, only
    these keep the vectors that they had before training.
    """
    settings = settings_of(name)
    if not isinstance(settings, HuggingFace | Trained):
        raise UserError(f"Only hf: and trained: models can be exported, and {name} is neither.")
    recipe = Recipe(transform="original/v1", seed=0)
    pairs = source if isinstance(source, CorpusReader) else read(source)
    cases = [case_from(pair, Edit(), family="original", recipe=recipe) for pair in pairs]
    original = settings.open()
    if isinstance(original, PairClassifier):
        original.order  # noqa: B018 - what the outputs mean must be settled before a copy is made
    with folder_aside(Path(out), over=EXPORTED if overwrite else None) as aside:
        export(settings, aside, precision, table=Path(table) if table else None, words=words)
        write_digests(aside, files_in(aside))
        copy = Onnx(what=str(aside))
        if isinstance(settings, HuggingFace):  # these options change what the original reads
            copy = msgspec.structs.replace(copy, template=settings.template, length=settings.length)
        agreement = _agreement(name, original, copy.open(), cases, precision)
        agreement = msgspec.structs.replace(agreement, files=tuple(files_in(aside)))
        write_whole(aside / AGREEMENT, to_json(agreement))
    return agreement


def _agreement(name: str, original: TextModel, copy: Model, cases: list[Case], precision: Precision) -> ExportAgreement:
    one, two = original.predict(cases), copy.predict(cases)
    differences = [
        abs(share - (theirs.probabilities or {})[label])
        for ours, theirs in zip(one, two, strict=True)
        for label, share in (ours.probabilities or {}).items()
    ]
    return ExportAgreement(
        model=name,
        identity=original.identity,
        precision=precision,
        pairs=len(cases),
        same=sum(ours.label is theirs.label for ours, theirs in zip(one, two, strict=True)),
        largest=max(differences, default=0.0),
        mean=sum(differences) / max(len(differences), 1),
    )
