"""Processes that never import a module from the working directory, where anybody may have put one.

Python searches that directory first, before its own library, when it is started with `-m` or `-c`, as multiprocessing
does. A model such as `python:my_model:predict` is still found there, because the worker gets its parent's search path.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment variable that keeps Python from searching the working directory."""


@contextmanager
def safe_path() -> Iterator[None]:
    """While this lasts, a Python process that is started does not search the working directory for modules."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        _set(before)


def _set(value: str | None) -> None:
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


class SafeProcess(SpawnProcess):
    """A process that starts without the working directory, and then has its parent's environment and search path."""

    def start(self) -> None:
        """Start it."""
        self._before = os.environ.get(SAFE_PATH)
        with safe_path():
            super().start()

    def run(self) -> None:
        """Do the work; a program that it starts, such as a user's model, is not the worse for how we started."""
        _set(self._before)
        super().run()


class SafeContext(SpawnContext):
    """Makes such processes, for pools too."""

    Process = SafeProcess


def spawn_context() -> SafeContext:
    """The context for processes that are not forked."""
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        with safe_path():  # it is a process too, and a queue would start it
            resource_tracker.ensure_running()
    return SafeContext()
