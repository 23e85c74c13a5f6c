"""Filling the store with a model's answers: by pair, by sentence, or by call, and reading them back."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from assay.bench.ask.store import Store
from assay.bench.stages import Progress
from assay.core.prediction import Answer
from assay.core.protocols import Endpoint, SentenceModel, TextModel, Texts

encode_answer = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode


class Asked(NamedTuple):
    """A case, as far as a model is concerned."""

    case: str
    """Its id."""
    texts: Texts
    """What is asked."""


class Gathering(Protocol):
    """A way to have a model's answers in the store, and to get them out again."""

    @property
    def model(self) -> TextModel | SentenceModel | Endpoint: ...

    @property
    def store(self) -> Store: ...

    def gather(self, cases: Iterable[Asked], progress: Progress) -> None:
        """Ask what is not kept yet. The cases can be looked through more than once."""

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The answers to pairs that were gathered."""
