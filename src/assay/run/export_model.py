"""Exporting a model, and telling how far the copy agrees with the original."""

from pathlib import Path

import msgspec
import numpy as np

from assay.core.errors import UserError
from assay.core.files import folder_aside, to_json, write_whole
from assay.core.protocols import Texts
from assay.corpora.reading import BUNDLED, Corpus, read
from assay.models.adapters.classifier import PairClassifier
from assay.models.adapters.export import export_onnx
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.onnx import Onnx
from assay.run.asking.names import settings_of


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far an exported model agrees with the one that it was made of."""

    model: str
    """The original."""
    identity: str
    """The original's digest."""
    int8: bool
    """Whether weights have eight bits."""
    pairs: int
    """On how many pairs both were asked."""
    same: int
    """To how many both gave the same label."""
    largest: float
    """The largest difference of a probability."""
    mean: float
    """The mean difference of the probabilities."""


def export_model(name: str, out: str | Path, *, int8: bool = False, source: str | Path | Corpus = BUNDLED) -> Agreement:
    """Write a model of `hf:` as a folder for `onnx:`, and ask both the pairs of a corpus."""
    settings = settings_of(name)
    if not isinstance(settings, HuggingFace):
        raise UserError(f"Only models of the kind hf can be exported, and {name} is none.")
    pairs = [Texts(pair.premise, pair.hypothesis) for pair in (source if isinstance(source, Corpus) else read(source))]
    original = settings.open()
    original.order  # noqa: B018 - what the outputs mean must be settled before a copy is made
    with folder_aside(Path(out)) as aside:
        export_onnx(settings, aside, int8=int8)
        copy = Onnx(what=str(aside), template=settings.template, length=settings.length).open()
        agreement = _agreement(name, original, copy, pairs, int8=int8)
        write_whole(aside / "agreement.json", to_json(agreement))
    return agreement


def _agreement(
    name: str, original: PairClassifier, copy: PairClassifier, pairs: list[Texts], *, int8: bool
) -> Agreement:
    one, two = original.probabilities(pairs), copy.probabilities(pairs)  # (pairs, outputs)
    difference = np.abs(one - two)
    return Agreement(
        model=name,
        identity=original.identity,
        int8=int8,
        pairs=len(pairs),
        same=int((one.argmax(axis=1) == two.argmax(axis=1)).sum()),
        largest=float(difference.max(initial=0.0)),
        mean=float(difference.mean()) if len(pairs) else 0.0,
    )
