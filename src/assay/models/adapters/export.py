"""From a classifier of transformers to a folder that `onnx:` runs, in full precision or with weights of eight bits."""

import logging
from pathlib import Path
from typing import Any

from assay.core.errors import MissingExtraError
from assay.models.adapters.hf import HuggingFace, quietly
from assay.models.label_order import parse_labels

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_onnx(settings: HuggingFace, folder: Path, *, int8: bool) -> None:
    """Write model.onnx, config.json and the tokenizer into a folder."""
    try:
        import onnx  # noqa: F401 - what the two below work with
        import onnxruntime  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("export", needed_for="Exporting a model") from error
    logging.disable(logging.WARNING)
    try:
        _export(settings, folder, int8=int8)
    finally:
        logging.disable(logging.NOTSET)


def _export(settings: HuggingFace, folder: Path, *, int8: bool) -> None:
    import onnxruntime.quantization
    import torch

    with quietly():
        _, tokenizer, model = settings.load(attention="eager")
        if explicit := parse_labels(settings.labels):
            model.config.id2label = dict(enumerate(explicit))
            model.config.label2id = {label: index for index, label in enumerate(explicit)}
        model.config.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        names = [name for name in INPUTS if name in tokenizer.model_input_names]
        example = torch.ones((2, 8), dtype=torch.int64)
        whole = folder / ("model_fp32.onnx" if int8 else "model.onnx")
        axes: dict[str, Any] = {name: {0: "pairs", 1: "tokens"} for name in names}
        torch.onnx.export(
            _logits(model, names),
            tuple(example for _ in names),
            str(whole),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={**axes, "logits": {0: "pairs"}},
            dynamo=False,  # the newer exporter is slow, and needs one more package
        )
        if int8:
            onnxruntime.quantization.quantize_dynamic(
                whole,
                folder / "model.onnx",
                per_channel=True,
                reduce_range=True,
                extra_options={"MatMulConstBOnly": True},
            )
            whole.unlink()


def _logits(model: Any, names: list[str]) -> Any:
    """The classifier, called by position and giving its scores alone."""
    import torch

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tables: torch.Tensor) -> Any:
            return self.model(**dict(zip(names, tables, strict=True))).logits

    return Logits()
