"""Word vectors, stored once as a table that is mapped into memory, so that loading them again costs nothing."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.core.files import folder_aside
from assay.language.resources.loaded import home


class Vectors:
    """Looks up how similar two words are."""

    def __init__(self, words: list[str], unit: NDArray[np.float32]) -> None:
        self._place = {word: i for i, word in enumerate(words)}
        self._unit = unit  # (words, dimensions), each of length one

    def __contains__(self, word: str) -> bool:
        return word in self._place

    def cosine(self, one: str, other: str) -> float | None:
        """The cosine of two words' vectors; None if one of them has none."""
        i, j = self._place.get(one), self._place.get(other)
        return None if i is None or j is None else float(self._unit[i] @ self._unit[j])


def folder_of(name: str) -> Path:
    """Where the vectors of a file are stored; the name is the file's digest."""
    return home().parent / "vectors" / name


def store(name: str, vectors: Iterable[tuple[str, tuple[float, ...]]]) -> None:
    """Store vectors for later builds."""
    words, rows = [], []
    for word, values in vectors:
        words.append(word)
        rows.append(np.asarray(values, dtype=np.float32))
    unit = np.stack(rows)
    finite = np.isfinite(unit).all(axis=1)
    if not finite.all():
        raise UserError(f"The vector of {words[int(finite.argmin())]!r} contains something that is not a number.")
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    with folder_aside(folder_of(name)) as folder:
        np.save(folder / "unit.npy", unit)
        (folder / "words.msgpack").write_bytes(msgspec.msgpack.encode(words))


@cache
def stored(name: str) -> Vectors:
    """Vectors that were stored on this machine; loaded once per process.

    >>> stored("nothing")
    Traceback (most recent call last):
    assay.core.errors.UserError: The vectors nothing are not on this machine.
      Give the file that they come from again, with --vectors.
    """
    folder = folder_of(name)
    if not folder.is_dir():
        raise UserError(
            f"The vectors {name} are not on this machine.\n  Give the file that they come from again, with --vectors."
        )
    words = msgspec.msgpack.decode((folder / "words.msgpack").read_bytes(), type=list[str])
    return Vectors(words, np.load(folder / "unit.npy", mmap_mode="r"))
