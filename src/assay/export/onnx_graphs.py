"""Systems over words and transformers classifiers as ONNX graphs in a folder that `onnx:` runs."""

import logging
import os
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from assay.export.export_model import Precision
from assay.models.adapters.onnx import ENCODE, JUDGE, MODEL, quantization
from assay.models.adapters.pair_classifier import INPUTS
from assay.models.systems.system import SentenceSystem, WordSystem
from assay.models.systems.word_readers import WordReader
from assay.models.systems.word_table import TABLE, write_table, write_words

SMALL = 1_024  # weights with fewer values are not worth packing


def pack(file: Path) -> None:
    """Store the large weights of a graph in eight bits."""
    model = onnx.load(file)
    graph = model.graph
    axes, tables, packed_tables = _summed_axes(graph), _tables(graph), set()
    first, nodes = [], []
    for weight in list(graph.initializer):
        name, values = weight.name, numpy_helper.to_array(weight)
        if name not in (axes.keys() | tables) or values.dtype != np.float32 or values.size < SMALL:
            continue
        packed, scales = packed_rows(values, axis=axes.get(name, -1))
        graph.initializer.remove(weight)
        graph.initializer.extend(
            [numpy_helper.from_array(packed, f"{name}.int8"), numpy_helper.from_array(scales, f"{name}.scale")]
        )
        if name in tables:
            packed_tables.add(name)
        else:
            first += _whole(f"{name}.int8", f"{name}.scale", name)
    for node in graph.node:  # of tables, only the rows that are looked up are unpacked
        if node.op_type == "Gather" and node.input[0] in packed_tables:
            name, row = node.input[0], node.output[0]
            nodes += [
                helper.make_node("Gather", [f"{name}.{part}", node.input[1]], [f"{row}.{part}"])
                for part in ("int8", "scale")
            ]
            nodes += _whole(f"{row}.int8", f"{row}.scale", row)
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend([*first, *nodes])  # what is unpacked must come before what uses it
    onnx.save(model, file)


def _whole(packed: str, scale: str, name: str) -> list[onnx.NodeProto]:
    """Nodes that turn packed weights back into floats."""
    cast = helper.make_node("Cast", [packed], [f"{name}.whole"], to=TensorProto.FLOAT)
    return [cast, helper.make_node("Mul", [f"{name}.whole", scale], [name])]


