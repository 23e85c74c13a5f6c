"""Models that encode each text separately: each distinct text is encoded once, over all suites."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import Answer
from assay.core.errors import ModelError
from assay.core.protocols import Ready, SentenceModel, Texts
from assay.models.adapters.pair_tokens import Batch, batches
from assay.run.predict import answer_gathering
from assay.run.predict.answer_gathering import Truncate, call_model, check_answers, refuse
from assay.run.workers.pool import Progress, in_batches
from assay.storage.answer_cache import ALL, AnswerCache, BatchShare

if TYPE_CHECKING:
    from assay.models.text_encoders import TextEncoder

HELD = 8_192
"""Number of vectors that stay in memory: cases of one source pair are next to each other and share texts."""


class TextWindow(NamedTuple):
    """Distinct texts that are planned together."""

    keys: list[bytes]
    known: set[bytes]
    """Keys of the sentences whose vectors are already cached."""
    ready: list[Ready]
    """All sentences, prepared for the model; empty if every vector is already cached."""
    cases: int


class Vector(NamedTuple):
    """A text as the model sees it."""

    values: NDArray[np.float32]
    """(dimensions,)"""
    truncated: bool


class HasTexts(Protocol):
    """A case, or a row of a task."""

    @property
    def id(self) -> str: ...

    @property
    def texts(self) -> Sequence[str]: ...


A = TypeVar("A", bound=HasTexts)


class VectorStrategy:
    """Gathers one vector per text."""

    def __init__(
        self,
        name: str,
        model: "TextEncoder",
        store: AnswerCache,
        *,
        truncate: Truncate,
        window: int = answer_gathering.WINDOW,
    ) -> None:
        self.name = name
        self.model = model
        self.store = store
        self.truncate = truncate
        self.window = window
        self._held: OrderedDict[bytes, Vector] = OrderedDict()

    def gather(self, cases: Iterable[HasTexts], progress: Progress, share: BatchShare = ALL) -> None:
        """Encode what is not cached yet. Tokenising is one window ahead of encoding."""
        for number, window in enumerate(answer_gathering.ahead(self._windows(iter(cases), share))):
            told = 0
            for turn, batch in enumerate(batches([each.size for each in window.ready], self.model.budget), number):
                if share.owns(turn):
                    self._encode(window, batch)
                    share.done([window.keys[row] for row in batch.rows])
                cases_done = window.cases * len(batch.rows) // len(window.ready)
                progress(cases_done)
                told += cases_done
            progress(window.cases - told)

    def is_complete(self, cases: Iterable[HasTexts]) -> bool:
        """True if all vectors are cached."""
        batches = (
            {text for case in batch for text in case.texts} for batch in in_batches(cases, answer_gathering.AT_ONCE)
        )
        keys = ({*map(answer_gathering.key_of, texts)} for texts in batches)
        return all(self.store.known([*some]) == some for some in keys)

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """The cached vectors of these texts."""
        keys = [answer_gathering.key_of(text) for text in texts]
        found = {key: self._held[key] for key in keys if key in self._held}
        wanted = list({*keys} - found.keys())
        for key, data in zip(wanted, self.store.recall(wanted), strict=True):
            found[key] = Vector(np.frombuffer(data, dtype=np.float32, offset=1), bool(data[0]))
        for key in found:
            self._held[key] = found[key]
            self._held.move_to_end(key)
        while len(self._held) > HELD:
            self._held.popitem(last=False)
        return [found[key] for key in keys]

    def _windows(self, cases: Iterator[HasTexts], share: BatchShare) -> Iterator[TextWindow]:
        for chunk in in_batches(cases, self.window // 2):
            texts = dict.fromkeys(text for asked in chunk for text in asked.texts)
            keys = [answer_gathering.key_of(text) for text in texts]
            fresh = [
                (key, text) for key, text, first in zip(keys, texts, self.store.first_time(keys), strict=True) if first
            ]
            keys, left = [key for key, _ in fresh], [text for _, text in fresh]
            known = self.store.known(keys)
            needed = len(known) < len(keys) or not share.is_whole  # a shard needs the batches even if all is known
            ready = call_model(self.name, partial(self.model.ready_texts, left)) if needed else []
            if self.truncate == "error" and any(each.truncated for each in ready):
                refuse(self.name, self.too_long(chain(chunk, cases)))
            yield TextWindow(keys, known, ready, len(chunk))

    def too_long(self, cases: Iterable[A]) -> Iterator[A]:
        """Those with a text that is too long for the model."""
        for chunk in in_batches(cases, self.window // 2):
            texts = list({text for asked in chunk for text in asked.texts})
            ready = call_model(self.name, partial(self.model.ready_texts, texts))
            cut = {text for text, each in zip(texts, ready, strict=True) if each.truncated}
            yield from (asked for asked in chunk if cut & set(asked.texts))

    def _encode(self, window: TextWindow, batch: Batch) -> None:
        """Encode the unknown texts of a batch, at the width of the whole batch; cache all vectors at once."""
        rows = [row for row in batch.rows if window.keys[row] not in window.known]
        if not rows:
            return
        ready = [window.ready[row] for row in rows]
        made = call_model(self.name, lambda: self.model.encode(ready, width=batch.width))
        vectors = np.ascontiguousarray(made, dtype=np.float32)  # (texts, dimensions)
        if vectors.ndim != 2 or len(vectors) != len(rows):
            raise ModelError(f"{self.name} gave vectors of shape {vectors.shape} for {len(rows)} texts.")
        if not np.isfinite(vectors).all():
            raise ModelError(f"{self.name} gave a vector that contains NaN or infinity.")
        self.store.put(
            (window.keys[row], bytes([each.truncated]) + vector.tobytes())
            for row, each, vector in zip(rows, ready, vectors, strict=True)
        )


class SentenceStrategy(VectorStrategy):
    """Makes answers from two vectors when they are needed."""

    model: SentenceModel

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """Answers from two vectors each."""
        premises = self.vectors([pair.premise for pair in pairs])
        hypotheses = self.vectors([pair.hypothesis for pair in pairs])
        sides = [np.stack([vector.values for vector in side]) for side in (premises, hypotheses)]  # (pairs, dimensions)
        answers = check_answers(self.name, call_model(self.name, lambda: self.model.judge(*sides)), len(pairs))
        return [
            msgspec.structs.replace(answer, truncated=True) if one.truncated or two.truncated else answer
            for answer, one, two in zip(answers, premises, hypotheses, strict=True)
        ]
