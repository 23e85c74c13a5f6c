"""onnxruntime, without its telemetry. Everything that needs it takes it from here."""

import os
from typing import Any


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
