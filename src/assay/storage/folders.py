"""Temporary folders, the folder of the cache, and locks."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from assay.core.errors import ExternalError

PREFIX = "assay-"  # the names are this, the number of the process, and something random


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder, which is deleted afterwards.

    >>> with scratch() as folder:
    ...     folder.is_dir()
    True
    >>> folder.exists()
    False
    """
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with lock_folder(folder):
            _tidy_scratch(folder.parent)
            yield folder


def _tidy_scratch(place: Path) -> None:
    """Delete leftovers of dead processes. A lock distinguishes these from processes of another container."""
    for folder in place.glob(f"{PREFIX}*-*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not process.isdecimal() or lives(int(process)):
            continue
        with suppress(OSError), lock_folder(folder) as is_locked:
            if is_locked:
                shutil.rmtree(folder, ignore_errors=True)


def cache_folder(name: str) -> Path:
    """A folder of the cache, such as that of answers or suites: in $ASSAY_CACHE, or in the user's cache."""
    given = os.environ.get("ASSAY_CACHE")
    home = Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay"
    return home.absolute() / name


def lives(process: int) -> bool:
    """True if a process with this number is running, as far as the system tells."""
    if sys.platform == "win32":  # there, asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@contextmanager
def lock_folder(folder: Path, *, waits: bool = False, busy: str = "") -> Iterator[bool]:
    """Lock a folder; the system releases the lock when the process ends, however it ends.

    It gives False if another process has the lock, or if the system or the file system has none. If another process
    has it, it can wait instead, or stop with the message `busy`.
    """
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        is_locked = False
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
                is_locked = True
            except BlockingIOError as error:
                if busy:
                    raise ExternalError(busy) from error
        yield is_locked
    finally:
        os.close(handle)
