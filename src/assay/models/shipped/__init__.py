"""Trained models that come with Assay: folders that `tools/ship.py` packs, each with a record of how it was made."""

from pathlib import Path

from assay.core.protocols import reference
from assay.models.adapters.onnx import Onnx

HERE = Path(__file__).parent

NAMES = ("hypothesis-only", "cbow", "infersent", "decomposable-attention", "esim", "minilm")
"""From the simplest to the best."""


@reference
def hypothesis_only() -> Onnx:
    """A trained BiLSTM that never sees the premise."""
    return _shipped("hypothesis-only")


def cbow() -> Onnx:
    """Trained: each text a mean of word vectors, compared by a network (Williams et al. 2018)."""
    return _shipped("cbow")


def infersent() -> Onnx:
    """Trained: a BiLSTM over each text, maximum over time (Conneau et al. 2017)."""
    return _shipped("infersent")


def decomposable_attention() -> Onnx:
    """Trained: words aligned and compared, without their order (Parikh et al. 2016)."""
    return _shipped("decomposable-attention")


def esim() -> Onnx:
    """Trained: both texts read, aligned, compared and read again (Chen et al. 2017)."""
    return _shipped("esim")


def minilm() -> Onnx:
    """Trained: a small transformer that reads both texts at once (Wang et al. 2020)."""
    return _shipped("minilm")


def _shipped(name: str) -> Onnx:
    return Onnx(what=str(HERE / name))
