"""Temporary folders. What a killed command leaves there is deleted by the next one."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "assay-"
"""The names are this, the number of the process, and something random."""


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
        handle = _lock(folder)
        try:
            _tidy(folder.parent)
            yield folder
        finally:
            if handle is not None:
                os.close(handle)


def _tidy(place: Path) -> None:
    """Delete what dead processes left. The lock tells them from processes of another container with the same place."""
    for folder in place.glob(f"{PREFIX}*-*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not process.isdecimal() or lives(int(process)):
            continue
        if (handle := _lock(folder)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(handle)


def lives(process: int) -> bool:
    """Whether a process of this number is there, as far as one can ask."""
    if sys.platform == "win32":  # there, asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _lock(folder: Path) -> int | None:
    """A lock on a folder, which goes with the process; None if somebody else has it, or there are no locks here."""
    if sys.platform == "win32":
        return None
    import fcntl

    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            return None
        return handle
    return None
