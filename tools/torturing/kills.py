"""Commands that are killed at moments drawn from a seed, and given again."""

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from assay.app.cli.main import main as assay
from assay.corpora.reading import read
from assay.language.text.tokens import tokens

PAIRS = 2_100
"""Enough for three batches."""

WRITES = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "sqlite3.connect"}
"""File operations that Python announces."""

DIES = ("build", "run", "merge", "train")

BUILD = ("build", "negation", "--from", "pairs.jsonl", "--workers", "1", "--quiet", "--out")
RUN = (
    "run",
    "--from",
    "pairs.jsonl",
    "--limit",
    "60",
    "--family",
    "negation",
    "--no-report",
    "--workers",
    "1",
    "--quiet",
)
MODELS = ("--model", "assay:overlap", "--model", "assay:hypothesis-only", "--out", "runs")
TRAIN = (
    "train",
    "cbow",
    "--preset",
    "tiny",
    "--from",
    "bundled",
    "--limit",
    "60",
    "--dev",
    "bundled",
    "--threads",
    "1",
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "build": (*BUILD, "suite"),
    "run": (*RUN, *MODELS),
    "merge": ("merge", "merged.shards"),
    "train": (*TRAIN, "--vectors", "vectors.txt", "--quiet", "--out", "trained"),
}
OUTPUTS = {"build": "suite", "run": "runs", "merge": "merged", "train": "trained"}
TIMED = ("training.json", "log.jsonl", "events.jsonl", "curves")
"""What training writes with the time it took."""


ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT
"""Asks whether a process has ended, and leaves it to be waited for."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    """Its exit code, negative for a signal."""
    events: int
    """How many file operations it did, if it lived."""
    seconds: float
    """How long it took."""


def command(words: Sequence[str], folder: Path, *, die_at: int = 0, die_after: float = 0) -> Ended:
    """Run a command in a process of its own, which is killed at a file operation, or after a time."""
    reading, writing = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(words, folder, die_at, writing)
    os.close(writing)
    if die_after:
        while time.monotonic() < start + die_after and not os.waitid(os.P_PID, child, ENDED):
            time.sleep(0.01)
        os.kill(child, signal.SIGKILL)  # nothing happens to one that has ended
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    return Ended(os.waitstatus_to_exitcode(status), int(told or 0), time.monotonic() - start)


def _child(words: Sequence[str], folder: Path, die_at: int, writing: int) -> None:
    """What the forked process does; it never returns."""
    os.chdir(folder)
    os.environ["ASSAY_ANSWERS"] = str(folder / "cache")
    quiet = os.open(folder / "said.txt", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    done = 0

    def watch(event: str, args: tuple[Any, ...]) -> None:
        nonlocal done
        if event not in WRITES or (event == "open" and not (len(args) > 2 and args[2] and args[2] & 3)):
            return
        if not str(args[0]).startswith(("/dev", "/proc", "/usr")):
            done += 1
            if done == die_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    sys.argv = ["assay", *words]
    try:
        assay()
    except SystemExit as left:
        os.write(writing, str(done).encode())
        os._exit(left.code if isinstance(left.code, int) else 0)
    os._exit(70)


def prepare(name: str, folder: Path) -> None:
    """Put what a command needs into a folder."""
    folder.mkdir(parents=True)
    if name == "train":
        words = sorted({token.text.lower() for pair in read("bundled", limit=90) for token in tokens(pair.premise)})
        rows = (
            f"{word} {' '.join(f'{(place * 7 + k) % 11 - 5}' for k in range(12))}\n" for place, word in enumerate(words)
        )
        (folder / "vectors.txt").write_text("".join(rows))
        return
    with (folder / "pairs.jsonl").open("w") as file:
        for number in range(PAIRS):
            label = ("entailment", "neutral", "contradiction")[number % 3]
            pair = {"id": f"p{number}", "premise": f"A cook fries {number} eggs.", "hypothesis": "Somebody cooks."}
            file.write(json.dumps({**pair, "label": label}) + "\n")
    if name == "merge":
        for index in (1, 2):
            assert command((*BUILD, "merged", "--shard", f"{index}/2"), folder).code == 0


def results(name: str, folder: Path) -> dict[str, bytes]:
    """What a command made, without names and times that differ anyway."""
    found = {}
    for path in sorted((folder / OUTPUTS[name]).rglob("*")):
        parts = path.relative_to(folder / OUTPUTS[name]).parts
        if not path.is_file() or (name == "train" and {*parts} & {*TIMED}):
            continue
        data = path.read_bytes()
        if name == "train" and path.name == "digests.json":
            digests = json.loads(data)
            data = json.dumps({key: digests[key] for key in digests if key not in TIMED}).encode()
        if path.name == "record.json":
            record = json.loads(data)
            data = json.dumps({key: record[key] for key in record if key not in ("id", "created", "seal")}).encode()
        found["/".join(parts[1:] if name == "run" else parts)] = data
    return found


def leftovers(folder: Path) -> list[str]:
    """What nobody asked for."""
    ends = (".partial", ".aside", ".parts", ".replaced", ".whole")
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.name.startswith(".") or (path.name.endswith(ends) and "merged.shards" not in path.parts)
    ]


class Round(NamedTuple):
    """One kill, and what came of it."""

    moment: str
    """When."""
    failure: str
    """What is wrong; empty if nothing is."""
    came: str = "survived"
    """What came of it."""


def kills(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Kill a command again and again, each time in a fresh folder."""
    if name == "train":
        import torch  # noqa: F401 - once for all children
    prepare(name, work / "first")
    shutil.copytree(work / "first", work / "whole")
    calm = command(COMMANDS[name], work / "whole")
    assert calm.code == 0, (work / "whole" / "said.txt").read_text()
    expected = results(name, work / "whole")
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    for number in range(rounds):
        folder = work / "round"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "first", folder)
        event, after = rng.randint(1, calm.events), rng.random() * calm.seconds
        killed = {"die_at": event} if number % 2 == 0 else {"die_after": after}
        moment = f"at file operation {event} of {calm.events}" if number % 2 == 0 else f"after {after:.2f} s"
        command(COMMANDS[name], folder, **killed)  # type: ignore[arg-type]
        was_there = results(name, folder) == expected
        again = command(COMMANDS[name], folder)
        yield Round(moment, _wrong(name, folder, expected, again.code, was_there))


def _wrong(name: str, folder: Path, expected: dict[str, bytes], code: int, was_there: bool) -> str:
    if code and not was_there:
        return f"the next command failed with {code}: {(folder / 'said.txt').read_text()[-300:]}"
    if results(name, folder) != expected:
        return "the result differs from an undisturbed one"
    left = leftovers(folder)
    return f"leftovers: {', '.join(left[:5])}" if left else ""
