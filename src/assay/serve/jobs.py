"""Runs that were started from the browser: one at a time, each as a command of its own, which can be stopped."""

import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Literal

import msgspec

from assay.core.errors import UnknownNameError, UserError
from assay.run.workers.pool import WHOLE, seconds_left
from assay.serve.served_runs import LONGEST_NAME, write_notes

State = Literal["waiting", "running", "done", "stopped", "failed"]

ENDED: frozenset[State] = frozenset({"done", "stopped", "failed"})
MOST_LISTED = 50  # largest number of jobs that are listed; of more, the oldest that have ended are forgotten
MOST_WAITING = 20  # largest number of jobs that may wait
MOST_LINES = 40  # maximum number of lines of a command's output that are stored
ERROR = "Error: "  # prefix of the message of a failed command


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """The progress of a command, as `--progress json` writes it."""

    stage: str = ""
    done: int = 0
    total: int | None = None  # all units, if their number is known


@dataclass
class Job:
    number: int
    words: Sequence[str]  # arguments of `assay run`
    state: State = "waiting"
    step: Step = field(default_factory=Step)
    whole: Step = field(default_factory=Step)  # the progress of the whole run
    started: float = 0.0  # the start, by a monotonic clock
    ends: float | None = None  # the expected end, by the same clock; None if it is too early to tell
    lines: list[str] = field(default_factory=list)  # its messages; of a failed one, its error
    run: str = ""
    name: str = ""  # the name that the run gets
    process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    @property
    def shown(self) -> dict[str, object]:
        """The data for a page."""
        known = {name: getattr(self, name) for name in ("number", "state", "run")}
        left = None if self.ends is None else max(1, round(self.ends - time.monotonic()))
        whole = self.whole.done / self.whole.total if self.whole.total else None
        return {**known, "lines": [*self.lines], "whole": whole, "left": left, **msgspec.structs.asdict(self.step)}


class Jobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed = threading.Condition()
        self._jobs: list[Job] = []
        self._numbers = count(1)
        self._worker: threading.Thread | None = None

    def all(self) -> list[Job]:
        with self._changed:
            return [*reversed(self._jobs)]

    def get(self, number: str) -> Job:
        with self._changed:
            for job in self._jobs:
                if str(job.number) == number:
                    return job
        raise UnknownNameError(f"There is no job {number}.\n  The list shows those that were started.")

    def start(self, words: Sequence[str], *, name: str = "") -> Job:
        """Add a run to the queue. The same words continue a run that was stopped."""
        with self._changed:
            if sum(job.state == "waiting" for job in self._jobs) >= MOST_WAITING:
                raise UserError(f"{MOST_WAITING} runs are waiting already.\n  Wait until one has ended, or stop one.")
            job = Job(number=next(self._numbers), words=[*words], name=name[:LONGEST_NAME])
            ended = [each for each in self._jobs if each.state in ENDED]
            forgotten = ended[: max(0, len(self._jobs) + 1 - MOST_LISTED)]
            self._jobs = [*(each for each in self._jobs if each not in forgotten), job]
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, daemon=True, name="runs")
                self._worker.start()
            self._changed.notify_all()
        return job

    def stop(self, job: Job) -> None:
        """Stop a job; what it did so far is kept."""
        with self._changed:
            if job.state == "waiting":
                job.state = "stopped"
            elif job.state == "running" and job.process is not None:
                job.state = "stopped"
                job.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        for job in self.all():
            self.stop(job)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: any(job.state == "waiting" for job in self._jobs))
                job = next(job for job in self._jobs if job.state == "waiting")
                record = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
                job.process = self._started(job, record.fileno())
                job.state, job.started = "running", time.monotonic()
            code = _follow(job, job.process)
            with self._changed, record:
                if job.state == "running":
                    job.state = "failed" if code else "done"
                if job.state == "done":
                    record.seek(0)
                    job.run = msgspec.json.decode(record.read())["id"]
                    if job.name:
                        write_notes(self._folder / job.run, name=job.name, notes="", tags="")

    def _started(self, job: Job, record: int) -> "subprocess.Popen[str]":
        """The command, whose record goes to an open file."""
        # -P, because `-m` would run modules of the folder that the server was started in.
        assay = [sys.executable, "-P", "-m", "assay"]
        words = ["run", *job.words, "--out", str(self._folder), "--json", "--progress", "json"]
        return subprocess.Popen(  # noqa: S603 - the words were checked by the view
            [*assay, *words],
            stdin=subprocess.DEVNULL,
            stdout=record,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )


def _follow(job: Job, process: "subprocess.Popen[str]") -> int:
    """Read the output of a command until it ends; returns its exit code."""
    assert process.stderr is not None
    with process:
        for line in process.stderr:
            try:
                step = msgspec.json.decode(line, type=Step)
            except msgspec.MsgspecError:
                job.lines = [*job.lines, line.rstrip()][-MOST_LINES:]
                continue
            if step.stage == WHOLE:
                now = time.monotonic()
                left = seconds_left(now - job.started, step.done)
                job.whole, job.ends = step, left and now + left
            else:
                job.step = step
    if process.returncode:
        job.lines = _error(job.lines, process.returncode)
    return process.returncode


def _error(lines: Sequence[str], code: int) -> list[str]:
    """The error message of a failed command, without its earlier output.

    >>> _error(["2 notes", "Error: pairs.csv:3: no label", "  Drop the line."], 2)
    ['pairs.csv:3: no label', '  Drop the line.']
    >>> _error([], -9)
    ['The command was ended by the signal SIGKILL. If memory ran out, take a smaller sample or fewer models.']
    """
    starts = [place for place, line in enumerate(lines) if line.startswith(ERROR)]
    if starts:
        first, *others = lines[starts[-1] :]
        return [first.removeprefix(ERROR), *others]
    if code < 0:
        name = signal.Signals(-code).name
        return [
            *lines,
            f"The command was ended by the signal {name}. If memory ran out, take a smaller sample or fewer models.",
        ]
    return [*lines, f"The command ended with exit code {code}."]
