"""From a transformers classifier to a folder that `onnx:` runs."""

from pathlib import Path
from typing import Any

import torch

from assay.models.adapters.classifier import INPUTS
from assay.models.export.graphs import write_graph
from assay.models.export.model import Precision


def export_classifier(model: Any, tokenizer: Any, folder: Path, precision: Precision) -> None:
    """Write model.onnx, config.json and the tokenizer. The model must use eager attention."""
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")  # a third smaller
    names = [name for name in INPUTS if name in tokenizer.model_input_names]
    example = torch.ones((2, 8), dtype=torch.int64)
    inputs = {name: (example, {0: "rows", 1: "tokens"}) for name in names}
    write_graph(_Logits(model, names), inputs, "logits", folder / "model.onnx", precision)


class _Logits(torch.nn.Module):
    """A classifier that is called with positional arguments and returns only its scores."""

    def __init__(self, model: Any, names: list[str]) -> None:
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *tables: torch.Tensor) -> Any:
        return self.model(**dict(zip(self.names, tables, strict=True))).logits
