"""Eight-bit weights with one scale per row, in a graph that still computes in full precision.

onnxruntime unpacks them when it loads the graph. Activations keep their precision, so an answer never depends on the
other texts of its batch.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SMALL = 1_024
"""Weights with fewer values are not worth packing."""


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
    """Nodes that unpack."""
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
