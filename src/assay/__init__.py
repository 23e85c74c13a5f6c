"""Assay tells whether a natural-language-inference model is right for the right reasons.

Everything public is here, and nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.version import __version__

if TYPE_CHECKING:
    from assay.app.reporting import report
    from assay.bench.api import build, compare, export, failures, gate, generated, read, run, score, verify
    from assay.core.case import Case
    from assay.core.edit import Edit, Replacement, Skip
    from assay.core.errors import AssayError
    from assay.core.estimate import Estimate
    from assay.core.fakes import FakeCorpus, FakeModel
    from assay.core.label import Label
    from assay.core.pair import Pair
    from assay.core.prediction import Prediction
    from assay.core.run import RunRecord, RunSpec
    from assay.core.suite import Suite

_HOMES = {
    "AssayError": "assay.core.errors",
    "Case": "assay.core.case",
    "Edit": "assay.core.edit",
    "Estimate": "assay.core.estimate",
    "FakeCorpus": "assay.core.fakes",
    "FakeModel": "assay.core.fakes",
    "Label": "assay.core.label",
    "Pair": "assay.core.pair",
    "Prediction": "assay.core.prediction",
    "Replacement": "assay.core.edit",
    "RunRecord": "assay.core.run",
    "RunSpec": "assay.core.run",
    "Skip": "assay.core.edit",
    "Suite": "assay.core.suite",
    "build": "assay.bench.api",
    "compare": "assay.bench.api",
    "export": "assay.bench.api",
    "failures": "assay.bench.api",
    "gate": "assay.bench.api",
    "generated": "assay.bench.api",
    "read": "assay.bench.api",
    "report": "assay.app.reporting",
    "run": "assay.bench.api",
    "score": "assay.bench.api",
    "verify": "assay.bench.api",
}

__all__ = [
    "AssayError",
    "Case",
    "Edit",
    "Estimate",
    "FakeCorpus",
    "FakeModel",
    "Label",
    "Pair",
    "Prediction",
    "Replacement",
    "RunRecord",
    "RunSpec",
    "Skip",
    "Suite",
    "__version__",
    "build",
    "compare",
    "export",
    "failures",
    "gate",
    "generated",
    "read",
    "report",
    "run",
    "score",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
