"""The command line inside of the test's own process, which is quicker; a few tests start a real one."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Assay

from assay.app.cli.main import main


@pytest.fixture
def assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Assay:
    """What the program's entry point does with these words, in an empty folder."""

    def call(*words: object, code: int = 0, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
        given = list(map(str, words))
        if given[:1] in (["run"], ["build"]) and "--workers" not in given:
            given += ["--workers", "1"]
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["assay", *given])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO((stdin or "").encode()))))
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        assert left.value.code == code, f"exit {left.value.code}, not {code}\n{out}\n{err}"
        return subprocess.CompletedProcess(given, code, out, err)

    return call


@pytest.fixture
def program(tmp_path: Path) -> Assay:
    """The program itself, in an empty folder."""

    def call(*words: object, code: int = 0, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        command = [str(Path(sys.executable).with_name("assay")), *map(str, words)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env)
        assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        return done

    return call
