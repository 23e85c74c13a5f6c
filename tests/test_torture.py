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


def each_of(names: str) -> list[str]:
    """The options for these, which one process tortures one after the other."""
    return [word for name in names.split() for word in ("--only", name)]


@pytest.mark.parametrize(
    "names",
    [
        "build workers shards merge",
        "run annotate",
        "train",
        pytest.param("study", marks=pytest.mark.slow),  # tests/studies kills one too
        "serve",
    ],
)
def test_a_killed_command_ends_in_the_same_bytes_without_leftovers(names: str) -> None:
    if names in ("train", "study"):
        pytest.importorskip("torch")
    wanted = "".join(f"{name}: 1 survived\n" for name in names.split())
    assert torture("kill", "--rounds", "1", *each_of(names)) == wanted


def test_a_broken_disk_is_told_and_work_goes_on_when_it_is_mended() -> None:
    assert torture("disk", "--rounds", "1", *each_of("full gone")) == "full: 1 told\ngone: 1 told\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
def test_folders_of_another_user_are_named() -> None:
    assert "failed" not in torture("disk", "--rounds", "2", "--only", "foreign")


def test_too_little_memory_is_told_and_does_no_damage() -> None:
    assert "failed" not in torture("memory", "--rounds", "2", "--only", "run")


def test_two_commands_at_once_or_a_changing_corpus_mix_nothing_up() -> None:
    wanted = "output: 1 survived\nsource: 1 survived\n"
    assert torture("twin", "--rounds", "1", *each_of("output source")) == wanted


@pytest.mark.parametrize("names", ["suite run shards answers", "model checkpoint"])
def test_no_change_of_a_bit_goes_unnoticed(names: str) -> None:
    if "model" in names:
        pytest.importorskip("torch")
    told = torture("flip", "--rounds", "10", *each_of(names)).splitlines()
    assert len(told) == len(names.split())
    assert all(" found" in line for line in told)
