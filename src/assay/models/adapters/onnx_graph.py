"""An ONNX graph, run by onnxruntime."""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import BadInputError
from assay.models.onnx_runtime import onnxruntime


class Graph:
    """Takes arrays by input name, and returns the first output; the file is loaded when it is first needed."""

    def __init__(self, file: Path, *, threads: int = 0) -> None:
        self.file = file
        self.threads = threads

    def __call__(self, **arrays: NDArray[Any]) -> NDArray[Any]:
        """Run it on those of the arrays that it takes."""
        return np.asarray(self._session.run(None, {name: arrays[name] for name in self.inputs})[0])

    @cached_property
    def inputs(self) -> list[str]:
        """The names of its inputs."""
        return [each.name for each in self._session.get_inputs()]

    @property
    def outputs(self) -> int | str:
        """How many values a row has, or a name if the file does not say."""
        found: int | str = self._session.get_outputs()[0].shape[-1]
        return found

    @cached_property
    def _session(self) -> Any:
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # other work needs the cores too
        try:
            return runtime.InferenceSession(self.file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library raises many kinds of error for damaged files
            raise BadInputError(f"not a model that onnxruntime can run: {error}", where=str(self.file)) from error
