"""hf:NAME as an encoder of single texts: any transformers checkpoint, with or without a classifier."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import MissingExtraError, UserError
from assay.models.adapters.classifier import INPUTS, longest_input, own_length
from assay.models.adapters.hf import BUDGETS, HuggingFace
from assay.models.answering.tokens import PairTokens
from assay.models.encoding.pooling import Network, PooledTexts, Pooling, pooled
from assay.models.hub import first_line, quietly, refuse_kernels, refuse_text_growth


def open_texts(name: str, made: HuggingFace, pooling: Pooling | None) -> PooledTexts:
    """Find it; it is loaded when it is first asked."""
    folder = made.folder()
    how = pooled(name, folder, pooling)
    return PooledTexts(made.digest(folder), how, partial(_network, name, made, folder, how.longest))


def _network(name: str, made: HuggingFace, folder: Path, longest: int | None) -> Network:
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
    return Network(tokens, forward, BUDGETS.get(device.type, BUDGETS["cuda"]))
