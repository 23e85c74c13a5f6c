"""Models that read both texts together: each distinct pair runs once, in batches of similar length."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from assay.core.case import Answer
from assay.core.errors import PartialAnswersError
from assay.core.protocols import Ready, TextModel, Texts
from assay.models.adapters.pair_tokens import Batch, batches
from assay.run.predict import answer_gathering
from assay.run.predict.answer_gathering import (
    CaseTexts,
    call_model,
    check_answers,
    encode_answer,
    refuse,
    refuse_hypothesis,
)
from assay.run.predict.model_names import keep_open
from assay.run.predict.predict_options import PredictOptions
from assay.run.workers.pool import Progress, WorkerPool, in_batches
from assay.storage.answer_cache import ALL, AnswerCache, BatchShare


class PairWindow(NamedTuple):
    """Distinct pairs that are planned together."""

    keys: list[bytes]
    pairs: list[Texts]
    known: set[bytes]
    ready: list[Ready]
    """All pairs, prepared for the model; empty if every pair is already answered."""
    cases: int
    """Number of cases that end with this window, repeated ones too."""


class PlannedBatch(NamedTuple):
    """A batch of a window."""

    window: PairWindow
    batch: Batch


class PairStrategy(answer_gathering.PairAnswers):
    """Gathers one answer per pair."""

    def __init__(
        self,
        name: str,
        model: TextModel,
        store: AnswerCache,
        how: PredictOptions = PredictOptions(),  # noqa: B008 - it is immutable
        *,
        window: int = answer_gathering.WINDOW,
    ) -> None:
        self.name = name
        self.model = model
        self.store = store
        self.how = how
        self.window = window
        self._seen: dict[bytes, Ready] = {}
        """Tokens of the first pairs from a look at their lengths, so that they are not made twice."""

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: BatchShare = ALL) -> None:
        """Ask what is not cached yet. Tokenising is one window ahead of the model."""
        for window, batch in self._answered(self._turns(cases, progress, share)):
            share.done([window.keys[row] for row in batch.rows])
            progress(len(batch.rows))

    def _turns(self, cases: Iterable[CaseTexts], progress: Progress, share: BatchShare) -> Iterator[PlannedBatch]:
        """The planned batches; pairs that are cached, or belong to another shard, count as done."""
        for number, window in enumerate(answer_gathering.ahead(self._windows(iter(cases), share))):
            progress(window.cases - (len(window.keys) if window.ready else 0))
            sizes = [each.size for each in window.ready]
            for turn, batch in enumerate(batches(sizes, self.model.budget) if sizes else (), number):
                if share.owns(turn):
                    yield PlannedBatch(window, batch)
                else:
                    progress(len(batch.rows))

    def _answered(self, turns: Iterator[PlannedBatch]) -> Iterator[PlannedBatch]:
        """The same, each once its answers are stored."""
        for turn in turns:
            self._ask(*turn)
            yield turn

    def _windows(self, cases: Iterator[CaseTexts], share: BatchShare) -> Iterator[PairWindow]:
        fresh: dict[bytes, CaseTexts] = {}
        met = 0
        stream = self._met(cases)
        for asked, key, first in stream:
            met += 1
            if first:
                fresh[key] = asked
            if len(fresh) == self.window:
                yield self._window(fresh, met, (asked for asked, _, _ in stream), share)
                fresh, met = {}, 0
        if met:
            yield self._window(fresh, met, iter(()), share)

    def _met(self, cases: Iterator[CaseTexts]) -> Iterator[tuple[CaseTexts, bytes, bool]]:
        """Each case with its key, and whether its texts are new."""
        for chunk in in_batches(cases, 1024):
            keys = [answer_gathering.pair_key(asked.texts) for asked in chunk]
            yield from zip(chunk, keys, self.store.first_time(keys), strict=True)

    def _window(
        self, fresh: dict[bytes, CaseTexts], met: int, rest: Iterator[CaseTexts], share: BatchShare
    ) -> PairWindow:
        keys = list(fresh)
        known = self.store.known(keys)
        if len(known) == len(keys) and share.is_whole:  # a shard needs the batches even if all is known
            return PairWindow(keys, [], known, [], met)
        pairs = [asked.texts for asked in fresh.values()]
        seen, self._seen = self._seen, {}
        ready = [seen[key] for key in keys] if seen.keys() >= fresh.keys() else self._ready(pairs)
        if self.how.truncate == "error" and any(each.truncated for each in ready):
            refuse(self.name, self.too_long(chain(fresh.values(), rest)))
        if strange := [asked for asked, each in zip(fresh.values(), ready, strict=True) if not each.fits]:
            refuse_hypothesis(self.name, strange[0])
        return PairWindow(keys, pairs, known, ready, met)

    def too_long(self, cases: Iterable[CaseTexts]) -> Iterator[CaseTexts]:
        """The cases that are too long for the model."""
        for chunk in in_batches(cases, 1024):
            ready = self._ready([asked.texts for asked in chunk])
            if len(self._seen) < self.window:
                keys = (answer_gathering.pair_key(asked.texts) for asked in chunk)
                self._seen.update(zip(keys, ready, strict=True))
            yield from (asked for asked, each in zip(chunk, ready, strict=True) if each.truncated)

    def _ready(self, pairs: list[Texts]) -> list[Ready]:
        return call_model(self.name, lambda: self.model.ready(pairs))

    def _ask(self, window: PairWindow, batch: Batch) -> None:
        """Ask the unknown pairs of a batch, at the width of the whole batch; cache all answers at once."""
        rows = [row for row in batch.rows if window.keys[row] not in window.known]
        if not rows:
            return
        ready = [window.ready[row] for row in rows]
        keys = [window.keys[row] for row in rows]
        try:
            said = call_model(self.name, lambda: self.model.answer(ready, width=batch.width))
            answers = check_answers(self.name, said, len(rows), scores=self.how.scores)
        except PartialAnswersError as error:
            self._keep(keys, error.answers)
            raise
        self._keep(keys, answers)

    def _keep(self, keys: list[bytes], answers: Sequence[Answer]) -> None:
        self.store.put((key, encode_answer(answer)) for key, answer in zip(keys, answers, strict=False))


class RemotePairStrategy(PairStrategy):
    """Plans batches here, and has workers answer them; answers are stored here, in the order of the plan."""

    def __init__(
        self,
        name: str,
        model: TextModel,
        store: AnswerCache,
        how: PredictOptions,
        pool: WorkerPool,
    ) -> None:
        super().__init__(name, model, store, how)
        self._pool = pool
        self._names = tuple(sorted(how.names.items()))

    def _answered(self, turns: Iterator[PlannedBatch]) -> Iterator[PlannedBatch]:
        under_way: deque[tuple[PlannedBatch, list[int], Future[list[bytes]] | None]] = deque()
        for turn in turns:
            rows = [row for row in turn.batch.rows if turn.window.keys[row] not in turn.window.known]
            asked = [turn.window.pairs[row] for row in rows]
            sent = (self.name, self._names, asked, turn.batch.width, self.how.scores)
            under_way.append((turn, rows, self._pool.executor.submit(answer_texts, *sent) if rows else None))
            if len(under_way) >= self._pool.window:
                yield self._kept(*under_way.popleft())
        while under_way:
            yield self._kept(*under_way.popleft())

    def _kept(self, turn: PlannedBatch, rows: list[int], answers: Future[list[bytes]] | None) -> PlannedBatch:
        if answers:
            self.store.put(zip((turn.window.keys[row] for row in rows), answers.result(), strict=True))
        return turn


def answer_texts(
    name: str, names: tuple[tuple[str, str], ...], pairs: Sequence[Texts], width: int, scores: bool
) -> list[bytes]:
    """The answers of a model to pairs, as they are stored; runs in a worker."""
    model = _model(name, names)
    ready = call_model(name, lambda: model.ready(pairs))
    said = call_model(name, lambda: model.answer(ready, width=width))
    return [encode_answer(answer) for answer in check_answers(name, said, len(pairs), scores=scores)]


@lru_cache(maxsize=1)
def _model(name: str, names: tuple[tuple[str, str], ...]) -> Any:
    """The model, which stays open for as long as the worker has no other one."""
    return ExitStack().enter_context(keep_open(name, None, dict(names)))
