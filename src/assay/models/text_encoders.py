"""One vector per text, from systems over words or pooled transformers; an error explains why other models have none."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UserError
from assay.core.protocols import Adapter, Model, Ready, offers
from assay.models.adapters.hf import HuggingFace, token_budget
from assay.models.adapters.hub import quietly
from assay.models.adapters.onnx import BUDGET, ExportedPairSystem, Graph, Onnx
from assay.models.adapters.pair_classifier import INPUTS, read_json, tokens_for
from assay.models.adapters.pair_tokens import PairTokens
from assay.models.adapters.trained import BUDGET as WORDS
from assay.models.adapters.trained import Trained
from assay.storage.remote import local

if TYPE_CHECKING:
    from assay.models.systems.system import WordSystem


@runtime_checkable
class TextEncoder(Protocol):
    """The part of a `SentenceModel` that comes before its comparison; see there."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its vectors; empty if unknown."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of texts times the size of the largest."""

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Prepare texts to be encoded."""

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[np.float32]:
        """One vector per text, in order."""


Pooling = Literal["mean", "cls", "max"]
"""Pooling of token vectors: their mean, the first one, or the largest value of each dimension."""

POOLINGS: tuple[Pooling, ...] = get_args(Pooling)

MODULES = "modules.json"  # file that lists the modules of a sentence-transformers folder

KNOWN = {"Transformer", "Pooling", "Normalize"}

MODES: Mapping[str, Pooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
}

Floats = NDArray[np.float32]
Forward = Callable[[Mapping[str, NDArray[np.int64]]], Floats]
"""Tables of tokens in, one vector per token out: (texts, width, dimensions)."""


class Pooled(NamedTuple):
    pooling: Pooling
    normalise: bool = False  # true if the vector is scaled to length 1
    longest: int | None = None  # maximum number of tokens, if the folder says
    said: bool = False  # true if the folder gives the pooling; False for the default

    def __call__(self, vectors: Floats, mask: NDArray[np.int64]) -> Floats:
        """(texts, dimensions), from (texts, width, dimensions) and (texts, width)."""
        there = mask[:, :, None].astype(np.float32)
        if self.pooling == "cls":
            found = vectors[:, 0]
        elif self.pooling == "max":
            found = np.where(there > 0, vectors, -np.inf).max(1)
        else:
            found = (vectors * there).sum(1) / np.maximum(there.sum(1), 1)
        if self.normalise:
            found = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return found.astype(np.float32)


def read_pooling(name: str, folder: Path, wanted: Pooling | None) -> Pooled:
    """Pooling of a folder, by default the mean; an explicit request has priority."""
    modules = read_json(folder / MODULES, list)
    if not modules:
        return Pooled(wanted or "mean")
    kinds = {str(each["type"]).rpartition(".")[2]: folder / each["path"] for each in modules}
    if strange := kinds.keys() - KNOWN:
        raise UserError(
            f"{name} has the module {', '.join(sorted(strange))}, which Assay can't use; "
            f"it can use {', '.join(sorted(KNOWN))}."
        )
    said = read_json(kinds["Pooling"] / "config.json", dict) if "Pooling" in kinds else {}
    modes = [mode for key, mode in MODES.items() if said.get(key)]
    others = [key for key, on in said.items() if key.startswith("pooling_mode_") and on is True and key not in MODES]
    if said.get("pooling_mode") in POOLINGS:  # how newer versions say it
        modes = [said["pooling_mode"]]
    if not wanted and (len(modes) > 1 or others or (said and not modes)):
        raise UserError(
            f"{name} pools in a way that is not known here ({folder / MODULES}).\n"
            f"  Choose one: --set pooling={'|'.join(POOLINGS)}."
        )
    longest = read_json(folder / "sentence_bert_config.json", dict).get("max_seq_length")
    mode = wanted or (modes[0] if modes else "mean")
    return Pooled(mode, "Normalize" in kinds, longest, said=wanted is None and bool(modes))


class EncoderNetwork(NamedTuple):
    tokens: PairTokens
    forward: Forward  # the network that gives vectors of tokens
    budget: int  # maximum number of tokens in a batch


