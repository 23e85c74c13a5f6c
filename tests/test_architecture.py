"""The layers and features of the house, and who may import whom."""

import ast
from collections import Counter

import pytest
from tests.house import HOUSE, imported, modules

LAYERS = ("core", "storage", "language", "corpora", "stress", "models", "evaluate", "run", "reports", "cli")
"""Each may import those before it."""

FEATURES = ("training", "studies", "annotate", "serve", "audit", "ask", "gate", "compare", "score", "export")
"""Each may import layers, and only the command line imports features."""

EXCEPTIONS = {"studies": {"training"}, "serve": {"annotate", "ask", "audit", "studies"}}
"""Studies train systems, and the web application shows what other features make."""

FIXED = {"build", "check", "command"}
"""File names that every family or feature may have."""

OPENERS = {"open", "pathlib", "Path", "io", "os", "shutil", "tempfile"}
"""Names through which a file is reached."""


def allowed(package: str) -> set[str]:
    """Packages that a package may import."""
    if package == "cli":
        return {*LAYERS, *FEATURES}
    if package in LAYERS:
        return set(LAYERS[: LAYERS.index(package)])
    return {*LAYERS, *EXCEPTIONS.get(package, set())}


def wrong_arrows(code: str, package: str) -> list[str]:
    """Imports that a module of a package must not have."""
    found = []
    for module in imported(code, package=f"assay.{package}"):
        house, _, rest = module.partition(".")
        target = rest.partition(".")[0]
        if house == "assay" and target not in {package, "version", *allowed(package)}:
            found.append(module)
    return found


def test_every_package_is_a_layer_or_a_feature_and_says_what_it_is() -> None:
    assert {path.parent.name for path in HOUSE.glob("*/__init__.py")} == {*LAYERS, *FEATURES}
    for package in (*LAYERS, *FEATURES):
        assert ast.get_docstring(ast.parse((HOUSE / package / "__init__.py").read_text())), f"{package}: what is it?"


def test_nothing_lives_outside_of_the_packages() -> None:
    assert {path.name for path in HOUSE.glob("*.py")} <= {"__init__.py", "__main__.py", "version.py"}


def test_modules_import_only_what_their_package_may() -> None:
    wrong = {
        path.relative_to(HOUSE).as_posix(): arrows
        for path in modules()
        if (arrows := wrong_arrows(path.read_text(encoding="utf-8"), path.relative_to(HOUSE).parts[0]))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("core", "from assay.storage import files"),
        ("core", "import assay.language.text.tokens"),
        ("core", "def f():\n    from assay.corpora.reader import read"),
        ("core", "from assay import run"),
        ("core", "from .. import run"),
        ("core", "from ..language import words"),
        ("core", "import_module('assay.cli')"),
        ("stress", "from assay.models.baselines.shortcut_baselines import Overlap"),
        ("evaluate", "if True:\n    import assay.run as m"),
        ("run", "from assay.reports.terminal import run_summary"),
        ("reports", "from assay.studies import study"),
        ("gate", "from assay.compare import command"),
        ("training", "from assay.studies.plan import study_plan"),
        ("language", "from assay import Pair"),
        ("language", "from assay.corpora.reader import read"),
    ],
)
def test_a_wrong_arrow_is_caught(package: str, code: str) -> None:
    assert wrong_arrows(code, package)


@pytest.mark.parametrize(
    ("package", "code"),
    [
        ("core", "from . import label\nimport numpy\nfrom assay.core.case import Case"),
        ("stress", "from assay.language.text.tokens import words\nfrom assay.version import __version__"),
        ("reports", "from assay.run.stored_run import open_run"),
        ("studies", "from assay.training.train_system import train_system"),
        ("cli", "from assay.gate import command"),
    ],
)
def test_a_right_arrow_passes(package: str, code: str) -> None:
    assert not wrong_arrows(code, package)


def test_no_module_name_occurs_twice() -> None:
    names = Counter(path.stem for path in modules() if path.name != "__init__.py")
    assert not [name for name, count in names.items() if count > 1 and name not in FIXED]


def test_no_class_name_occurs_twice() -> None:
    names = Counter(
        node.name
        for path in modules()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert not [name for name, count in names.items() if count > 1]


def file_names(code: str) -> set[str]:
    """Names in a module through which it could reach a file."""
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)}
    return (names | {module.partition(".")[0] for module in imported(code, package="assay.evaluate")}) & OPENERS


def test_evaluating_touches_no_file() -> None:
    paths = sorted((HOUSE / "evaluate").rglob("*.py"))
    assert not [path.name for path in paths if file_names(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("code", ["open('x')", "import pathlib", "from pathlib import Path", "p.open()"])
def test_touching_a_file_is_caught(code: str) -> None:
    assert file_names(code)
