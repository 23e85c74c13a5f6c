"""Two commands at once, a clock that jumps between two commands, and a corpus that changes under one."""

import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from assay.storage.suite import Suite
from torturing.work import (
    BUILD,
    COMMANDS,
    RUN,
    Operation,
    Round,
    command,
    contents,
    leftovers,
    prepare,
    results,
    said,
    start,
)

OTHERS = ("--model", "assay:majority", "--quiet", "--out", "runs")
REFUSALS = ("Another command is working", "already exists")
"""What the second of two commands may say instead of finishing."""

CENTURY = 100 * 365 * 86_400
"""Seconds that a clock jumps, at most, back or forth."""


def twins(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Disturb commands in one of these ways, each time in a fresh folder."""
    prepare("build", work / "first")
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    alone = work / "alone"
    shutil.copytree(work / "first", alone)
    for words in (COMMANDS["build"], COMMANDS["run"], (*RUN, *OTHERS)):
        assert command(words, alone).code == 0, said(alone).read_text()
    for _ in range(rounds):
        folder = work / "round"
        shutil.rmtree(folder, ignore_errors=True)
        said(folder).unlink(missing_ok=True)
        shutil.copytree(work / "first", folder)
        moment, failure = TWINS[name](rng, folder, alone)
        yield Round(moment, failure)


def _at_once(rng: random.Random, folder: Path, alone: Path, *, both: tuple[tuple[str, ...], ...]) -> tuple[str, str]:
    """Two commands, the second a little later. Each finishes or is refused, and nothing is mixed up."""
    wait = rng.choice((0.0, rng.random()))
    first = start(both[0], folder)
    time.sleep(wait)
    second = start(both[1], folder)
    codes = {first.ended().code, second.ended().code}
    told = said(folder).read_text()
    refused = any(each in told for each in REFUSALS)
    moment = f"the second after {wait:.2f} s"
    if 0 not in codes or (codes != {0} and not refused) or "Traceback" in told or "Unexpected" in told:
        return moment, f"exit codes {codes}: {told[-300:]}"
    if left := leftovers(folder):
        return moment, f"leftovers: {', '.join(left[:5])}"
    if both[0][0] == "build":
        return moment, "" if results("build", folder) == results("build", alone) else "the suite differs"
    known = _runs(alone)
    made = [each for place in folder.glob("runs*") for each in _runs(folder, place.name)]
    wanted = 1 if refused else 2
    return moment, "" if len(made) == wanted and all(each in known for each in made) else "a run differs"


def _runs(folder: Path, name: str = "runs") -> list[dict[str, bytes]]:
    """What each run of a folder holds, without names and times."""
    return [contents(place) for place in sorted((folder / name).iterdir())]


def _clock(rng: random.Random, folder: Path, alone: Path) -> tuple[str, str]:
    """A run is killed, and the same command goes on; another one follows. The clock jumps before and during each."""
    ahead, back = rng.uniform(0, CENTURY), -rng.uniform(0, CENTURY / 3)
    if rng.random() < 0.5:
        ahead, back = back, ahead
    moment = f"{ahead / 86_400:+,.0f} days, then {back / 86_400:+,.0f}"
    start(COMMANDS["run"], folder, clock=ahead).ended(die_after=rng.uniform(0.3, 2))
    codes = [
        command(COMMANDS["run"], folder, clock=back, after=rng.random()).code,
        command((*RUN, *OTHERS), folder, clock=ahead, after=rng.choice((0, rng.random()))).code,
    ]
    if any(codes):
        return moment, f"exit codes {codes}: {said(folder).read_text()[-300:]}"
    if left := leftovers(folder):
        return moment, f"leftovers: {', '.join(left[:5])}"
    known = _runs(alone)
    made = _runs(folder)
    return moment, "" if len(made) >= 2 and all(each in known for each in made) else "a run differs"


def _source(rng: random.Random, folder: Path, alone: Path) -> tuple[str, str]:
    """The corpus changes while it is read. What is made names what was read, and what is made afterwards is right."""
    moment = rng.randint(1, 30)
    path = folder / "pairs.jsonl"
    before = path.read_bytes()
    ended = command(COMMANDS["build"], folder, partial(_change, number=moment, path=path))
    told = said(folder).read_text() if said(folder).exists() else ""
    when = f"at operation {moment}"
    if ended.code not in (0, 2, 3) or "Unexpected" in told:
        return when, f"exit code {ended.code}: {told[-300:]}"
    expected = results("build", alone)
    manifest = json.loads(expected["manifest.json"])
    if ended.code == 0:
        made = Suite.open(folder / "suite").manifest
        if made.source.digest == manifest["source"]["digest"] and results("build", folder) != expected:
            return when, "a suite of another corpus has the digest of the first one"
    path.write_bytes(before)
    again = command((*BUILD, "suite", "--overwrite"), folder)
    if again.code or results("build", folder) != expected:
        return when, f"the suite differs afterwards: {said(folder).read_text()[-300:]}"
    return when, ", ".join(leftovers(folder)[:5])


def _change(operation: Operation, number: int, path: Path) -> None:
    if operation.writes and operation.number == number:
        with path.open("r+b") as file:
            file.write(b'{"id": "new", "premise": "It rains."')
            file.seek(0, 2)
            file.write(b"more\n")


TWINS: dict[str, Callable[[random.Random, Path, Path], tuple[str, str]]] = {
    "output": partial(_at_once, both=(COMMANDS["build"], COMMANDS["build"])),
    "same run": partial(_at_once, both=(COMMANDS["run"], COMMANDS["run"])),
    "runs folder": partial(_at_once, both=(COMMANDS["run"], (*RUN, *OTHERS))),
    "cache": partial(_at_once, both=(COMMANDS["run"], (*COMMANDS["run"][:-1], "runs-2"))),
    "clock": _clock,
    "source": _source,
}
"""What is done to commands, by name."""
