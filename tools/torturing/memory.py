"""Commands with too little memory: each is a process of its own, so that loading libraries is part of it."""

import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from torturing.work import COMMANDS, Round, command, environment, prepare, results, wrong

LEAST, MOST = 60, 500
"""Megabytes of address space: too few for Python's libraries, and enough for everything."""

REPORT = ("report", "runs", "--out", "report.html")

LIMITED = {"run": COMMANDS["run"], "report": REPORT}
"""The commands."""

TOLD = ("Error: There is not enough memory.", "OpenBLAS error: Memory allocation")
"""What is said: by Assay, or by a library that ends the process before Assay has a say."""


def limits(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Give a command little memory, and then enough: it is told or done, and in the end the result is the same."""
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - sizes, not secrets
    prepare("run", work / "first")
    assert command(COMMANDS["run"], work / "first").code == 0
    expected = results("run", work / "first")
    if name == "run":
        shutil.rmtree(work / "first" / "runs")
    shutil.rmtree(work / "first" / "cache", ignore_errors=True)
    for _ in range(rounds):
        folder = work / "round"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "first", folder)
        room = int(rng.uniform(LEAST, MOST))
        little = _process(name, folder, room << 20)
        moment = f"{room} MB"
        if little.returncode and not any(text in little.stderr for text in TOLD):
            yield Round(moment, f"exit code {little.returncode}: {little.stderr[-300:]}")
            continue
        enough = _process(name, folder, 0)
        if name == "report":
            there = (folder / "report.html").is_file()
            failure = "" if there and (little.returncode == 0 or enough.returncode == 0) else enough.stderr[-300:]
        else:
            failure = wrong("run", folder, expected, enough.returncode, was_there=False)
        yield Round(moment, failure, "told" if little.returncode else "finished")


def _process(name: str, folder: Path, room: int) -> "subprocess.CompletedProcess[str]":
    bound = partial(resource.setrlimit, resource.RLIMIT_AS, (room, room)) if room else None
    words = [sys.executable, "-P", "-m", "assay", *LIMITED[name]]
    return subprocess.run(  # noqa: S603 - our own commands
        words, cwd=folder, env=environment(folder), preexec_fn=bound, capture_output=True, text=True, check=False
    )
