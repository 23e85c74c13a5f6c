"""Answers by text on their way from one cache to another: a file of keys and values, read and written in pieces."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.bench.ask.store import Store

ROWS = "answers.rows"
"""The file of a model's answers by text."""

LENGTH = 8
"""How many bytes say how long a piece is."""

Rows = list[tuple[bytes, bytes]]


def _everything(_number: int) -> bool:
    return True


def _nobody(_keys: Sequence[bytes]) -> None:
    pass


class Share(NamedTuple):
    """Which batches are asked here, and what is called when one is answered."""

    owns: Callable[[int], bool] = _everything
    """Whether a batch is asked here, by its number."""
    done: Callable[[Sequence[bytes]], None] = _nobody
    """Called with the keys of each batch that is answered."""

    @property
    def is_whole(self) -> bool:
        """Whether everything is asked here."""
        return self.owns is _everything


ALL = Share()


def writing_rows(store: Store, write: Callable[[bytes], None]) -> Callable[[Sequence[bytes]], None]:
    """A function that copies the values of keys from a store into a file."""
    encode = msgspec.msgpack.Encoder().encode

    def copy(keys: Sequence[bytes]) -> None:
        piece = encode(list(zip(keys, store.recall(keys), strict=True)))
        write(len(piece).to_bytes(LENGTH, "little") + piece)

    return copy


def read_rows(path: Path) -> Iterator[Rows]:
    """The pieces of a file."""
    decode = msgspec.msgpack.Decoder(Rows).decode
    with path.open("rb") as file:
        while head := file.read(LENGTH):
            yield decode(file.read(int.from_bytes(head, "little")))
