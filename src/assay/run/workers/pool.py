"""The one shape of heavy work: batches in, one file per batch, merged in order.

A finished file is named after its input, and begins with a digest of its content, so that the files alone show what is
done: an interrupted command finds its own parts again, and only those, and makes damaged ones again.
"""

import hashlib
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from assay.core.errors import ExternalError, UserError
from assay.core.pair import Pair
from assay.storage.files import SafeProcess, if_whole, spawn_context, with_digest, write_whole
from assay.storage.folders import scratch

T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local"  # the name of the local engine, whose processes on this machine need no executor
BATCH = 1_000  # records in a batch, which never decides results
BATCH_BYTES = 2_000_000


class Work(NamedTuple):
    """A function to apply to each batch."""

    function: Callable[..., bytes]  # a top-level function of a module: it is sent to the workers by name
    arguments: tuple[Any, ...]
    key: str  # identifies function and arguments: a part made under another key is not reused


class WorkerPool(NamedTuple):
    executor: Executor  # takes the batches
    window: int  # number of batches to keep in progress
    batch: int = BATCH  # records per batch, unless they are long
    missing: Callable[[int], UserError] | None = None  # error about a part that is not there; None if it is made


def in_batches(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of this size; the last one may be shorter.

    >>> list(in_batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(things)
    while batch := list(islice(iterator, size)):
        yield batch


def pack_batches(records: Iterable[bytes], size: int, *, full: int = BATCH_BYTES) -> Iterator[list[bytes]]:
    """Lists of this many records, or fewer if they reach `full` bytes.

    >>> list(pack_batches([b"a", b"b", b"a long one", b"c"], 3, full=10))
    [[b'a', b'b', b'a long one'], [b'c']]
    """
    batch: list[bytes] = []
    held = 0
    for record in records:
        batch.append(record)
        held += len(record)
        if len(batch) == size or held >= full:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def pair_batches(pairs: Iterable[Pair], size: int) -> Iterator[bytes]:
    """Pairs as JSON lists of this many, or fewer if texts are long."""
    encode = msgspec.json.Encoder().encode
    for batch in pack_batches(map(encode, pairs), size):
        yield b"[%b]" % b",".join(batch)


def every(_number: int) -> bool:
    """True if a batch is worked on, by its number: all are."""
    return True


def parts(
    work: Work, batches: Iterable[bytes], *, folder: Path, pool: WorkerPool, owns: Callable[[int], bool] = every
) -> Iterator[bytes]:
    """The result of each batch, in order; existing, intact parts are not made again. A shard owns some batches only."""
    folder = folder.absolute()  # the workers of a caller's executor may have another working directory
    key = hashlib.blake2b(work.key.encode(), digest_size=32).digest()

    def start() -> Iterator[tuple[Path, Future[bytes | None] | None]]:
        for number, batch in enumerate(batches):
            if not owns(number):
                continue
            digest = hashlib.blake2b(batch, digest_size=16, key=key).hexdigest()
            path = folder / f"{number:06d}-{digest}.part"
            if _read_part(path) is not None:
                yield path, None
            elif pool.missing:
                raise pool.missing(number)
            elif isinstance(pool.executor, FarExecutor):
                yield path, pool.executor.submit(work.function, batch, *work.arguments)
            else:
                yield path, pool.executor.submit(_write_part, path, work.function, batch, work.arguments)

    try:
        for path, task in finish_in_order(start(), pool.window):
            if task and (made := task.result()) is not None:
                write_whole(path, with_digest(made))
            if (content := _read_part(path)) is None:
                raise ExternalError(f"{path} changed right after it was written.\n  Check the disk.")
            yield content
    except BrokenExecutor as error:
        raise ExternalError(
            "A worker process died, perhaps because memory ran out.\n"
            "  Run the same command again with fewer workers: finished parts are stored. (A script of your own that is "
            'started again in each worker needs an `if __name__ == "__main__":` guard.)'
        ) from error


def finish_in_order(started: Iterable[tuple[T, Future[R] | None]], most: int) -> Iterator[tuple[T, Future[R] | None]]:
    """Tasks in the order in which they were started, each once `most` are under way; None was finished before."""
    under_way: deque[tuple[T, Future[R] | None]] = deque()
    try:
        for each in started:
            under_way.append(each)
            if len(under_way) >= most:
                yield under_way.popleft()
        while under_way:
            yield under_way.popleft()
    finally:
        # What can no longer be cancelled must not write into a folder that is about to be deleted.
        wait([task for _, task in under_way if task and not task.cancel()])


def finish_as_ready(start: Callable[[T], Future[R]], tasks: Iterable[T], most: int) -> Iterator[tuple[T, Future[R]]]:
    """Tasks as they are finished, `most` at a time."""
    waiting, under_way = iter(tasks), dict[Future[R], T]()
    try:
        while True:
            under_way.update((start(task), task) for task in islice(waiting, most - len(under_way)))
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                yield under_way.pop(future), future
    finally:
        for future in under_way:
            future.cancel()


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, each computed in another thread while the previous one is used.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with ThreadPoolExecutor(1) as pool:
        step = pool.submit(lambda: list(islice(items, 1)))
        while found := step.result():
            step = pool.submit(lambda: list(islice(items, 1)))
            yield found[0]


@contextmanager
def part_folder(out: Path | None) -> Iterator[Path]:
    """The folder for the parts of a file: next to it until it is complete, or temporary if no file is made.

    After an interruption the parts stay, so that the same command finds them; wrong input leaves nothing behind.
    """
    if out is None:
        with scratch() as folder:
            yield folder
        return
    kept = out.with_name(f".{out.name}.parts")
    try:
        yield kept
    except UserError:
        shutil.rmtree(kept, ignore_errors=True)
        raise
    shutil.rmtree(kept, ignore_errors=True)


@contextmanager
def worker_pool(
    count: int, executor: Executor | WorkerPool | None = None, *, batch: int = BATCH
) -> Iterator[WorkerPool]:
    """A pool of `count` processes; 1 means this process itself.

    With the caller's executor, which stays open, `count` says how many workers to keep busy there; 1 makes no sense
    then, so it means as many as this machine has cores. A pool is returned as it is.
    """
    if isinstance(executor, WorkerPool):
        yield executor
        return
    if executor is not None:
        yield WorkerPool(executor, 2 * (count if count > 1 else default_workers()), batch)
        return
    if count == 1:
        yield INLINE._replace(batch=batch)
        return
    with start_processes(count, may_fork=True) as pool:
        pool.submit(os.getpid)  # starts the workers now, before anybody starts a thread
        yield WorkerPool(pool, 2 * count, batch)


def start_processes(count: int, *, may_fork: bool = False) -> ProcessPoolExecutor:
    """An executor whose processes end with this one, however it ends."""
    # A forked worker does not import the user's script again, which spares it the `if __name__ == "__main__"` guard;
    # with other threads about, forking is not safe.
    forks = may_fork and sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork") if forks else spawn_context()
    return ProcessPoolExecutor(count, mp_context=context, initializer=end_with_parent)


class InlineExecutor(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function; its errors are raised as they are."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


INLINE = WorkerPool(InlineExecutor(), 1)


def default_workers() -> int:
    """The number of usable cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class FarExecutor(Executor):
    """An executor whose workers can't reach this machine's files: they return what they made, and it is stored here."""


def _write_part(path: Path, function: Callable[..., bytes], batch: bytes, arguments: tuple[Any, ...]) -> None:
    write_whole(path, with_digest(function(batch, *arguments)))


def _read_part(path: Path) -> bytes | None:
    """The content of a part; None if it is missing or damaged."""
    try:
        return if_whole(path.read_bytes())
    except FileNotFoundError:
        return None


def end_with_parent() -> None:
    """Leave Ctrl-C to the parent, and end if the parent is killed, because nothing else would stop this worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # this only runs in workers

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


Progress = Callable[[int], None]  # called with the number of records finished since the last call
Stage = Callable[[str, int | None], Progress]
"""Called when a part of the work starts, with its name and size; returns the function that reports progress."""

WHOLE, PARTS = "Whole run", 1000  # the name and the size of the stage that goes on beside all others until a run ends


def seconds_left(elapsed: float, done: int, total: int = PARTS) -> float | None:
    """The time that is left if the rest is as fast as what is done; None if too little is done to tell.

    >>> seconds_left(30.0, 250), seconds_left(2.0, 5)
    (90.0, None)
    """
    return elapsed * (total - done) / done if done >= total / 50 else None


def quiet(_name: str, _total: int | None) -> Progress:
    """A stage that shows nothing."""
    return lambda _: None


class Failure(NamedTuple):
    """Work that was not finished."""

    reason: str  # the reason in a line


class WorkOutcome(NamedTuple):
    """Result of a task."""

    task: Any
    result: Any  # its result, or a `Failure`


class WorkerProcesses(Executor):
    """Processes of this machine that start when they are needed.

    Unlike those of a process pool, they are killed at once at the end, and the death of one does not stop the others.
    """

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count)  # each waits for one process
        self._lock = threading.Lock()
        self._idle: list[tuple[SafeProcess, Connection]] = []
        self._processes: list[SafeProcess] = []
        self._is_ended = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by a process, which must be a top-level function of a module."""
        return self._threads.submit(self._call, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 - the standard's own
        """Kill all processes."""
        with self._lock:
            self._is_ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()
            process.join()

    def _call(self, *task: Any) -> Any:
        process, line = self._take()
        try:
            line.send(task)
            result = line.recv()
        except (EOFError, OSError):
            process.join()
            raise ExternalError(f"its process ended with code {process.exitcode}") from None
        with self._lock:
            self._idle.append((process, line))
        return result

    def _take(self) -> "tuple[SafeProcess, Connection]":
        """A process without work, perhaps a new one, and the line to it."""
        with self._lock:
            while self._idle:
                process, line = self._idle.pop()
                if process.is_alive():
                    return process, line
            if self._is_ended:
                raise CancelledError
            context = spawn_context()  # PyTorch's threads do not survive a fork
            line, far_end = context.Pipe()
            process = context.Process(target=_serve_calls, args=(far_end,), daemon=True)
            process.start()
            far_end.close()  # so that the line breaks when the process dies
            self._processes.append(process)
            return process, line


def _serve_calls(line: Connection) -> None:
    """The life of a worker."""
    end_with_parent()
    os.environ["OMP_NUM_THREADS"] = "1"  # libraries that are not loaded yet
    while True:
        try:
            function, arguments, keywords = line.recv()
        except EOFError:
            return
        line.send(function(*arguments, **keywords))


class Workers:
    """An executor whose workers do pieces of work, `count` at a time; they must reach the same files."""

    def __init__(self, work: Callable[[Any], Any], executor: Executor, *, count: int) -> None:
        self.count = count
        self._work = work
        self._executor = executor

    def do(self, tasks: Iterable[Any]) -> Iterator[WorkOutcome]:
        """Do these tasks; outcomes come as they are ready."""

        def start(task: Any) -> Future[Any]:
            return self._executor.submit(self._work, task)

        for task, future in finish_as_ready(start, tasks, self.count):
            error = future.exception()
            reason = str(error) if isinstance(error, ExternalError) else f"{type(error).__name__}: {error}"
            yield WorkOutcome(task, Failure(reason) if error else future.result())
