"""The one shape of heavy work: batches in, one file a batch, merged in order.

A finished file is named by what went into it, so that what is done is known from the files alone: an interrupted
command finds its own parts again, and nothing else's.
"""

import hashlib
import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assay.core.errors import ExternalError
from assay.core.files import write_whole

BATCH = 1_000
"""Records in a batch. It decides which bytes are worked on together, never what comes out."""


class Work(NamedTuple):
    """What is done to each batch."""

    function: Callable[..., bytes]
    """Of a module's top level: it travels to the workers by name."""
    arguments: tuple[Any, ...]
    """What the function takes after the batch."""
    key: str
    """Names function and arguments: a part made under another key is not reused."""


def parts(work: Work, batches: Iterable[bytes], *, folder: Path, executor: Executor, window: int) -> Iterator[Path]:
    """The file of each batch, in order; those that are there already are not made again."""
    under_way: deque[tuple[Path, Future[None] | None]] = deque()
    try:
        for number, batch in enumerate(batches):
            path = folder / f"{number:06d}-{_digest(work.key, batch)}.part"
            task = None if path.exists() else executor.submit(_write_part, path, work.function, batch, work.arguments)
            under_way.append((path, task))
            if len(under_way) >= window:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())
    finally:
        for _, task in under_way:
            if task:
                task.cancel()


@contextmanager
def workers(count: int) -> Iterator[tuple[Executor, int]]:
    """An executor for so many workers, and how many batches to keep under way."""
    if count == 1:
        yield InlineExecutor(), 1
        return
    # A forked worker does not import the user's script again, which spares it the `if __name__ == "__main__"` guard;
    # with other threads about, forking is not safe.
    method = "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context(method)) as pool:
        pool.submit(os.getpid)  # starts the workers now, before anybody starts a thread
        yield pool, 2 * count


class InlineExecutor(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function; its errors pass straight through."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def default_workers() -> int:
    """As many as there are cores to run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write_part(path: Path, function: Callable[..., bytes], batch: bytes, arguments: tuple[Any, ...]) -> None:
    write_whole(path, function(batch, *arguments))


def _finished(path: Path, task: Future[None] | None) -> Path:
    if task:
        try:
            task.result()
        except BrokenProcessPool as error:
            raise ExternalError(
                "A worker process died, perhaps for want of memory.\n"
                "  Give the same command again, with fewer workers: finished parts are kept. (A script of your own that is "
                'started anew in each worker needs an `if __name__ == "__main__":` guard.)'
            ) from error
    return path


def _digest(key: str, batch: bytes) -> str:
    return hashlib.blake2b(
        batch, digest_size=16, key=hashlib.blake2b(key.encode(), digest_size=32).digest()
    ).hexdigest()
