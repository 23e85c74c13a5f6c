"""Models as encoders of single texts: which can, how they are opened, and why others can't."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UserError
from assay.core.protocols import Adapter, Model, offers
from assay.models.adapters.hf import BUDGETS, HuggingFace
from assay.models.adapters.hub import first_line, quietly, refuse_kernels
from assay.models.adapters.onnx import BUDGET, Onnx
from assay.models.adapters.onnx_runtime import Graph
from assay.models.adapters.onnx_words import ExportedPairSystem
from assay.models.adapters.pair_classifier import INPUTS, longest_input, own_length
from assay.models.adapters.pair_tokens import PairTokens, refuse_text_growth
from assay.models.adapters.trained import Trained
from assay.models.encoders.token_pooling import EncoderNetwork, PooledTexts, Pooling, TextEncoder, read_pooling
from assay.storage.remote import local


def open_hf_encoder(name: str, made: HuggingFace, pooling: Pooling | None) -> PooledTexts:
    """Find it; it is loaded when it is first asked."""
    folder = made.folder()
    how = read_pooling(name, folder, pooling)
    return PooledTexts(made.digest(folder), how, partial(_network, name, made, folder, how.longest))


def _network(name: str, made: HuggingFace, folder: Path, longest: int | None) -> EncoderNetwork:
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer, PretrainedConfig
    except ImportError as error:
        raise MissingExtraError("hf", needed_for=f"The model {name}") from error
    safe: dict[str, Any] = {"trust_remote_code": made.code == "trust", "local_files_only": True}
    try:
        with quietly():
            if made.code == "refuse":
                refuse_kernels(PretrainedConfig.get_config_dict(folder)[0])
            refuse_text_growth(folder / "tokenizer.json")
            tokenizer = AutoTokenizer.from_pretrained(folder, **safe)
            model, report = AutoModel.from_pretrained(folder, dtype="float32", output_loading_info=True, **safe)
    except Exception as error:  # a damaged file can fail in any way
        raise UserError(f"{name} can't be loaded from {folder}: {first_line(error)}") from error
    if missing := sorted(each for each in report["missing_keys"] if "pooler" not in each):  # poolers are not used
        raise UserError(f"{name} is no encoder of texts: its files lack {', '.join(missing[:3])}.")
    if not getattr(tokenizer, "is_fast", False):
        raise UserError(f"{name} has no fast tokenizer (tokenizer.json), which Assay needs.")
    device = torch.device(made.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    model.eval().to(device)
    takes = set(tokenizer.model_input_names) & {*INPUTS}

    def forward(tables: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        with torch.inference_mode():
            given = {key: torch.from_numpy(table).to(device) for key, table in tables.items() if key in takes}
            vectors: NDArray[np.float32] = model(**given).last_hidden_state.float().cpu().numpy()
            return vectors  # (texts, width, dimensions)

    most = min(filter(None, (made.length, longest)), default=None)
    tokens = PairTokens(
        tokenizer.backend_tokenizer,
        longest=longest_input(model.config.to_dict(), most, own_length(tokenizer.model_max_length)),
        padding=tokenizer.pad_token_id or 0,
    )
    return EncoderNetwork(tokens, forward, BUDGETS.get(device.type, BUDGETS["cuda"]))


LAYER = "LayerNormalization"
"""Node that ends each layer of a transformer."""


def open_onnx_encoder(name: str, made: Onnx, pooling: Pooling | None) -> PooledTexts:
    """Find it; it is loaded when it is first asked."""
    folder = local(made.what).expanduser()
    how = read_pooling(name, folder, pooling)
    return PooledTexts(made.open().identity, how, partial(_onnx_network, name, made, folder, how.longest))


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
    """The name of what a classifier's last layer gives, and the graph with that as an output."""
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
    """The encoder of a model, from its settings; `pooling` is for transformers."""
    if isinstance(made, Trained):
        encoder = _trained(name, made, pooling)
    elif isinstance(made, HuggingFace):
        encoder = open_hf_encoder(name, made, pooling)
    elif isinstance(made, Onnx):
        encoder = _onnx(name, made, pooling)
    else:
        model = made.open() if isinstance(made, Adapter) else made
        if not offers(model, TextEncoder):
            raise UserError(TOGETHER.format(name))
        encoder = model
    if pooling and not isinstance(encoder, PooledTexts):
        raise UserError(f"{name} is not a transformer, so --set pooling={pooling} has no meaning for it.")
    return encoder


def _onnx(name: str, made: Onnx, pooling: Pooling | None) -> TextEncoder:
    model = made.open()
    if isinstance(model, ExportedPairSystem):
        system = model.reading.system.partition("/")[0]
        raise UserError((PACKED if system in ONE_TEXT else TOGETHER).format(name))
    return model if offers(model, TextEncoder) else open_onnx_encoder(name, made, pooling)


def _trained(name: str, made: Trained, pooling: Pooling | None) -> TextEncoder:
    try:
        from assay.models.encoders.system_encoder import SentenceEncoderSystem, SystemTexts, transformer
        from assay.models.systems.checkpoint import load_system
        from assay.models.systems.system import WordSystem
        from assay.models.systems.transformer import Transformer
    except ImportError as error:
        raise MissingExtraError("torch", needed_for=f"The model {name}") from error
    system = load_system(made.folder)
    identity = made.identity(system.reader.edition if isinstance(system, WordSystem) else "")
    if isinstance(system, Transformer):
        how = read_pooling(name, Path(made.folder), pooling)
        return PooledTexts(identity, how, partial(transformer, system))
    if isinstance(system, WordSystem) and isinstance(system, SentenceEncoderSystem):
        return SystemTexts(system, identity)
    raise UserError(TOGETHER.format(name))
