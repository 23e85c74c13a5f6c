"""Runs that were started from the browser: one at a time, each in a process of its own, which can be stopped."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from assay.core.errors import UnknownNameError

State = Literal["waiting", "running", "done", "stopped", "failed"]

ENDED: frozenset[State] = frozenset({"done", "stopped", "failed"})

KEPT = 50
"""How many jobs are listed."""


@dataclass
class Job:
    """A run that was asked for."""

    number: int
    """Its number."""
    words: Sequence[str]
    """What follows `assay run` on the command line."""
    state: State = "waiting"
    """How far it is."""
    stage: str = ""
    """What it is doing."""
    done: int = 0
    """How much of that is done."""
    total: int | None = None
    """How much there is to do, if that is known."""
    told: str = ""
    """What it said last."""
    run: str = ""
    """The run that it stored."""
    process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    @property
    def shown(self) -> dict[str, object]:
        """What a page needs to know."""
        names = ("number", "state", "stage", "done", "total", "told", "run")
        return {name: getattr(self, name) for name in names}


class Jobs:
    """The queue."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed = threading.Condition()
        self._jobs: list[Job] = []
        self._worker: threading.Thread | None = None

    def all(self) -> list[Job]:
        """Every job, the newest first."""
        with self._changed:
            return [*reversed(self._jobs)]

    def get(self, number: str) -> Job:
        """A job by its number."""
        with self._changed:
            for each in self._jobs:
                if str(each.number) == number:
                    return each
        raise UnknownNameError(f"There is no job {number}.\n  The list shows those that were started.")

    def start(self, words: Sequence[str]) -> Job:
        """Add a run to the queue. The same words continue a run that was stopped."""
        with self._changed:
            job = Job(number=len(self._jobs) + 1, words=[*words])
            self._jobs.append(job)
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
            self._changed.notify_all()

    def wait_for_change(self, job: Job, seen: dict[str, object], timeout: float) -> dict[str, object]:
        """What is known about a job as soon as it differs from what was seen, or after a while."""
        with self._changed:
            self._changed.wait_for(lambda: job.shown != seen, timeout)
            return job.shown

    def close(self) -> None:
        """Stop everything."""
        for each in self.all():
            self.stop(each)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: any(each.state == "waiting" for each in self._jobs))
                job = next(each for each in self._jobs if each.state == "waiting")
                job.state = "running"
                command = [sys.executable, "-m", "assay.app.web.job", str(self._folder), *job.words]
                job.process = subprocess.Popen(  # noqa: S603 - the words were checked by the view
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
                )
                self._changed.notify_all()
            self._follow(job)

    def _follow(self, job: Job) -> None:
        process = job.process
        if process is None or process.stdout is None:
            return
        for line in process.stdout:
            with self._changed:
                for name, value in json.loads(line).items():
                    setattr(job, name, value)
                self._changed.notify_all()
        code = process.wait()
        with self._changed:
            if job.state == "running":
                job.state = "done" if code == 0 else "failed"
            self._changed.notify_all()
