"""Trained models that come with Assay: folders that `tools/ship.py` packs, each with a record of how it was made."""

from pathlib import Path
from typing import TYPE_CHECKING

from assay.core.protocols import reference
from assay.models.adapters.onnx import Onnx

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

HERE = Path(__file__).parent

ORDER = (
    *("hypothesis-only", "cbow", "infersent", "shortcut-stacked"),
    *("gated-attention", "spinn", "decomposable-attention", "esim", "kim", "minilm"),
)
"""Models that can be packed, from the simplest to the best: encoders of single texts, aligners, a transformer."""

NAMES = tuple(name for name in ORDER if (HERE / name).is_dir())
"""Names of packed models."""


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


def shortcut_stacked() -> Onnx:
    """Trained: three BiLSTMs over each text, each fed all below (Nie and Bansal 2017)."""
    return _shipped("shortcut-stacked")


def gated_attention() -> Onnx:
    """Trained: three BiLSTMs over words and letters, pooled by gates (Chen et al. 2017)."""
    return _shipped("gated-attention")


def spinn() -> Onnx:
    """Trained: the words of each text joined along its tree (Bowman et al. 2016)."""
    return _shipped("spinn")


def decomposable_attention() -> Onnx:
    """Trained: words aligned and compared, without their order (Parikh et al. 2016)."""
    return _shipped("decomposable-attention")


def esim() -> Onnx:
    """Trained: both texts read, aligned, compared and read again (Chen et al. 2017)."""
    return _shipped("esim")


def kim() -> Onnx:
    """Trained: ESIM that knows how WordNet relates the words of both texts (Chen et al. 2018)."""
    return _shipped("kim")


def minilm() -> Onnx:
    """Trained: a small transformer that reads both texts at once (Wang et al. 2020)."""
    return _shipped("minilm")


def shipped_vectors() -> tuple[list[str], "NDArray[numpy.float32]"]:
    """The words that the shipped systems share, and their vectors, (words, size)."""
    import numpy

    folder = HERE / "words"
    words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")[:-1]
    scales = numpy.load(folder / "scales.npy")[:, None]
    return words, (numpy.load(folder / "vectors.npy") * scales).astype(numpy.float32)


def _shipped(name: str) -> Onnx:
    return Onnx(what=str(HERE / name))