def packed_rows(values: NDArray[np.float32], *, axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Eight-bit values, and the scales along all axes but the one that is summed over.

    >>> packed, scales = packed_rows(np.array([[1.27, -0.5], [0.0, 254.0]], dtype=np.float32), axis=1)
    >>> packed.tolist(), scales.astype(float).round(2).tolist()
    ([[127, -50], [0, 127]], [[0.01], [2.0]])
    """
    scales = (np.abs(values).max(axis=axis, keepdims=True).clip(min=1e-12) / 127).astype(np.float32)
    return np.rint(values / scales).astype(np.int8), scales


def _summed_axes(graph: onnx.GraphProto) -> dict[str, int]:
    """For each weight that multiplies states: the axis that the product sums over."""
    found: dict[str, int] = {}
    for node in graph.node:
        for inner in (each.g for each in node.attribute if each.type == onnx.AttributeProto.GRAPH):
            found |= _summed_axes(inner)  # a loop's
        if node.op_type == "MatMul":
            found[node.input[1]] = -2
        elif node.op_type == "Gemm":
            turned = any(attribute.name == "transB" and attribute.i for attribute in node.attribute)
            found[node.input[1]] = -1 if turned else -2
        elif node.op_type == "LSTM":
            found.update(dict.fromkeys(node.input[1:3], -1))  # (directions, gates, inputs)
    return found


def _tables(graph: onnx.GraphProto) -> set[str]:
    """Tables that are only used to look up rows."""
    used = Counter(name for node in graph.node for name in node.input)
    looked_up = Counter(
        node.input[0]
        for node in graph.node
        if node.op_type == "Gather" and not any(each.name == "axis" and each.i for each in node.attribute)
    )
    return {name for name, count in looked_up.items() if used[name] == count}


Input = tuple[torch.Tensor, dict[int, str]]  # an example, and names for the dimensions that may change


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
            dynamo=False,  # docs/contributing/decisions/0007
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


SIDES = ("premise", "hypothesis")

SHOWN = {"rows": 2, "words": 3, "letters": 6, "parts": 1, "levels": 1}
"""How many of each the exporter sees; any number works afterwards."""


def export_words(
    system: WordSystem,
    folder: Path,
    precision: Precision,
    *,
    table: Path | None = None,
    words: Collection[str] | None = None,
) -> None:
    """Write words, vectors and graphs; `table` is a folder for vectors that several systems share.

    If `words` are given, the ready vectors of other words are left out.
    """
    embedding, ready, int8 = system.embedding, system.vocabulary.ready, precision == "int8"
    kept = [place for place, word in enumerate(ready) if words is None or word in words]
    write_table(table or folder / TABLE, tuple(ready[place] for place in kept), embedding.vectors[kept], int8=int8)
    where = Path(os.path.relpath(table, folder)).as_posix() if table else TABLE
    write_words(system.reader, embedding.learned.weight.detach().numpy(), folder, table=where, int8=int8)
    # The graphs take vectors, so that a table can be shared, and stays as it is stored.
    system.embedding = nn.Identity()  # type: ignore[assignment]
    if isinstance(system, SentenceSystem):
        text = _of_text(system.reader, embedding.size)
        write_graph(_Traced(system, system.text), text, "vector", folder / ENCODE, precision)
        vector: Input = (system.text(*(example for example, _ in text.values())).detach(), {0: "rows"})
        write_graph(_Traced(system, system.judge), dict.fromkeys(SIDES, vector), "scores", folder / JUDGE, precision)
        return
    inputs = {name: each for side in SIDES for name, each in _of_text(system.reader, embedding.size, side).items()}
    inputs |= {name: _shown(axes) for name, axes in system.reader.pair_axes.items()}
    write_graph(system, inputs, "scores", folder / MODEL, precision)


def _of_text(reader: WordReader, size: int, side: str = "") -> dict[str, Input]:
    """The inputs of a network that come from texts, or from those of one side, with vectors in place of numbers."""
    numbers, mask, *more = (_shown(axes, side=side) for axes in reader.text_axes.values())
    vectors = torch.zeros(*numbers[0].shape, size), numbers[1]
    return dict(zip(reader.names(side), (vectors, (mask[0] == 0, mask[1]), *more), strict=True))


def _shown(axes: tuple[str, ...], *, side: str = "") -> Input:
    """An example with these dimensions, and their names; words are those of a side."""
    names = [f"{side}_words" if side and axis == "words" else axis for axis in axes]
    sizes = [SHOWN[axis.rpartition("_")[2]] for axis in axes]
    return torch.zeros(sizes, dtype=torch.long), dict(enumerate(names))


class _Traced(nn.Module):
    """A call on a module, wrapped as a module that can be exported."""

    def __init__(self, module: nn.Module, call: Callable[..., Any]) -> None:
        super().__init__()
        self.module, self.call = module, call

    def forward(self, *inputs: Tensor) -> Any:
        return self.call(*inputs)


def export_classifier(model: Any, tokenizer: Any, folder: Path, precision: Precision) -> None:
    """Write model.onnx, config.json and the tokenizer. The model must use eager attention."""
    model.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")  # a third smaller
    names = [name for name in INPUTS if name in tokenizer.model_input_names]
    example = torch.ones((2, 8), dtype=torch.int64)
    inputs = {name: (example, {0: "rows", 1: "tokens"}) for name in names}
    logits = _Traced(model, lambda *tables: model(**dict(zip(names, tables, strict=True))).logits)
    write_graph(logits, inputs, "logits", folder / "model.onnx", precision)
