"""PyTorch modules to ONNX graphs, in full precision or with eight-bit weights."""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import torch

from assay.models.export.int8 import pack
from assay.models.export.model import Precision
from assay.models.onnx_runtime import quantization

Input = tuple[torch.Tensor, dict[int, str]]
"""An example, and names for the dimensions that may change."""


def write_graph(
    module: torch.nn.Module, inputs: Mapping[str, Input], output: str, file: Path, precision: Precision
) -> None:
    """Write a module with one output. Rows are the first dimension of every input."""
    with _quietly():
        torch.onnx.export(
            module,
            tuple(example for example, _ in inputs.values()),
            str(file),
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes={**{name: axes for name, (_, axes) in inputs.items()}, output: {0: "rows"}},
            dynamo=False,  # docs/decisions/0007
        )
        if precision == "int8-dynamic":
            whole = file.replace(file.with_name(f"whole-{file.name}"))
            quantization().quantize_dynamic(
                whole, file, op_types_to_quantize=["MatMul"], per_channel=True, reduce_range=True
            )
            whole.unlink()
    if precision != "fp32":
        pack(file)


@contextmanager
def _quietly() -> Iterator[None]:
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)
