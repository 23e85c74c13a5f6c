"""What a run leaves in the terminal, and how it comes back."""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.conftest import Assay
from tests.house import HOUSE, modules

from assay.cli.output import say, show_json, stages
from assay.run.workers.pool import PARTS, WHOLE

RUN = ("run", "--limit", "60", "--family", "negation", "--model", "assay:majority", "--model", "assay:overlap")


@pytest.fixture
def stored(assay: Assay, tmp_path: Path) -> Path:
    assay(*RUN, "--quiet")
    [folder] = (tmp_path / "runs").iterdir()
    return folder


def test_a_run_ends_with_three_examples_that_fit(assay: Assay, tmp_path: Path) -> None:
    done = assay(*RUN)
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert len(done.stdout.splitlines()) <= 40
    _, examples = done.stdout.split("Failures, with the edit as [old -> new] or [+added]\n")
    assert [line.split()[0] for line in examples.splitlines()[:9:3]] == ["negation"] * 3
    assert "[+ and false is not true]" in examples
    assert "\x1b" not in done.stdout + done.stderr


def test_it_is_shown_again_with_the_path_of_its_report(assay: Assay, stored: Path) -> None:
    (stored / "report.html").unlink()
    assert "\nRun     " in assay("show", stored).stdout
    (stored / "report.html").write_text("<p>")
    assert "report.html" in assay("show", stored).stdout.replace("\n", "")
    everything = assay("show", stored, "--all")
    assert "Failures" in everything.stdout
    assert everything.stderr == f"Its report is {stored / 'report.html'}\n"


def test_quiet_leaves_the_verdicts(assay: Assay) -> None:
    done = assay(*RUN, "--model", "assay:decomposable-attention", "--quiet")
    assert done.stderr == ""
    assert done.stdout.startswith("decomposable-attention  ")
    assert "majority" not in done.stdout
    assert "Accuracy" not in done.stdout


def test_runs_are_listed_in_any_folder(assay: Assay, stored: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    stored.parent.rename(moved)
    shutil.copytree(moved / stored.name, moved / ".99991231-killed.partial")  # before it got its name
    [row] = json.loads(assay("list", "runs", moved, "--json").stdout)
    assert row["run"] == stored.name
    assert "assay:overlap/v1" in row["models"]
    assert assay("list", "runs").stderr == "No runs in runs.\n"
    assert "FOLDER is only for `assay list runs`" in assay("list", "models", moved, code=2).stderr


@pytest.mark.parametrize(("no_color", "coloured"), [(False, True), (True, False)])
def test_colours_are_for_those_who_see_them(stored: Path, no_color: bool, coloured: bool) -> None:
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    here, there = pty.openpty()
    process = subprocess.Popen(
        [Path(sys.executable).with_name("assay"), "show", stored],
        stdout=there,
        stderr=subprocess.DEVNULL,
        env={**plain, "TERM": "xterm-256color", **({"NO_COLOR": "1"} if no_color else {})},
    )
    os.close(there)
    shown = b""
    while True:
        try:
            shown += (read := os.read(here, 65536))
        except OSError:  # the other end is closed
            break
        if not read:
            break
    os.close(here)
    assert process.wait(timeout=600) == 0
    assert (b"\x1b[1;32m[+" in shown) is coloured


def test_a_name_moves_no_cursor_in_the_progress_bar(assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # somebody is looking
    monkeypatch.setenv("COLUMNS", "160")
    shown = assay("run", "--limit", 3, "--family", "negation", "--model", "hf:a\x1b]0;b\x07[red]c\u202e", code=2).stderr
    assert r"Running hf:a\x1b]0;b\x07[red]c\u202e" in shown
    assert not [sign for sign in ("\x1b]", "\x07", "\u202e") if sign in shown]


HOSTILE = "a\x1b]0;b\x07\x9b2J\u202e\nc"


def test_a_terminal_gets_nothing_that_it_would_obey(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    say(HOSTILE)
    show_json([HOSTILE])
    shown = capsys.readouterr().out
    assert not [sign for sign in ("\x1b", "\x07", "\x9b", "\u202e") if sign in shown]
    assert shown.startswith("a\\x1b]0;b\\x07\\x9b2J\\u202e\nc\n")
    assert json.loads(shown.partition("\nc\n")[2]) == [HOSTILE]


def test_a_pipe_gets_the_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    say(HOSTILE, nl=False)
    assert capsys.readouterr().out == HOSTILE


def test_all_commands_print_through_one_door() -> None:
    doors = {"cli/output.py", "cli/main.py", "cli/options.py"}
    found = {path.relative_to(HOUSE).as_posix() for path in modules() if "click.echo(" in path.read_text()}
    assert found == doors, "use output.say, which keeps escape sequences from a terminal"


def test_only_the_whole_run_says_how_much_time_is_left(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with stages() as stage:
        whole, step = stage(WHOLE, PARTS), stage("Measuring", 100)
        for _ in range(3):
            step(10)
            whole(100)
            time.sleep(0.02)
    shown = capfd.readouterr().err
    told = re.findall("about [^\x1b\n]* left", shown)
    assert "Measuring" in shown
    assert told
    assert all(" of " in each for each in told)
