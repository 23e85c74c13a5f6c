"""Commands that are disturbed: what they need, how they are started, and what must be there in the end."""

import csv
import datetime
import importlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from assay.cli.main import main as assay
from assay.corpora.reader import read
from assay.language.text.tokens import tokens
from assay.storage import files
from assay.storage.cached_copies import DIGESTS

PAIRS = 2_100
"""Enough for three batches."""

WRITES = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "sqlite3.connect"}
"""File operations that Python announces."""

FROM = ("build", "negation", "--from", "pairs.jsonl", "--quiet")
BUILD = (*FROM, "--workers", "1", "--out")
RUN = ("run", "--from", "pairs.jsonl", "--limit", "60", "--family", "negation", "--no-report", "--workers", "1")
MODELS = ("--model", "assay:overlap", "--model", "assay:hypothesis-only", "--quiet", "--out", "runs")
TRAIN = ("train", "cbow", "--preset", "tiny", "--from", "bundled", "--limit", "60", "--dev", "bundled")
MERGE = ("build", "--merge", "merged.shards")
PEOPLE = ("ann", "bob")
SAMPLE = ("annotate", "sample", "pairs.jsonl", "--layout", "label", "--size", "12", "--annotator", "ann")
ANSWERED = ("check/answered/ann.csv", "check/answered/bob.csv", "--out", "check/gold.jsonl", "--overwrite")
AND = "and"
"""Stands between two commands, of which the second needs the first."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "build": (*BUILD, "suite"),
    "workers": (*FROM, "--workers", "2", "--out", "suite"),
    "shards": (*BUILD, "merged", "--shard", "1/2", AND, *BUILD, "merged", "--shard", "2/2", AND, *MERGE),
    "run": (*RUN, *MODELS),
    "merge": MERGE,
    "train": (*TRAIN, "--set", "threads=1", "--vectors", "vectors.txt", "--quiet", "--out", "trained"),
    "study": ("study", "run", "plan.yaml", "--workers", "1", "--quiet", "--out", "studies"),
    "annotate": (
        *(*SAMPLE, "--annotator", "bob", "--out", "check"),
        *(AND, "annotate", "import", "check", "inbox/ann.csv", "inbox/bob.csv"),
        *(AND, "annotate", "export", "check", "--out", "check/answered", "--overwrite"),
        *(AND, "annotate", "merge", "check", *ANSWERED),
        *(AND, "annotate", "history", "check"),
    ),
}
OUTPUTS = {
    "build": "suite",
    "workers": "suite",
    "shards": "merged",
    "run": "runs",
    "merge": "merged",
    "train": "trained",
    "study": "studies",
    "annotate": "check",
}

TIMED = {
    *("training.json", "log.jsonl", "events.jsonl", "curves", "log.txt", "seconds", "trials", "report.html"),
    "answers.sqlite",
}
"""Files and folders with the time that something took, or at which it was said."""
TIMES = {"id", "created", "seal", "run", "asking", "training", "seconds", "seconds_per_pair", "expected", "spent"}
"""Names in JSON of what differs between two runs: times, names of runs, and digests of them."""

PLAN = """\
title: A small one
corpora:
  train: {file: train.jsonl, part: train}
  dev: {file: dev.jsonl, part: dev}
  test: {file: test.jsonl, part: test}
train: {from: train, dev: dev, preset: tiny, sample: 40, dev-sample: 30}
systems:
  cbow: {}
conditions:
  0 %: {swap: 0}
seeds: [0]
suites:
  test: {from: test, families: [original, negation], sample: 30}
tables:
  - title: By family
