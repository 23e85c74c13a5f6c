"""Assay tests whether a natural-language-inference model is right for the right reasons.

Everything public is listed in `__init__.pyi`, and nothing is imported before it is used.
"""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.version import __version__ as __version__

_LINES = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
_NAMED = sorted((words[3], words[1]) for words in map(str.split, _LINES) if words[:1] == ["from"])
_HOMES = {name: home for name, home in _NAMED if name != "__version__"}
"""The module of each public name; of a name that is itself a module, its package."""

_MODULES = ("errors", "protocols", "registry")
"""Public names that are modules of `assay.core`."""

__all__ = [name for name, _ in _NAMED]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        home = import_module(_HOMES[name])
        value = import_module(f"{_HOMES[name]}.{name}") if name in _MODULES else getattr(home, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _Surface(ModuleType):
    """Keeps public functions such as `assay.run` from being hidden by the packages of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _MODULES or name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Surface
