"""Exporting a model, and measuring how well the copy agrees with the original."""

from collections.abc import Collection
from pathlib import Path

import msgspec

from assay.bench.ask.names import settings_of
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import UserError
from assay.core.files import Kind, files_in, folder_aside, from_json, to_json, write_whole
from assay.core.guard.digests import write_digests
from assay.core.protocols import Model, TextModel
from assay.corpora.reading import BUNDLED, CorpusReader, read
from assay.models.adapters.classifier import PairClassifier
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.onnx import Onnx
from assay.models.adapters.trained import Trained
from assay.models.export.model import Precision, export

AGREEMENT = "agreement.json"


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How well an exported model agrees with the original."""

    schema: int = 1
    """Version of this file's shape."""
    model: str
    """The original."""
    identity: str
    """The original's digest."""
    precision: Precision
    """The precision of its weights."""
    pairs: int
    """How many pairs both were asked."""
    same: int
    """How many pairs got the same label from both."""
    largest: float
    """The largest difference of a probability."""
    mean: float
    """The mean difference of the probabilities."""
    files: tuple[str, ...] = ()
    """The other files that were written."""


def _files(folder: Path) -> tuple[str, ...]:
    return (AGREEMENT, *from_json(folder / AGREEMENT, Agreement, newest=1).files)


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
) -> Agreement:
    """Write an `hf:` or `trained:` model as a folder for `onnx:`, and ask both of them the pairs of a corpus.

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
        copy = _copy(settings, aside).open()
        agreement = _agreement(name, original, copy, cases, precision)
        agreement = msgspec.structs.replace(agreement, files=tuple(files_in(aside)))
        write_whole(aside / AGREEMENT, to_json(agreement))
    return agreement


def _copy(settings: HuggingFace | Trained, folder: Path) -> Onnx:
    """The copy, with the options that change what the original reads."""
    if isinstance(settings, HuggingFace):
        return Onnx(what=str(folder), template=settings.template, length=settings.length)
    return Onnx(what=str(folder))


def _agreement(name: str, original: TextModel, copy: Model, cases: list[Case], precision: Precision) -> Agreement:
    one, two = original.predict(cases), copy.predict(cases)
    differences = [
        abs(share - (theirs.probabilities or {})[label])
        for ours, theirs in zip(one, two, strict=True)
        for label, share in (ours.probabilities or {}).items()
    ]
    return Agreement(
        model=name,
        identity=original.identity,
        precision=precision,
        pairs=len(cases),
        same=sum(ours.label is theirs.label for ours, theirs in zip(one, two, strict=True)),
        largest=max(differences, default=0.0),
        mean=sum(differences) / max(len(differences), 1),
    )
