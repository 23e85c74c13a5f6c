"""The lock file holds all that development needs, with digests; an audit never takes what it doesn't know for safe."""

import re
import tomllib
from types import ModuleType
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.house import load_tool

LOCK = (ROOT / "requirements-dev.lock").read_text()


@pytest.fixture(scope="module")
def supply() -> ModuleType:
    module: ModuleType = load_tool("supply")
    return module


def test_everything_is_locked_with_its_digests(supply: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.match(r"[\w-]+", each)[0].lower() for each in wanted}  # type: ignore[index]
    locked = supply.locked(LOCK)
    assert names <= locked.keys(), f"`make lock` adds {names - locked.keys()}"
    assert all(locked.values())


def test_the_lock_file_names_no_registry() -> None:
    assert "://" not in LOCK
    assert "index-url" not in LOCK


SAFE = {"name": "a", "version": "1", "vulns": []}
WEAK = {**SAFE, "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]}
UNKNOWN = {"name": "b", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([SAFE], 0, "No known vulnerability in 1 packages"),
        ([WEAK, UNKNOWN], 1, "a 1: CVE-1, mended in 2"),
        ([SAFE, UNKNOWN], 3, r"1 of 2 .* \(b\)"),
    ],
)
def test_an_audit_says_what_is_vulnerable_and_what_is_unknown(
    supply: ModuleType, packages: list[dict[str, Any]], code: int, said: str
) -> None:
    found = supply.verdict({"dependencies": packages})
    assert found.code == code
    assert re.search(said, found.text)
