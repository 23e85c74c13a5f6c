"""Work that takes longer than a reader waits: done by another process, one thing at a time, and kept."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

from assay.core.guard.processes import spawn_context

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that a reader waits before seeing that something is under way."""

KEPT = 64
"""How many results are kept."""


class PendingError(Exception):
    """The result is not there yet."""


class Background:
    """One other process, which ends when there is nothing to do, so that its memory is given back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._crew: ProcessPoolExecutor | None = None
        self._work: dict[Hashable, Future[Any]] = {}
        self._done: OrderedDict[Hashable, Any] = OrderedDict()

    def result(self, key: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """What a function of a module returns; it is called once for each key. An error is raised to one reader."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                kept: T = self._done[key]
                return kept
            if key not in self._work:
                self._crew = self._crew or ProcessPoolExecutor(1, spawn_context())
                self._work[key] = self._crew.submit(function, *arguments)
            work: Future[T] = self._work[key]
        wait([work], timeout=PATIENCE)
        if not work.done():
            raise PendingError
        with self._lock:
            self._work.pop(key, None)
            if not self._work and self._crew is not None:
                self._crew.shutdown(wait=False)
                self._crew = None
        found = work.result()
        self.keep(key, found)
        return found

    def at_once(self, key: Hashable, function: Callable[..., T], *arguments: Any) -> T:
        """The same for what takes no time: done here, and kept."""
        with self._lock:
            if key in self._done:
                kept: T = self._done[key]
                return kept
        found = function(*arguments)
        self.keep(key, found)
        return found

    def keep(self, key: Hashable, found: Any) -> None:
        """Keep a result."""
        with self._lock:
            self._done[key] = found
            while len(self._done) > KEPT:
                self._done.popitem(last=False)

    def close(self) -> None:
        """Stop."""
        if self._crew is not None:
            self._crew.shutdown(wait=False, cancel_futures=True)