"""

THREADED = "onnxruntime"
"""A package that starts a thread when it is loaded: a child that is forked afterwards may wait for it for ever."""
NEVER_LEFT = 70
"""The exit code of a command that returned, instead of leaving."""
ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT
"""Asks whether a process has ended, and leaves it to be waited for."""


class Operation(NamedTuple):
    """A file operation that is about to happen."""

    number: int
    """Which one it is, from 1; only operations that write are counted."""
    event: str
    """What Python calls it."""
    path: str
    """What it is done to."""
    writes: bool
    """Whether it changes anything."""


Disturb = Callable[[Operation], None]
"""Called before each file operation: it may kill the process, raise what a broken disk raises, or take its time."""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    """Its exit code, negative for a signal."""
    events: int
    """How many file operations it did, if it lived."""
    modules: tuple[str, ...]
    """What it imported that was not imported before, if it lived."""
    seconds: float
    """How long it took."""


class Round(NamedTuple):
    """One disturbance, and what came of it."""

    moment: str
    """When and where."""
    failure: str
    """What is wrong; empty if nothing is."""
    came: str = "survived"
    """What came of it."""


class Started(NamedTuple):
    """A command that is running."""

    process: int
    pipe: int
    """Where it says how many file operations it did, and what it imported."""
    began: float

    def ended(self, die_after: float = 0) -> Ended:
        """Wait until it has ended, or kill it after a time."""
        if die_after:
            while time.monotonic() < self.began + die_after and not os.waitid(os.P_PID, self.process, ENDED):
                time.sleep(0.01)
            os.kill(self.process, signal.SIGKILL)  # nothing happens to one that has ended
        with os.fdopen(self.pipe) as pipe:
            events, *modules = pipe.read().split() or ["0"]
        _, status = os.waitpid(self.process, 0)
        seconds = time.monotonic() - self.began
        return Ended(os.waitstatus_to_exitcode(status), int(events), tuple(modules), seconds)


def start(
    words: Sequence[str],
    folder: Path,
    disturb: Disturb | None = None,
    *,
    clock: float = 0,
    after: float = 0,
    user: int = 0,
) -> Started:
    """Start a command in a process of its own, where its file operations may be disturbed.

    The clock may be wrong, by seconds, `after` some seconds, and the process may belong to another `user`.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        if clock:
            _turn(clock, after)
        _child(words, folder, disturb, writing, user)
    os.close(writing)
    return Started(child, reading, time.monotonic())


def command(words: Sequence[str], folder: Path, disturb: Disturb | None = None, **how: Any) -> Ended:
    """Run a command to its end."""
    return start(words, folder, disturb, **how).ended()


