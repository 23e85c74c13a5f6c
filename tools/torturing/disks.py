"""Disks that are full, read-only, slow, gone or somebody else's, from moments on that are drawn from a seed."""

import errno
import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from torturing.work import COMMANDS, Ended, Operation, Round, command, prepare, results, said, size, undisturbed, wrong

DISTURBED = ("build", "run", "merge", "train")
"""The commands that are disturbed, in turn."""

LARGEST = 3
"""How many times the bytes of an undisturbed command a small disk has, at most: some have room for everything."""

GENTLE = (0, 2, 3)
"""Exit codes of a command that finished, or said what is wrong."""


def _broken(operation: Operation, number: int, folder: Path, *, reason: int, reading: bool) -> None:
    """What a disk says from an operation on."""
    path = Path(operation.path).absolute()
    if operation.number < number or not path.is_relative_to(folder) or not (operation.writes or reading):
        return
    if operation.event == "sqlite3.connect":
        raise sqlite3.OperationalError("unable to open database file")
    raise OSError(reason, os.strerror(reason), str(path))


def _slow(operation: Operation, number: int, folder: Path) -> None:
    """A disk that takes its time with everything."""
    if Path(operation.path).absolute().is_relative_to(folder):
        time.sleep(0.001 * (number % 10))


INJECTED: dict[str, Callable[[Operation, int, Path], None]] = {
    "full": partial(_broken, reason=errno.ENOSPC, reading=False),
    "read-only": partial(_broken, reason=errno.EROFS, reading=False),
    "gone": partial(_broken, reason=errno.EIO, reading=True),
    "slow": _slow,
}
"""Faults that are put where Python is about to touch a file."""

SMALL = "small"
"""A real file system of too few bytes, so that SQLite, DuckDB and PyTorch meet its end as well."""

FOREIGN = "foreign"
"""A real user without rights: the folder, or a part of it, belongs to somebody else, and may be unreadable."""

NOBODY = 65534
"""The number of a user without rights."""

DISKS = (*INJECTED, SMALL, FOREIGN)


def disks(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Have commands meet a broken disk; afterwards, when it is mended, the same command must end as if nothing was."""
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    calm: dict[str, Ended] = {}
    for number in range(rounds):
        which = DISTURBED[number % len(DISTURBED)]
        first, whole, folder = work / f"{which}-first", work / f"{which}-whole", work / "round"
        if which not in calm:
            prepare(which, first)
            calm[which] = undisturbed(which, first, whole)
        moment = rng.randint(1, calm[which].events)
        room = rng.uniform(size(first), LARGEST * size(whole))
        said(folder).unlink(missing_ok=True)
        if name == SMALL:
            with _small(folder, int(room)) as grow:
                shutil.copytree(first, folder, dirs_exist_ok=True)
                ended = command(COMMANDS[which], folder)
                grow()
                yield _judged(f"{which}, {int(room):,} bytes", which, folder, ended, results(which, whole))
        elif name == FOREIGN:
            _copy(first, folder)
            part = rng.choice((folder, rng.choice((folder / "cache", *sorted(folder.iterdir())))))
            with _foreign(work, folder, part, rng.choice((0o755, 0o700))):
                ended = command(COMMANDS[which], folder, user=NOBODY)
            where = "the folder" if part == folder else part.name
            yield _judged(f"{which}, {where} of another user", which, folder, ended, results(which, whole), NOBODY)
        else:
            _copy(first, folder)
            fault = INJECTED[name]
            ended = command(COMMANDS[which], folder, partial(_at, fault=fault, number=moment, folder=folder))
            yield _judged(f"{which}, from operation {moment}", which, folder, ended, results(which, whole))


def _copy(first: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(first, folder)


@contextmanager
def _foreign(work: Path, folder: Path, part: Path, mode: int) -> Iterator[None]:
    """A part of a folder belongs to us, and the rest to a user without rights."""
    if os.geteuid():
        raise SystemExit("Folders of other users need the right to change owners.")
    part.mkdir(exist_ok=True) if not part.exists() else None
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    work.chmod(0o755)
    os.chown(part, 0, 0)
    part.chmod(mode)
    yield
    os.chown(part, NOBODY, NOBODY)


def _at(operation: Operation, fault: Callable[[Operation, int, Path], None], number: int, folder: Path) -> None:
    fault(operation, number, folder)


def _judged(moment: str, which: str, folder: Path, ended: Ended, expected: dict[str, bytes], user: int = 0) -> Round:
    told = said(folder).read_text() if said(folder).exists() else ""
    if ended.code not in GENTLE or "Unexpected error" in told or "Traceback" in told:
        return Round(moment, f"exit code {ended.code}: {told[-300:]}")
    if ended.code and "Error: " not in told:
        return Round(moment, f"exit code {ended.code}, and nothing was said")
    if ended.code == 0 and results(which, folder) != expected:
        return Round(moment, "it said that all is well, but the result differs")
    was_there = results(which, folder) == expected
    again = command(COMMANDS[which], folder, user=user)
    came = "told" if ended.code else "finished"
    return Round(moment, wrong(which, folder, expected, again.code, was_there=was_there), came)


@contextmanager
def _small(folder: Path, room: int) -> Iterator[Callable[[], None]]:
    """A file system in memory with so many bytes, which can be made larger."""
    folder.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={room}", "tmpfs", folder)
    try:
        yield lambda: _mount("-o", "remount,size=1g", folder)
    finally:
        subprocess.run(["umount", folder], check=True)  # noqa: S603, S607 - what was mounted above


def _mount(*words: object) -> None:
    done = subprocess.run(["mount", *map(str, words)], capture_output=True, text=True)  # noqa: S603, S607 - fixed words
    if done.returncode:
        raise SystemExit(f"A small disk needs the right to mount one: {done.stderr.strip()}")
