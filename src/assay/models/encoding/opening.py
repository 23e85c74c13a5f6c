"""Models as encoders of single texts: which can, how they are opened, and why others can't."""

from functools import partial
from pathlib import Path

from assay.core.errors import MissingExtraError, UserError
from assay.core.protocols import Adapter, Model, offers
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.onnx import Onnx
from assay.models.adapters.onnx_words import WordPairs
from assay.models.adapters.trained import Trained
from assay.models.encoding import hf, onnx
from assay.models.encoding.encoder import TextEncoder
from assay.models.encoding.pooling import PooledTexts, Pooling, pooled

TOGETHER = (
    "{} reads both texts of a pair together, so it has no vector of a single text.\n"
    "  Systems that have one: cbow, bilstm, infersent, rivercorners, shortcut-stacked, residual-stacked, "
    "gated-attention, spinn, hypothesis-only; and transformers (hf:, onnx:, trained:)."
)
PACKED = (
    "{} was exported as one network for pairs, so the vector inside can't be reached.\n"
    "  Give the folder that `assay train` made: trained:FOLDER."
)


ONE_TEXT = ("hypothesis-only", "bilstm", "rivercorners")
"""Systems with vectors of single texts that are exported as one network for pairs."""


def open_encoder(name: str, made: Model | Adapter, *, pooling: Pooling | None = None) -> TextEncoder:
    """The encoder of a model, from its settings; `pooling` is for transformers."""
    if isinstance(made, Trained):
        encoder = _trained(name, made, pooling)
    elif isinstance(made, HuggingFace):
        encoder = hf.open_texts(name, made, pooling)
    elif isinstance(made, Onnx):
        encoder = _onnx(name, made, pooling)
    else:
        model = made.open() if isinstance(made, Adapter) else made
        if not offers(model, TextEncoder):
            raise UserError(TOGETHER.format(name))
        encoder = model
    if pooling and not isinstance(encoder, PooledTexts):
        raise UserError(f"{name} is not a transformer, so --pooling {pooling} has no meaning for it.")
    return encoder


def _onnx(name: str, made: Onnx, pooling: Pooling | None) -> TextEncoder:
    model = made.open()
    if isinstance(model, WordPairs):
        system = model.reading.system.partition("/")[0]
        raise UserError((PACKED if system in ONE_TEXT else TOGETHER).format(name))
    return model if offers(model, TextEncoder) else onnx.open_texts(name, made, pooling)


def _trained(name: str, made: Trained, pooling: Pooling | None) -> TextEncoder:
    try:
        from assay.models.encoding.systems import SystemTexts, Texts, transformer
        from assay.models.systems.checkpoint import load_system
        from assay.models.systems.system import WordSystem
        from assay.models.systems.transformer import Transformer
    except ImportError as error:
        raise MissingExtraError("torch", needed_for=f"The model {name}") from error
    system = load_system(made.folder)
    identity = made.identity(system.reader.edition if isinstance(system, WordSystem) else "")
    if isinstance(system, Transformer):
        how = pooled(name, Path(made.folder), pooling)
        return PooledTexts(identity, how, partial(transformer, system))
    if isinstance(system, WordSystem) and isinstance(system, Texts):
        return SystemTexts(system, identity)
    raise UserError(TOGETHER.format(name))
