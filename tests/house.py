"""The modules of the house, and what they import."""

import ast
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

HOUSE = ROOT / "src" / "assay"


def imported(code: str, *, package: str) -> Iterator[str]:
    """Every module that a module of a package imports, at its top or inside of a function."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            first = node.args[0] if node.args else None
            if name == "import_module" and isinstance(first, ast.Constant):
                yield str(first.value)


def modules() -> list[Path]:
    return sorted(path for path in HOUSE.rglob("*.py") if path.parent != HOUSE)


def load_tool(name: str) -> Any:
    """A script of tools/ as a module."""
    spec = spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