def _turn(seconds: float, after: float) -> None:
    """Have the clock of this process jump: whoever asks for the time or the date gets another one."""
    told, jumps_at = time.time, time.monotonic() + after

    def asked() -> float:
        return told() + (seconds if time.monotonic() >= jumps_at else 0)

    class Date(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Date":
            return cls.fromtimestamp(asked(), tz)

    for module in [*sys.modules.values()]:
        if getattr(module, "datetime", None) is datetime.datetime:
            module.datetime = Date  # type: ignore[attr-defined]
    datetime.datetime = Date  # type: ignore[misc]
    time.time = asked


def _child(words: Sequence[str], folder: Path, disturb: Disturb | None, writing: int, user: int) -> None:
    """What the forked process does; it never returns."""
    os.setpgid(0, 0)
    os.chdir(folder)
    os.environ.update(environment(folder))
    quiet = os.open(said(folder), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    done = 0

    def watch(event: str, args: tuple[Any, ...]) -> None:
        nonlocal done
        if event not in WRITES or str(args[0]).startswith(("/dev", "/proc", "/usr")):
            return
        writes = event != "open" or bool(len(args) > 2 and args[2] and args[2] & 3)
        done += writes
        if disturb:
            disturb(Operation(done, event, str(args[0]), writes))

    # Cells of a study inherit what is imported, too, and the hook that disturbs them.
    files.spawn_context = lambda: multiprocessing.get_context("fork")  # type: ignore[assignment,return-value]
    sys.addaudithook(watch)
    known = {*sys.modules}
    code = NEVER_LEFT
    try:
        code = _given([*words])
        # A file would be one more operation to disturb.
        os.write(writing, " ".join([str(done), *(sys.modules.keys() - known)]).encode())
    except BaseException:  # noqa: BLE001 - whatever it is, this process must not go on as the one that it was forked from
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _given(words: list[str]) -> int:
    """Give one command after the other; the exit code of the last one, or of one that fails."""
    end = words.index(AND) if AND in words else len(words)
    sys.argv = ["assay", *words[:end]]
    try:
        assay()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0
        return code or (_given(words[end + 1 :]) if end < len(words) else 0)
    return NEVER_LEFT


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command: it leaves everything in the folder."""
    own = {"ASSAY_CACHE": str(folder / "cache")}
    return {**os.environ, **own, "TMPDIR": str(folder / "tmp")}


def said(folder: Path) -> Path:
    """The file with what commands printed; it is not on the disk that is disturbed."""
    return folder.with_name(f"{folder.name}.said.txt")


def undisturbed(name: str, first: Path, whole: Path) -> Ended:
    """What a command does in a copy of the folder if nobody disturbs it.

    It is done twice: once to learn what it imports, which is then imported here, once for all children. They start in
    a tenth of the time, and more of the moments that are drawn are moments of work.
    """
    for _ in range(2):
        shutil.rmtree(whole, ignore_errors=True)
        shutil.copytree(first, whole)
        ended = command(COMMANDS[name], whole)
        assert ended.code == 0, said(whole).read_text()
        for module in (each for each in ended.modules if not each.startswith(THREADED)):
            with suppress(ImportError):  # names that only exist in a running program
                importlib.import_module(module)
    return ended


def prepare(name: str, folder: Path) -> None:
    """Put what a command needs into a folder."""
    (folder / "tmp").mkdir(parents=True)
    if name == "study":
        importlib.import_module("torch._dynamo")  # what its cells import, nobody hears of
        (folder / "plan.yaml").write_text(PLAN)
    elif name == "train":
        words = sorted({token.text.lower() for pair in read("bundled", limit=90) for token in tokens(pair.premise)})
        rows = (
            f"{word} {' '.join(f'{(place * 7 + k) % 11 - 5}' for k in range(12))}\n" for place, word in enumerate(words)
        )
        (folder / "vectors.txt").write_text("".join(rows))
    else:
        _write_pairs(folder / "pairs.jsonl")
    if name == "merge":
        for index in (1, 2):
            assert command((*BUILD, "merged", "--shard", f"{index}/2"), folder).code == 0
    if name == "annotate":
        _answer(folder)


def _answer(folder: Path) -> None:
    """What people sent back: the files of the sample that is going to be drawn, filled in."""
    drawn = (*SAMPLE, "--annotator", "bob", "--out", "inbox")
    assert command(drawn, folder).code == 0, said(folder).read_text()
    for number, name in enumerate(PEOPLE):
        path = folder / "inbox" / f"{name}.csv"
        with path.open(newline="") as file:
            rows = [*csv.DictReader(file)]
        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, [*rows[0]])
            table.writeheader()
            for place, row in enumerate(rows):
                table.writerow({**row, "label": ("entailment", "neutral", "contradiction")[(place * number) % 3]})


def _write_pairs(path: Path) -> None:
    with path.open("w") as file:
        for number in range(PAIRS):
            label = ("entailment", "neutral", "contradiction")[number % 3]
            pair = {"id": f"p{number}", "premise": f"A cook fries {number} eggs.", "hypothesis": "Somebody cooks."}
            file.write(json.dumps({**pair, "label": label}) + "\n")


def results(name: str, folder: Path) -> dict[str, bytes]:
    """What a command made, without names and times that differ anyway."""
    return contents(folder / OUTPUTS[name])


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without names and times."""
    return dict(_contents(folder))


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        parts = [part for part in path.relative_to(folder).parts if not part[:8].isdigit()]  # without names of runs
        if path.is_file() and not TIMED & {*parts}:
            yield (
                "/".join(parts),
                _timeless(json.loads(path.read_bytes())) if path.suffix == ".json" else path.read_bytes(),
            )


def _timeless(thing: Any) -> bytes:
    left_out = TIMES | TIMED

    def without(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: without(value) for name, value in part.items() if name not in left_out}
        return [*map(without, part)] if isinstance(part, list) else part

    return json.dumps(without(thing)).encode()


def leftovers(folder: Path) -> list[str]:
    """What nobody asked for."""
    ends = (".partial", ".aside", ".parts", ".replaced", ".whole")
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if (path.name.startswith(".") and path.name != DIGESTS)
        or (path.name.endswith(ends) and "merged.shards" not in path.parts)
        or (path.parent == folder / "tmp" and not path.name.startswith("torchinductor"))
    ]


def size(folder: Path) -> int:
    """The bytes of all files of a folder, but for the logs of databases, which SQLite keeps small by itself."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.lstat().st_size for path in files if not path.name.endswith("-wal"))


def wrong(name: str, folder: Path, expected: dict[str, bytes], code: int, *, was_there: bool) -> str:
    """What is wrong after the same command was given again, undisturbed; empty if nothing is."""
    if code and not was_there:
        return f"the next command failed with {code}: {said(folder).read_text()[-300:]}"
    found = results(name, folder)
    if found != expected:
        other = sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
        return f"the result differs from an undisturbed one: {', '.join(other[:5])}"
    left = leftovers(folder)
    return f"leftovers: {', '.join(left[:5])}" if left else ""
