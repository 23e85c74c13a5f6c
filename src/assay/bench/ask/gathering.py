"""Filling the store with a model's answers, by pair, by sentence or by call, and reading them back."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from assay.bench.ask.rows import ALL, Share
from assay.bench.ask.store import Store
from assay.bench.stages import Progress
from assay.core.prediction import Answer
from assay.core.protocols import Endpoint, SentenceModel, TextModel, Texts

encode_answer = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode


class CaseTexts(msgspec.Struct, frozen=True, gc=False):
    """A case, as a model sees it."""

    id: str
    """Its id."""
    premise: str
    """The text taken as true."""
    hypothesis: str
    """The text to be judged."""
    family: str = ""
    """The family of tests that it belongs to."""

    @property
    def texts(self) -> Texts:
        """What is asked."""
        return Texts(self.premise, self.hypothesis)


class Gathering(Protocol):
    """A way to put a model's answers into the store, and to read them back."""

    @property
    def model(self) -> TextModel | SentenceModel | Endpoint: ...

    @property
    def store(self) -> Store: ...

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: Share = ALL) -> None:
        """Ask what is not cached yet, or a share of it. The cases can be iterated over more than once."""

    def too_long(self, cases: Iterable[CaseTexts]) -> Iterable[CaseTexts]:
        """The cases with a premise that the model would not see the end of."""

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The answers to pairs that were gathered."""
