"""Workers: processes, or workers of an executor, that each do one piece of work after another.

A piece of work that fails, or whose process dies, does not touch the others. Workers end with their parent, however it
ends.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future
from concurrent.futures import wait as wait_for
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol

from assay.run.workers.pool import end_with_parent
from assay.storage.files import spawn_context


class Failure(NamedTuple):
    """Work that was not finished."""

    reason: str
    """The reason in a line."""


class WorkOutcome(NamedTuple):
    """Result of a task."""

    task: Any
    result: Any
    """Its result, or a `Failure`."""


class WorkerProcess:
    """A process and the line to it."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        context = spawn_context()  # PyTorch's threads do not survive a fork
        self.line, far_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(far_end, work), daemon=True)
        self._process.start()
        far_end.close()  # so that the line breaks when the process dies
        self.task: Any = None

    def give(self, task: Any) -> None:
        """Start a piece of work."""
        self.task = task
        self.line.send(task)

    def take(self) -> WorkOutcome:
        """Wait for its result."""
        task, self.task = self.task, None
        try:
            return WorkOutcome(task, self.line.recv())
        except EOFError:
            self._process.join()
            return WorkOutcome(task, Failure(f"its process ended with code {self._process.exitcode}"))

    @property
    def is_alive(self) -> bool:
        """True if it can take more work."""
        return self._process.is_alive()

    def end(self) -> None:
        """End the process, at once."""
        self._process.kill()
        self._process.join()


class Workers(Protocol):
    """Processes that do pieces of work, several at a time."""

    count: int
    """Number of workers."""

    def do(self, tasks: Iterable[Any]) -> Iterator[WorkOutcome]:
        """Do these tasks; outcomes come as they are ready."""


class WorkerProcesses:
    """Several workers, which start when they are needed and stay until the end."""

    def __init__(self, work: Callable[[Any], Any], *, count: int) -> None:
        self.count = count
        self._work = work
        self._processes: list[WorkerProcess] = []

    def __enter__(self) -> "WorkerProcesses":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._processes:
            worker.end()

    def do(self, tasks: Iterable[Any]) -> Iterator[WorkOutcome]:
        """Do these tasks; outcomes come as they are ready."""
        waiting = deque(tasks)
        while waiting or any(worker.task for worker in self._processes):
            self._processes = [worker for worker in self._processes if worker.task or worker.is_alive]
            while waiting and (worker := self._free()):
                worker.give(waiting.popleft())
            ready = wait([worker.line for worker in self._processes if worker.task])
            for worker in [each for each in self._processes if each.line in ready]:
                yield worker.take()

    def _free(self) -> WorkerProcess | None:
        """A worker without work, perhaps a new one; None if all are busy."""
        for worker in self._processes:
            if not worker.task:
                return worker
        if len(self._processes) < self.count:
            self._processes.append(WorkerProcess(self._work))
            return self._processes[-1]
        return None


class ExecutorWorkers:
    """The workers of an executor, in place of processes of our own; they must reach the same files."""

    def __init__(self, work: Callable[[Any], Any], executor: Executor, *, count: int) -> None:
        self.count = count
        self._work = work
        self._executor = executor

    def do(self, tasks: Iterable[Any]) -> Iterator[WorkOutcome]:
        """Do these tasks; outcomes come as they are ready."""
        waiting, under_way = deque(tasks), dict[Future[Any], Any]()
        while waiting or under_way:
            while waiting and len(under_way) < self.count:
                task = waiting.popleft()
                under_way[self._executor.submit(self._work, task)] = task
            for future in wait_for(under_way, return_when=FIRST_COMPLETED).done:
                error = future.exception()
                task = under_way.pop(future)
                yield WorkOutcome(task, Failure(f"{type(error).__name__}: {error}") if error else future.result())


def _serve(line: Connection, work: Callable[[Any], Any]) -> None:
    """The life of a worker."""
    end_with_parent()
    os.environ["OMP_NUM_THREADS"] = "1"  # libraries that are not loaded yet
    while True:
        try:
            task = line.recv()
        except EOFError:
            return
        line.send(work(task))
