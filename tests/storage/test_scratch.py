"""Temporary folders are deleted, also those that a killed command left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.storage.folders import scratch

LEAVE = """
import os, signal
from assay.storage.folders import scratch
with scratch() as folder:
    (folder / "big").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, nobody knows who is dead")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_command_left_is_deleted_by_the_next(place: Path) -> None:
    subprocess.run([sys.executable, "-c", LEAVE], env={**os.environ, "TMPDIR": str(place)})
    assert len([*place.iterdir()]) == 1
    with scratch() as folder:
        assert [*place.iterdir()] == [folder]
    assert not [*place.iterdir()]


def test_folders_of_the_living_and_of_others_stay(place: Path) -> None:
    for name in ("assay-report-1", "assay-1-x", "other-99999999-x"):
        (place / name).mkdir()
    with scratch() as mine, scratch() as second:
        assert mine.is_dir()
        assert second.is_dir()
    assert sorted(path.name for path in place.iterdir()) == ["assay-1-x", "assay-report-1", "other-99999999-x"]
