"""The rooms of the house, and who may import whom."""

import ast
from pathlib import Path

import pytest
from tests.house import HOUSE, imported, modules

from assay.app.cli.main import VERBS

ROOMS = ("core", "corpora", "language", "stress", "models", "train", "evaluate", "bench", "reports", "app")

ARROWS: dict[str, set[str]] = {
    "core": set(),
    "corpora": {"core"},
    "language": {"core"},
    "evaluate": {"core"},
    "reports": {"core", "evaluate"},
    "stress": {"core", "language"},
    "models": {"core", "language"},
    "train": {"core", "models", "evaluate"},
    "bench": set(ROOMS) - {"reports", "app"},
    "app": set(ROOMS),
}

MOST_FILES = 20
"""Files of one folder that can still be taken in at a glance."""

OPENERS = {"open", "pathlib", "Path", "io", "os", "shutil", "tempfile"}
"""Names through which a file is reached."""


def wrong_arrows(code: str, room: str) -> list[str]:
    """Imports that a module of a room must not have."""
    found = []
    for module in imported(code, package=f"assay.{room}"):
        house, _, rest = module.partition(".")
        target = rest.partition(".")[0]
        if house == "assay" and target not in {room, "version", *ARROWS[room]}:
            found.append(module)
    return found


def test_there_are_ten_rooms() -> None:
    assert set(ARROWS) == set(ROOMS)
    assert {path.parent.name for path in HOUSE.glob("*/__init__.py")} == set(ROOMS)
    for room in ROOMS:
        assert ast.get_docstring(ast.parse((HOUSE / room / "__init__.py").read_text())), f"{room}: what is it?"


def test_nothing_lives_outside_of_the_rooms() -> None:
    assert {path.name for path in HOUSE.glob("*.py")} <= {"__init__.py", "__main__.py", "version.py"}


def test_a_module_imports_only_what_its_room_may() -> None:
    wrong = {
        path.relative_to(HOUSE).as_posix(): arrows
        for path in modules()
        if (arrows := wrong_arrows(path.read_text(encoding="utf-8"), path.relative_to(HOUSE).parts[0]))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("room", "code"),
    [
        ("core", "from assay.bench import shards"),
        ("core", "import assay.language.text.words"),
        ("core", "def f():\n    from assay.corpora.reading import read"),
        ("core", "from assay import bench"),
        ("core", "from .. import bench"),
        ("core", "from ..language import words"),
        ("core", "import_module('assay.app.cli')"),
        ("stress", "from assay.models.baselines.overlap import Overlap"),
        ("models", "from assay.stress.negation import Negation"),
        ("evaluate", "if True:\n    import assay.models as m"),
        ("bench", "from assay.reports.write.terminal import summary"),
        ("reports", "from assay.bench import stored"),
        ("train", "from assay.corpora.reading import read"),
        ("language", "from assay import Pair"),
    ],
)
def test_a_wrong_arrow_is_caught(room: str, code: str) -> None:
    assert wrong_arrows(code, room)


@pytest.mark.parametrize(
    ("room", "code"),
    [
        ("core", "from . import label\nimport numpy\nfrom assay.core.case import Case"),
        ("stress", "from assay.language.text.words import words\nfrom assay.version import __version__"),
        ("app", "from assay.reports.write import terminal"),
        ("bench", "from assay.evaluate.accuracy import Accuracy"),
    ],
)
def test_a_right_arrow_passes(room: str, code: str) -> None:
    assert not wrong_arrows(code, room)


def parts_of(room: Path) -> dict[str, set[str]]:
    """Which folders and files of a room import which others: a folder counts as one part, as does a file beside it."""
    arrows: dict[str, set[str]] = {}
    for path in sorted(room.rglob("*.py")):
        here = path.relative_to(room).parts
        part = here[0].removesuffix(".py")
        arrows.setdefault(part, set())
        package = ".".join(("assay", room.name, *here[:-1]))
        for module in imported(path.read_text(encoding="utf-8"), package=package):
            house, _, rest = module.partition(f"assay.{room.name}.")
            target = rest.partition(".")[0]
            if (
                not house
                and target
                and target != part
                and ((room / target).is_dir() or (room / f"{target}.py").is_file())
            ):
                arrows[part].add(target)
    return arrows


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Parts that import each other in a circle; empty if there is none."""
    left = dict(arrows)
    while free := [part for part, targets in left.items() if not targets & left.keys()]:
        for part in free:
            del left[part]
    return sorted(left)


@pytest.mark.parametrize("room", ROOMS)
def test_the_folders_of_a_room_do_not_import_each_other_in_circles(room: str) -> None:
    assert not circle(parts_of(HOUSE / room))


def test_a_circle_of_folders_is_caught(tmp_path: Path) -> None:
    room = tmp_path / "bench"
    for folder, code in (("ask", "from assay.bench.build.suite import x"), ("build", "from ..ask import names")):
        (room / folder).mkdir(parents=True)
        (room / folder / "suite.py").write_text(code)
    (room / "shards.py").write_text("")
    assert circle(parts_of(room)) == ["ask", "build"]
    (room / "build" / "suite.py").write_text("from assay.bench import shards")
    assert parts_of(room) == {"ask": {"build"}, "build": {"shards"}, "shards": set()}
    assert not circle(parts_of(room))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_can_be_seen_at_a_glance(room: str) -> None:
    verbs = {"list_" if verb == "list" else verb.replace("-", "_") for verb in VERBS}  # each has its own file
    for folder in (HOUSE / room, *(path.parent for path in (HOUSE / room).rglob("__init__.py"))):
        files = [path.name for path in folder.glob("*.py") if path.stem not in {"__init__", *verbs}]
        assert len(files) <= MOST_FILES, f"{folder.name} has {len(files)} files: give it folders that are verbs"


def file_names(code: str) -> set[str]:
    """Names in a module through which it could reach a file."""
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)}
    return (names | {module.partition(".")[0] for module in imported(code, package="assay.evaluate")}) & OPENERS


def test_evaluating_touches_no_file() -> None:
    names = {path: file_names(path.read_text(encoding="utf-8")) for path in (HOUSE / "evaluate").rglob("*.py")}
    assert names
    assert not {path.name: found for path, found in names.items() if found}


@pytest.mark.parametrize("code", ["open('x')", "import pathlib", "from pathlib import Path", "p.open()"])
def test_touching_a_file_is_caught(code: str) -> None:
    assert file_names(code)
