"""onnxruntime, without its telemetry. Everything that needs it takes it from here."""

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError


def onnxruntime() -> Any:
    """The package.

    Unless this is set before it is loaded, it reports to its vendor and leaves an identifier in the user's cache.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime as package

    return package


def quantization() -> Any:
    """The part of the package that stores weights in eight bits."""
    onnxruntime()
    from onnxruntime import quantization as part

    return part


class Graph:
    """Takes arrays by input name, and returns one output; the file is loaded when it is first needed."""

    def __init__(self, file: Path, *, threads: int = 0, output: str = "", content: bytes = b"") -> None:
        self.file = file
        self.threads = threads
        self.output = output
        """The output to return; the first if it is empty."""
        self.content = content
        """Content to load instead of the file, such as the same graph with one more output."""

    def __call__(self, **arrays: NDArray[Any]) -> NDArray[Any]:
        """Run the model on the arrays that it accepts as inputs."""
        wanted = [self.output] if self.output else None
        return np.asarray(self._session.run(wanted, {name: arrays[name] for name in self.inputs})[0])

    @cached_property
    def inputs(self) -> list[str]:
        """The names of its inputs."""
        return [each.name for each in self._session.get_inputs()]

    @property
    def outputs(self) -> int | str:
        """Number of values in a row, or a name if the file does not say."""
        return self._session.get_outputs()[0].shape[-1]

    @property
    def of_tokens(self) -> str:
        """The output with a vector for each token, (rows, tokens, dimensions); empty if there is none."""
        return next((each.name for each in self._session.get_outputs() if len(each.shape) == 3), "")

    @cached_property
    def _session(self) -> Any:
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other work needs the cores too
        try:
            return runtime.InferenceSession(self.content or self.file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library raises many kinds of error for damaged files
            raise BadInputError(f"not a model that onnxruntime can run: {error}", where=str(self.file)) from error
