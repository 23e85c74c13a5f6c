"""A repository that uses the gate and the plugin as its README says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.conftest import ROOT


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "tests" / "example_repository", tmp_path / "repository"))


def shell(command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
    )


def test_its_commands_find_what_is_wrong_with_its_model(repository: Path) -> None:
    _, _, rest = (repository / "README.md").read_text().partition("```sh\n")
    build, test, run, gate = rest.partition("```")[0].strip().splitlines()

    built = shell(build, repository)
    assert built.returncode == 0, built.stderr

    tested = shell(test, repository)
    assert tested.returncode == 1, tested.stdout + tested.stderr
    failed = [line.split()[1] for line in tested.stdout.splitlines() if line.startswith("FAILED")]
    assert failed == [
        "tests/test_checker.py::test_negation_does_not_move_it",
        "assay::negation[suite-python:checker:check]",
        "assay::swap[suite-python:checker:check]",
    ]
    assert "3 failed, 3 passed" in tested.stdout
    assert "{+ and false is not true+}" in tested.stdout

    assert shell(run, repository).returncode == 0
    gated = shell(gate, repository)
    assert gated.returncode == 1, gated.stdout + gated.stderr
    assert "does not pass: 1 of 2 rule checks fail." in gated.stdout
    assert ElementTree.parse(repository / "gate.xml").getroot().get("failures") == "1"
