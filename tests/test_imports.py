"""Who may import whom: the arrows between the rooms."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent / "src" / "assay"

ALLOWED: dict[str, set[str]] = {
    "core": set(),
    "corpora": {"core"},
    "language": {"core"},
    "evaluate": {"core"},
    "report": {"core"},
    "stress": {"core", "language"},
    "models": {"core", "language"},
    "train": {"core", "models", "evaluate"},
    "run": {"core", "corpora", "language", "evaluate", "stress", "models", "train"},
    "app": {"core", "corpora", "language", "evaluate", "stress", "models", "train", "run", "report"},
}

FREE = {"version"}
"""Not a room: the version alone, which everybody may know."""

FILES = sorted(path for path in HOUSE.rglob("*.py") if path.parent != HOUSE)


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules of ours that a file imports, wherever in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def strangers(source: str, room: str) -> set[str]:
    """The rooms that this source imports and must not."""
    ours = {name.split(".")[1] for name in imports(ast.parse(source)) if name.startswith("assay.")}
    return ours - ALLOWED[room] - {room} - FREE


def test_every_room_has_its_arrows() -> None:
    assert {path.name for path in HOUSE.iterdir() if (path / "__init__.py").is_file()} == set(ALLOWED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    assert strangers(path.read_text(encoding="utf-8"), path.relative_to(HOUSE).parts[0]) == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import assay.run.build", {"run"}),
        ("from assay.models import majority", {"models"}),
        ("from assay import report", {"report"}),
        ("def late():\n    from assay.app.cli import main", {"app"}),
        ("from assay.core.pair import Pair\nfrom assay.version import __version__", set()),
    ],
)
def test_a_wrong_arrow_is_seen(source: str, found: set[str]) -> None:
    assert strangers(source, "evaluate") == found
