"""onnx:FOLDER as an encoder of single texts: a graph that gives vectors of tokens, or a classifier's last layer."""

from functools import partial
from pathlib import Path

from assay.core.errors import MissingExtraError, UserError
from assay.core.fetching import local
from assay.models.adapters.onnx import BUDGET, Onnx
from assay.models.adapters.onnx_graph import Graph
from assay.models.encoding.pooling import Network, PooledTexts, Pooling, pooled

LAYER = "LayerNormalization"
"""What ends each layer of a transformer."""


def open_texts(name: str, made: Onnx, pooling: Pooling | None) -> PooledTexts:
    """Find it; it is loaded when it is first asked."""
    folder = local(made.what).expanduser()
    how = pooled(name, folder, pooling)
    return PooledTexts(made.open().identity, how, partial(_network, name, made, folder, how.longest))


def _network(name: str, made: Onnx, folder: Path, longest: int | None) -> Network:
    graph = Graph(folder / made.file_in(folder), threads=made.threads)
    output = graph.of_tokens
    if not output:
        output, content = _with_last_layer(name, graph.file)
        graph = Graph(graph.file, threads=made.threads, content=content)
    graph.output = output
    tokens = made.tokens(folder, min(filter(None, (made.length, longest)), default=None))
    return Network(tokens, lambda tables: graph(**tables), BUDGET)


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
