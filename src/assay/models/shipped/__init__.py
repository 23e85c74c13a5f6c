"""Trained models that come with Assay: folders that `tools/ship.py` packs, each with a record of how it was made."""

from collections.abc import Callable
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


def _shipped(name: str, about: str) -> Callable[[], Onnx]:
    """A function that opens a packed model, with its description for lists."""

    def open_shipped() -> Onnx:
        return Onnx(what=str(HERE / name))

    open_shipped.__doc__ = about
    return open_shipped


hypothesis_only = reference(_shipped("hypothesis-only", "A trained BiLSTM that never sees the premise."))
cbow = _shipped("cbow", "Trained: each text a mean of word vectors, compared by a network (Williams et al. 2018).")
infersent = _shipped("infersent", "Trained: a BiLSTM over each text, maximum over time (Conneau et al. 2017).")
shortcut_stacked = _shipped(
    "shortcut-stacked", "Trained: three BiLSTMs over each text, each fed all below (Nie and Bansal 2017)."
)
gated_attention = _shipped(
    "gated-attention", "Trained: three BiLSTMs over words and letters, pooled by gates (Chen et al. 2017)."
)
spinn = _shipped("spinn", "Trained: the words of each text joined along its tree (Bowman et al. 2016).")
decomposable_attention = _shipped(
    "decomposable-attention", "Trained: words aligned and compared, without their order (Parikh et al. 2016)."
)
esim = _shipped("esim", "Trained: both texts read, aligned, compared and read again (Chen et al. 2017).")
kim = _shipped("kim", "Trained: ESIM with WordNet's relations between the words of both texts (Chen et al. 2018).")
minilm = _shipped("minilm", "Trained: a small transformer that reads both texts at once (Wang et al. 2020).")


def shipped_vectors() -> tuple[list[str], "NDArray[numpy.float32]"]:
    """The words that the shipped systems share, and their vectors, (words, size)."""
    import numpy

    folder = HERE / "words"
    words = (folder / "words.txt").read_text(encoding="utf-8").split("\n")[:-1]
    scales = numpy.load(folder / "scales.npy")[:, None]
    return words, (numpy.load(folder / "vectors.npy") * scales).astype(numpy.float32)
