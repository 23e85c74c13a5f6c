"""Files that are whole or not there: written aside, then renamed."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError

T = TypeVar("T")


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn the system's complaint about a full or closed disk into one clear message."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise ExternalError(
            f"Can't write {path}: {reason}.\n"
            "  Free some space or choose another place with --out, then give the same command again: "
            "finished parts are kept and nothing was left in half."
        ) from error


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


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Stop before any work when the result would land on something else."""
    if path.exists() and not overwrite:
        raise OutputExistsError(f"{path} exists already.\n  Choose another --out, or replace it with --overwrite.")


@contextmanager
def folder_aside(target: Path, *, aside: Path | None = None, overwrite: bool = False) -> Iterator[Path]:
    """A folder to work in that takes the target's name when all went well.

    After an interruption it stays, so that the same command finds the finished parts; wrong input leaves nothing behind.
    """
    refuse_existing(target, overwrite=overwrite)
    aside = aside or target.with_name(f".{target.name}.partial")
    with write_errors(target):
        aside.mkdir(parents=True, exist_ok=True)
    try:
        yield aside
    except UserError:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    with write_errors(target):
        if target.exists():
            old = target.with_name(f".{target.name}.old")
            shutil.rmtree(old, ignore_errors=True)
            target.rename(old)
            aside.rename(target)
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            aside.rename(target)


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_json(thing: Any) -> bytes:
    """JSON for people to read, the same bytes for the same content."""
    return msgspec.json.format(msgspec.json.encode(thing, order="deterministic"), indent=2) + b"\n"


def from_json(path: Path, kind: type[T]) -> T:
    """Read a file written by `to_json`, checked against its schema."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError as error:
        raise BadInputError("no such file", where=str(path)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"damaged: {error}", where=str(path)) from error
