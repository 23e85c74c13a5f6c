"""The command that a report names makes the same run again."""

import shlex
from pathlib import Path

import pytest
from tests.conftest import Assay

from assay.reports.repeat_command import command_of
from assay.run.stored_run import open_run


@pytest.mark.parametrize(
    "words",
    [
        "--limit 12 --family negation --model assay:overlap",
        "--limit 12 --family spelling:keyboard --family word-overlap --ladder 2 --seed 3 --model assay:majority",
        "--limit 12 --family original --model assay:majority --set collapse=argmax --on-error skip",
        "--limit 30 --family antonymy --set antonymy.fidelity=paper --model assay:majority --family swap",
        "--limit 5 --family heuristics --per-subcase 2 --model assay:overlap --model assay:majority",
    ],
)
def test_the_command_gives_the_same_spec(assay: Assay, tmp_path: Path, words: str) -> None:
    assay("run", *shlex.split(words), "--out", tmp_path / "one", "--no-report")
    (first,) = (tmp_path / "one").iterdir()
    spec = open_run(first).spec
    program, verb, *rest = shlex.split(command_of(spec))
    assert (program, verb) == ("assay", "run")
    assay("run", *rest, "--out", tmp_path / "two", "--no-report")
    (second,) = (tmp_path / "two").iterdir()
    assert open_run(second).spec == spec
