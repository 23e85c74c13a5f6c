"""What can turn each text into a vector."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy
from numpy.typing import NDArray

from assay.core.protocols import Ready


@runtime_checkable
class TextEncoder(Protocol):
    """The part of a `SentenceModel` that comes before its comparison; see there."""

    @property
    def identity(self) -> str:
        """A digest of everything that decides its vectors; empty if unknown."""

    @property
    def budget(self) -> int:
        """The largest batch: its number of texts times the size of the largest."""

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        """Prepare texts to be encoded."""

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[numpy.float32]:
        """One vector per text, in order."""
