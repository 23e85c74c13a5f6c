"""Models that read both texts together: each distinct pair is asked once, in batches of similar length."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from assay.bench.ask import long_input, plan
from assay.bench.ask.checks import call_model, checked
from assay.bench.ask.gathering import CaseTexts, decode_answer, encode_answer
from assay.bench.ask.rows import ALL, Share
from assay.bench.ask.store import Store
from assay.bench.shards import in_batches
from assay.bench.stages import Progress
from assay.core.errors import PartialAnswersError
from assay.core.prediction import Answer
from assay.core.protocols import Ready, TextModel, Texts
from assay.models.answering.batching import Batch, batches


class Window(NamedTuple):
    """Distinct pairs that are planned together."""

    keys: list[bytes]
    """Their keys in the store."""
    pairs: list[Texts]
    """The pairs."""
    known: set[bytes]
    """Those that are already answered."""
    ready: list[Ready]
    """All of them, prepared for the model; empty if all are answered."""
    cases: int
    """How many cases end with this window, repeated ones too."""


class Turn(NamedTuple):
    """A batch of a window, which is asked together."""

    window: Window
    """The window."""
    batch: Batch
    """Which of its pairs."""


class ByText:
    """Gathers one answer per pair."""

    def __init__(
        self,
        name: str,
        model: TextModel,
        store: Store,
        *,
        truncate: long_input.Truncate,
        scores: bool = True,
        window: int = plan.WINDOW,
    ) -> None:
        self.name = name
        self.model = model
        self.store = store
        self.truncate = truncate
        self.scores = scores
        self.window = window

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: Share = ALL) -> None:
        """Ask what is not cached yet. Tokenising is one window ahead of asking."""
        for window, batch in self._answered(self._turns(cases, progress, share)):
            share.done([window.keys[row] for row in batch.rows])
            progress(len(batch.rows))

    def _turns(self, cases: Iterable[CaseTexts], progress: Progress, share: Share) -> Iterator[Turn]:
        """What is asked, batch by batch; what is known, or not asked here, counts as done."""
        for number, window in enumerate(plan.ahead(self._windows(iter(cases), share))):
            progress(window.cases - (len(window.keys) if window.ready else 0))
            sizes = [each.size for each in window.ready]
            for turn, batch in enumerate(batches(sizes, self.model.budget) if sizes else (), number):
                if share.owns(turn):
                    yield Turn(window, batch)
                else:
                    progress(len(batch.rows))

    def _answered(self, turns: Iterator[Turn]) -> Iterator[Turn]:
        """The same, each once its answers are stored."""
        for turn in turns:
            self._ask(*turn)
            yield turn

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The cached answers."""
        return [decode_answer(data) for data in self.store.recall([plan.pair_key(pair) for pair in pairs])]

    def _windows(self, cases: Iterator[CaseTexts], share: Share) -> Iterator[Window]:
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
        """Each case with its key, and whether it is the first to ask this."""
        for chunk in in_batches(cases, 1024):
            keys = [plan.pair_key(asked.texts) for asked in chunk]
            yield from zip(chunk, keys, self.store.first_time(keys), strict=True)

    def _window(self, fresh: dict[bytes, CaseTexts], met: int, rest: Iterator[CaseTexts], share: Share) -> Window:
        keys = list(fresh)
        known = self.store.known(keys)
        if len(known) == len(keys) and share.is_whole:  # a shard needs the batches even if all is known
            return Window(keys, [], known, [], met)
        pairs = [asked.texts for asked in fresh.values()]
        ready = self._ready(pairs)
        if self.truncate == "error" and any(each.truncated for each in ready):
            long_input.refuse(self.name, self.too_long(chain(fresh.values(), rest)))
        if strange := [asked for asked, each in zip(fresh.values(), ready, strict=True) if not each.fits]:
            long_input.refuse_hypothesis(self.name, strange[0])
        return Window(keys, pairs, known, ready, met)

    def too_long(self, cases: Iterable[CaseTexts]) -> Iterator[CaseTexts]:
        """The cases that are too long for the model."""
        for chunk in in_batches(cases, 1024):
            ready = self._ready([asked.texts for asked in chunk])
            yield from (asked for asked, each in zip(chunk, ready, strict=True) if each.truncated)

    def _ready(self, pairs: list[Texts]) -> list[Ready]:
        return call_model(self.name, lambda: self.model.ready(pairs))

    def _ask(self, window: Window, batch: Batch) -> None:
        """Ask the unknown pairs of a batch, at the width of the whole batch; cache all answers at once."""
        rows = [row for row in batch.rows if window.keys[row] not in window.known]
        if not rows:
            return
        ready = [window.ready[row] for row in rows]
        keys = [window.keys[row] for row in rows]
        try:
            said = call_model(self.name, lambda: self.model.answer(ready, width=batch.width))
            answers = checked(self.name, said, len(rows), scores=self.scores)
        except PartialAnswersError as error:
            self._keep(keys, error.answers)
            raise
        self._keep(keys, answers)

    def _keep(self, keys: list[bytes], answers: Sequence[Answer]) -> None:
        self.store.put((key, encode_answer(answer)) for key, answer in zip(keys, answers, strict=False))
