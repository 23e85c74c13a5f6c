"""What builds need again later and a recipe can only name: stored on this machine under a digest."""

import hashlib
from pathlib import Path
from typing import TypeVar

import msgspec

from assay.core.errors import UserError
from assay.core.files import write_whole
from assay.language.resources.loaded import home

T = TypeVar("T")


def keep(folder: str, value: object) -> str:
    """Store a value, such as counts of words; returns the name under which `kept` finds it."""
    data = msgspec.msgpack.encode(value, order="sorted")
    name = hashlib.sha256(data).hexdigest()[:16]
    write_whole(_path(folder, name), data)
    return name


def kept(folder: str, name: str, kind: type[T], hint: str) -> T:
    """A value that was stored on this machine; `hint` says how to get it if it is missing."""
    try:
        return msgspec.msgpack.decode(_path(folder, name).read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError) as error:
        raise UserError(f"No {folder} called {name} on this machine.\n  {hint}") from error


def _path(folder: str, name: str) -> Path:
    return home().parent / folder / f"{name}.msgpack"
