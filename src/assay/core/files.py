"""Files that are whole or not there: written aside, then renamed."""

import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""What the system says when a disk has no room, or fails."""
OURS = ("manifest.json", "record.json", "system.json", "agreement.json")
"""What tells a folder of Assay's from a user's."""


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn the system's complaint about a full or closed disk into one clear message."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        way_out = (
            "Free some space or choose another place with --out, then give the same command again: "
            "finished parts are kept and nothing was left in half."
            if error.errno in FULL
            else "Choose another place with --out."
        )
        raise ExternalError(f"Can't write {path}: {reason}.\n  {way_out}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.aside")
    with write_errors(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(data)
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


@contextmanager
def file_aside(path: Path, *, overwrite: bool = False) -> Iterator[Callable[[bytes], None]]:
    """A way to write a file piece by piece; it takes its name when all went well, and leaves nothing otherwise."""
    refuse_existing(path, overwrite=overwrite)
    aside = path.with_name(f".{path.name}.{os.getpid()}.aside")
    try:
        with write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            file = aside.open("wb")

        def write(data: bytes) -> None:
            with write_errors(path):
                file.write(data)

        try:
            yield write
        finally:
            with write_errors(path):
                file.close()
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def refuse_existing(path: Path, *, overwrite: bool, folder: bool = False) -> None:
    """Stop before any work when the result would land on something else.

    A file replaces a file only, and a folder only an empty one or one that Assay made.
    """
    if not path.exists():
        return
    if not overwrite:
        raise OutputExistsError(f"{path} exists already.\n  Choose another --out, or replace it with --overwrite.")
    if path.is_dir() != folder or (
        folder and any(path.iterdir()) and not any((path / name).is_file() for name in OURS)
    ):
        what = "a folder that Assay did not make" if path.is_dir() else "a file"
        raise OutputExistsError(f"{path} is {what}, which --overwrite does not replace.\n  Choose another --out.")


@contextmanager
def folder_aside(target: Path, *, aside: Path | None = None, overwrite: bool = False) -> Iterator[Path]:
    """A folder to work in that takes the target's name when all went well.

    After an interruption it stays, so that the same command finds the finished parts; wrong input leaves nothing.
    """
    target = target if target.name not in ("", "..") else target.resolve()  # "." has no name to put a sign to
    refuse_existing(target, overwrite=overwrite, folder=True)
    aside = aside or target.with_name(f".{target.name}.partial")
    new = [folder for folder in aside.parents if not folder.exists()]
    with write_errors(target):
        aside.mkdir(parents=True, exist_ok=True)
    with _alone(aside, target):
        try:
            yield aside
        except UserError:
            shutil.rmtree(aside, ignore_errors=True)
            for folder in new:
                with suppress(OSError):  # somebody else uses it by now
                    folder.rmdir()
            raise
        _rename(aside, target, overwrite=overwrite)


def _rename(aside: Path, target: Path, *, overwrite: bool) -> None:
    refuse_existing(target, overwrite=overwrite, folder=True)
    with write_errors(target):
        if target.exists():
            old = target.with_name(f".{target.name}.old")
            shutil.rmtree(old, ignore_errors=True)
            target.rename(old)
            aside.rename(target)
            shutil.rmtree(old)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            aside.rename(target)


@contextmanager
def _alone(folder: Path, target: Path) -> Iterator[None]:
    """Keep a second command out of a folder; the system forgets the lock with the process, however that ends."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ExternalError(
                f"Another command is at work on {target}.\n  Wait until it has finished, or choose another --out."
            ) from error
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_json(thing: Any) -> bytes:
    """JSON for people to read, the same bytes for the same content."""
    return msgspec.json.format(msgspec.json.encode(thing, order="deterministic"), indent=2) + b"\n"


def with_seal(thing: S) -> S:
    """A thing that has a field `seal`, with the seal that belongs to it: SHA-256 of its file while that is empty.

    It tells damage and careless edits. It is no signature: whoever wants to can seal anew.
    """
    bare = to_json(msgspec.structs.replace(thing, seal=""))
    return msgspec.structs.replace(thing, seal=hashlib.sha256(bare).hexdigest())


def seal_fits(data: bytes, seal: str) -> bool:
    """Whether these are the bytes of a file that were sealed.

    >>> bare = b'{"figure": 0.3, "seal": ""}'
    >>> seal = hashlib.sha256(bare).hexdigest()
    >>> data = bare.replace(b'""', b'"%b"' % seal.encode())
    >>> seal_fits(data, seal), seal_fits(data.replace(b"0.3,", b"0.9,"), seal)
    (True, False)
    """
    bare = data.replace(f'"seal": "{seal}"'.encode(), b'"seal": ""')
    return hashlib.sha256(bare).hexdigest() == seal


class _Versioned(msgspec.Struct):
    schema: int


def from_json(path: Path, kind: type[T], *, newest: int, oldest: int = 1) -> T:
    """Read a file written by `to_json`, checked against its schema; versions from `oldest` to `newest` are known."""
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=_Versioned).schema
        if version > newest:
            raise BadInputError(
                f"written by a newer Assay (schema {version}, this one reads up to {newest})",
                where=str(path),
                hint="pip install --upgrade nli-assay",
            )
        if version < oldest:
            raise BadInputError(
                f"written by an older Assay (schema {version}, this one reads from {oldest} on)",
                where=str(path),
                hint="Make it again with this version.",
            )
        return msgspec.json.decode(data, type=kind)
    except FileNotFoundError as error:
        raise BadInputError("no such file", where=str(path)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"damaged: {error}", where=str(path)) from error