class PooledTexts:
    """A transformer as an encoder of single texts; it is loaded when it is first used."""

    def __init__(self, identity: str, how: Pooled, load: Callable[[], EncoderNetwork]) -> None:
        self.identity = hashlib.sha256(f"{identity} {tuple(how)}".encode()).hexdigest()
        self.how = how
        self._load = load

    @property
    def notes(self) -> tuple[str, ...]:
        names = {"mean": "the mean of its tokens' vectors", "cls": "that of its first token", "max": "their maximum"}
        scaled = ", scaled to length 1" if self.how.normalise else ""
        whose = ", as its folder says" if self.how.said else ""
        return (f"a text's vector is {names[self.how.pooling]}{scaled}{whose}",)

    @cached_property
    def network(self) -> EncoderNetwork:
        return self._load()

    @property
    def budget(self) -> int:
        return self.network.budget

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Tokenise; a text that is too long loses its end."""
        return self.network.tokens.ready_texts(texts)

    def encode(self, batch: Sequence[Ready], *, width: int) -> Floats:
        """(texts, dimensions)."""
        tables = self.network.tokens.arrays(batch, width)
        return self.how(self.network.forward(tables), tables["attention_mask"])


def _network(name: str, made: HuggingFace, folder: Path, longest: int | None) -> EncoderNetwork:
    try:
        import torch
        import transformers  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("hf", needed_for=f"The model {name}") from error
    with quietly():
        tokenizer, model = made.load(folder, encodes=True)
    device = torch.device(made.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    most = min(filter(None, (made.length, longest)), default=None)
    return _of_tokens(model.to(device), tokenizer, device, most)


def _of_tokens(model: Any, tokenizer: Any, device: Any, most: int | None) -> EncoderNetwork:
    """A transformer without its classifier."""
    import torch

    takes = set(tokenizer.model_input_names) & {*INPUTS}

    def forward(tables: Mapping[str, NDArray[np.int64]]) -> Floats:
        with torch.inference_mode():
            given = {key: torch.from_numpy(table).to(device) for key, table in tables.items() if key in takes}
            return model(**given).last_hidden_state.float().cpu().numpy()  # (texts, width, dimensions)

    tokens = tokens_for(tokenizer, model.config.to_dict(), most)
    return EncoderNetwork(tokens, forward, token_budget(device))


LAYER = "LayerNormalization"  # node that ends each layer of a transformer


def _onnx_network(name: str, made: Onnx, folder: Path, longest: int | None) -> EncoderNetwork:
    graph = Graph(folder / made.file_in(folder), threads=made.threads)
    output = graph.of_tokens
    if not output:
        output, content = _with_last_layer(name, graph.file)
        graph = Graph(graph.file, threads=made.threads, content=content)
    graph.output = output
    tokens = made.tokens(folder, min(filter(None, (made.length, longest)), default=None))
    return EncoderNetwork(tokens, lambda tables: graph(**tables), BUDGET)


def _with_last_layer(name: str, file: Path) -> tuple[str, bytes]:
    """The name of the last layer's output inside a classifier, and the graph with that output."""
    try:
        import onnx
    except ImportError as error:
        raise MissingExtraError("export", needed_for=f"Looking inside the classifier {name}") from error
    model = onnx.load(file)
    layers = [node for node in model.graph.node if node.op_type == LAYER]
    if not layers:
        raise UserError(
            f"{name} gives no vectors of tokens, and no layer that does can be found inside.\n"
            "  Give the model that it was exported from (hf: or trained:), or export it for feature extraction."
        )
    output = str(layers[-1].output[0])
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info(output))
    return output, model.SerializeToString()


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
    """The encoder of a model, from its settings; `pooling` applies to transformers."""
    if isinstance(made, Trained):
        encoder = _open_trained(name, made, pooling)
    elif isinstance(made, HuggingFace):
        folder = made.folder()
        how = read_pooling(name, folder, pooling)
        encoder = PooledTexts(made.digest(folder), how, partial(_network, name, made, folder, how.longest))
    elif isinstance(made, Onnx):
        encoder = _open_onnx(name, made, pooling)
    else:
        model = made.open() if isinstance(made, Adapter) else made
        if not offers(model, TextEncoder):
            raise UserError(TOGETHER.format(name))
        encoder = model
    if pooling and not isinstance(encoder, PooledTexts):
        raise UserError(f"{name} is not a transformer, so --set pooling={pooling} has no meaning for it.")
    return encoder


def _open_onnx(name: str, made: Onnx, pooling: Pooling | None) -> TextEncoder:
    model = made.open()
    if isinstance(model, ExportedPairSystem):
        system = model.reading.system.partition("/")[0]
        raise UserError((PACKED if system in ONE_TEXT else TOGETHER).format(name))
    if offers(model, TextEncoder):
        return model
    folder = local(made.what).expanduser()
    how = read_pooling(name, folder, pooling)
    return PooledTexts(model.identity, how, partial(_onnx_network, name, made, folder, how.longest))


def _open_trained(name: str, made: Trained, pooling: Pooling | None) -> TextEncoder:
    system, identity = made.load()
    import torch

    from assay.models.systems.system import WordSystem
    from assay.models.systems.transformer import Transformer

    if isinstance(system, Transformer):
        inside, cpu = system.encoder.base_model.eval(), torch.device("cpu")
        how = read_pooling(name, made.folder, pooling)
        return PooledTexts(identity, how, partial(_of_tokens, inside, system.tokenizer, cpu, None))
    if isinstance(system, WordSystem) and hasattr(system, "text"):
        return SystemTexts(system, identity)
    raise UserError(TOGETHER.format(name))


class SystemTexts:
    """A word-based system; if it encodes premise and hypothesis differently, every text is encoded as a premise."""

    budget: int = WORDS

    def __init__(self, system: "WordSystem", identity: str) -> None:
        self.system: Any = system.eval()
        self.identity = identity

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        return [Ready(each, max(1, len(each))) for each in self.system.reader.read(texts)]

    def encode(self, batch: Sequence[Ready], *, width: int) -> Floats:  # noqa: ARG002 - masks make the width irrelevant
        """(texts, dimensions)."""
        import torch

        from assay.models.systems.vocabulary import Ragged

        texts = Ragged.of(each.content for each in batch).pad_rows(range(len(batch)))
        with torch.inference_mode():
            found: Floats = self.system.text(*map(torch.from_numpy, self.system.reader.of_text(texts))).numpy()
        return found
