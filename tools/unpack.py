"""Turns the packed MiniLM back into a checkpoint that training can start from: `python tools/unpack.py FOLDER`.

It needs `pip install '.[export]'`. The weights had eight bits, so they are not exactly what training left;
the answers are those of `assay:minilm`.
"""

import argparse
from pathlib import Path

import numpy
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from assay.models.shipped import HERE

PACKED = HERE / "minilm"


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    model = AutoModelForSequenceClassification.from_config(AutoConfig.from_pretrained(PACKED))
    missing, unknown = model.load_state_dict(weights(onnx.load(PACKED / "model.onnx")), strict=False)
    if missing or unknown:
        raise SystemExit(f"The packed model and its shape differ: {missing} are missing, {unknown} are unknown.")
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(PACKED).save_pretrained(folder)
    print(f"{folder}: {sum(each.numel() for each in model.parameters()):,} weights")


def weights(model: onnx.ModelProto) -> dict[str, torch.Tensor]:
    """The weights by their names in PyTorch; a matrix without a name has that of the node that multiplies by it."""
    stored = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    found = {
        name.removesuffix(".int8").removeprefix("model."): whole(stored, name)
        for name in stored
        if name.startswith("model.") and not name.endswith(".scale")
    }
    for node in model.graph.node:
        if node.op_type == "MatMul" and (matrix := f"{node.input[1]}.int8") in stored:
            layer = node.output[0].removeprefix("/model/").removesuffix("/MatMul_output_0").replace("/", ".")
            found[f"{layer}.weight"] = whole(stored, matrix).T
    return {name: torch.from_numpy(numpy.array(values, dtype=numpy.float32)) for name, values in found.items()}


def whole(stored: dict[str, NDArray[numpy.generic]], name: str) -> NDArray[numpy.generic]:
    """The values of a tensor, whether it was packed or not."""
    if not name.endswith(".int8"):
        return stored[name]
    scale: NDArray[numpy.generic] = stored[f"{name.removesuffix('.int8')}.scale"]
    return stored[name].astype(numpy.float32) * scale


if __name__ == "__main__":
    main()
