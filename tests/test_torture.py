"""A few rounds of torture; `python tools/torture.py` does as many as you like."""

import os
import subprocess
import sys

import pytest
from tests.conftest import ROOT


def torture(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/torture.py"), *words],
        capture_output=True,
        text=True,
        env={"OMP_NUM_THREADS": "1", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["build", "workers", "shards", "run", "merge", "train", "study", "annotate", "serve"])
def test_a_killed_command_ends_in_the_same_bytes_without_leftovers(name: str) -> None:
    if name in ("train", "study"):
        pytest.importorskip("torch")
    assert torture("kill", "--rounds", "1", "--only", name) == f"{name}: 1 survived\n"


@pytest.mark.parametrize("name", ["full", "gone"])
def test_a_broken_disk_is_told_and_work_goes_on_when_it_is_mended(name: str) -> None:
    assert torture("disk", "--rounds", "1", "--only", name) == f"{name}: 1 told\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
def test_folders_of_another_user_are_named() -> None:
    assert "failed" not in torture("disk", "--rounds", "2", "--only", "foreign")


def test_too_little_memory_is_told_and_does_no_damage() -> None:
    assert "failed" not in torture("memory", "--rounds", "2", "--only", "run")


@pytest.mark.parametrize("name", ["output", "source"])
def test_two_commands_at_once_or_a_changing_corpus_mix_nothing_up(name: str) -> None:
    assert torture("twin", "--rounds", "1", "--only", name) == f"{name}: 1 survived\n"


@pytest.mark.parametrize("name", ["suite", "run", "shards", "answers", "model", "checkpoint"])
def test_no_change_of_a_bit_goes_unnoticed(name: str) -> None:
    if name in ("model", "checkpoint"):
        pytest.importorskip("torch")
    assert " found" in torture("flip", "--rounds", "10", "--only", name)
