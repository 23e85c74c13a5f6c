"""Names for what can be plugged in."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.core import protocols, registry
from assay.core.errors import NameCollisionError, UnknownNameError, UserError
from assay.core.registry import Registry, formats, models, transforms


@pytest.fixture
def shapes() -> Registry[Any]:
    return Registry("shape", group="assay.test-shapes")


def distribution(folder: Path, name: str, *lines: str, group: str = "assay.test-shapes") -> None:
    """What an installed package leaves on the path."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))


def python(code: str, *path: Path) -> str:
    setup = f"import sys; sys.path[:0] = {[str(each) for each in path]!r}\n"
    done = subprocess.run([sys.executable, "-c", setup + code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_nothing_is_imported_before_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "lazy_shape.py").write_text("class Circle: pass\n")
    distribution(tmp_path, "shapes", "circle/v1 = lazy_shape:Circle")
    code = """
from assay.core.registry import Registry
shapes = Registry("shape", group="assay.test-shapes")
print(shapes.names(), shapes.newest(), shapes.target("circle").source, "lazy_shape" in sys.modules)
print(shapes.get("circle").__name__, "lazy_shape" in sys.modules)
"""
    assert python(code, tmp_path) == "['circle/v1'] ['circle/v1'] shapes False\nCircle True"


def test_listing_imports_no_room() -> None:
    code = """
from assay.core.registry import formats, models, transforms
transforms.newest(), models.names(), formats.names(), transforms.resolve("negation")
rooms = ("stress", "models", "corpora", "language")
print([room for room in rooms if any(name.startswith(f"assay.{room}") for name in sys.modules)])
"""
    assert python(code) == "[]"


def test_two_packages_cannot_share_a_name(tmp_path: Path) -> None:
    distribution(tmp_path, "first-shapes", "circle/v1 = first:Circle")
    distribution(tmp_path, "other-shapes", "circle/v1 = other:Circle")
    code = """
from assay.core.errors import NameCollisionError
from assay.core.registry import Registry
try:
    Registry("shape", group="assay.test-shapes").names()
except NameCollisionError as error:
    print(error)
"""
    said = python(code, tmp_path)
    assert all(each in said for each in ("'circle/v1'", "first:Circle of first-shapes", "other:Circle of other-shapes"))


def test_a_package_that_is_found_twice_is_one(tmp_path: Path) -> None:
    for place in ("a", "b"):
        distribution(tmp_path / place, "shapes", "circle/v1 = first:Circle")
    code = """
from assay.core.registry import Registry
print(Registry("shape", group="assay.test-shapes").names())
"""
    assert python(code, tmp_path / "a", tmp_path / "b") == "['circle/v1']"


def test_a_package_with_a_bad_name_is_named(tmp_path: Path) -> None:
    distribution(tmp_path, "shapes", "Circle = first:Circle")
    code = """
from assay.core.errors import UserError
from assay.core.registry import Registry
try:
    Registry("shape", group="assay.test-shapes").names()
except UserError as error:
    print(error)
"""
    assert python(code, tmp_path) == "shapes registers the shape 'Circle': a name looks like 'my-test/v1'."


def test_the_newest_version_is_the_default(shapes: Registry[Any]) -> None:
    for version in (2, 10, 9):
        shapes.register(f"circle/v{version}", "math:pi")
    shapes.register("square/v1", "math:e")
    assert shapes.resolve("circle") == "circle/v10"
    assert shapes.resolve("circle/v2") == "circle/v2"
    assert shapes.newest() == ["circle/v10", "square/v1"]
    assert shapes.names() == ["circle/v10", "circle/v2", "circle/v9", "square/v1"]


def test_a_taken_name_is_refused(shapes: Registry[Any]) -> None:
    shapes.register("circle/v1", "math:pi")
    with pytest.raises(NameCollisionError, match="math:tau"):
        shapes.register("circle/v1", "math:tau")
    shapes.register("circle/v1", "math:pi")  # the same thing again, as a module that is reloaded does
    assert shapes.get("circle") == pytest.approx(3.14159, abs=1e-5)


def test_a_built_in_name_is_refused() -> None:
    with pytest.raises(NameCollisionError, match="nli-assay"):
        transforms.register("negation/v1", "math:pi")
    assert transforms.get("negation").__name__ == "Negation"


def test_a_class_of_this_process(shapes: Registry[Any]) -> None:
    @shapes.register("square/v1")
    class Square:
        pass

    assert shapes.get("square") is Square
    assert shapes.target("square").source == "this process"


@pytest.mark.parametrize("name", ["circle", "Circle/v1", "circle/1", "circle/v", "-circle/v1", "a b/v1", "a:b/v1", ""])
def test_bad_names_are_refused(shapes: Registry[Any], name: str) -> None:
    with pytest.raises(UserError, match="a name looks like"):
        shapes.register(name, "math:pi")
    assert shapes.names() == []


@pytest.mark.parametrize(
    ("asked", "guess"), [("cirlce", "'circle'"), ("circle/v3", "'circle/v1'"), ("Circle", "'circle'")]
)
def test_did_you_mean(shapes: Registry[Any], asked: str, guess: str) -> None:
    shapes.register("circle/v1", "math:pi")
    with pytest.raises(UnknownNameError) as caught:
        shapes.get(asked)
    assert str(caught.value) == f"No shape {asked!r}; did you mean {guess}? See `assay list shapes`."


def test_no_guess_where_nothing_is_near(shapes: Registry[Any]) -> None:
    with pytest.raises(UnknownNameError, match=r"No shape 'xyz'\. See `assay list shapes`\."):
        shapes.get("xyz")


@pytest.mark.parametrize("target", ["no_such_module:X", "math:nothing", "math", "math:pi.nothing", ":x", "broken:X"])
def test_a_broken_target_names_its_package(
    shapes: Registry[Any], target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    shapes.register("circle/v1", target)
    with pytest.raises(UserError, match="'circle/v1' of this process can't be loaded"):
        shapes.get("circle")


def test_the_hooks_are_listed_with_their_groups() -> None:
    """What can be registered is in one file, each protocol beside the group of its entry points."""
    text = protocols.__doc__ or ""
    groups = {each.group: each for each in vars(registry).values() if isinstance(each, Registry)}
    assert {*re.findall(r"assay\.[a-z]+", text)} >= {*groups}
    listed = re.findall(r"^    (assay\.[a-z]+) +([A-Z]\w+(?:, [A-Z]\w+)*)  ", text, re.MULTILINE)
    assert {group for group, _ in listed} == {*groups} - {"assay.systems"}
    for group, kinds in listed:
        for kind in kinds.split(", "):
            assert f"`{group}`" in getattr(protocols, kind).__doc__, f"{kind} does not name its group"


@pytest.mark.parametrize("known", [transforms, models, formats], ids=lambda known: str(known.kind))
def test_every_registered_thing_loads(known: Registry[Any]) -> None:
    names = known.names()
    assert names
    for name in names:
        assert callable(known.get(name))
        assert known.get(name).__doc__, f"{name} says nothing in `assay list {known.kind}s`"
