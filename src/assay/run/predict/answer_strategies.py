"""Running models on texts: each distinct pair or text once, as batches or calls, and every answer cached."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import Answer
from assay.core.errors import ModelError, PartialAnswersError
from assay.core.protocols import Cost, Ready, Texts
from assay.core.registry import option
from assay.models.adapters.pair_tokens import Batch, batches
from assay.run.predict.answer_checks import CaseTexts, call_model, check_answers, refuse, refuse_hypothesis
from assay.run.predict.model_names import keep_open
from assay.run.predict.predict_options import PredictOptions
from assay.run.workers.pool import Progress, WorkerPool, ahead, every, finish_as_ready, finish_in_order, in_batches
from assay.storage.answer_cache import AnswerCache

T = TypeVar("T")

AT_ONCE = 512  # number of answers that are looked up, or written, at a time
WINDOW = 16_384  # distinct pairs that are sorted together, into batches of equal length; more are never in memory
HELD = 8_192  # number of vectors that stay in memory: cases of one source pair are next to each other and share texts
Done = Callable[[Sequence[bytes]], None]  # called with the keys of a batch whose answers are cached
encode_answer = msgspec.msgpack.Encoder().encode
decode_answer = msgspec.msgpack.Decoder(Answer).decode


def key_of(*texts: str) -> bytes:
    """A short name for texts.

    >>> key_of("a", "bc") == key_of("ab", "c")
    False
    """
    hashed = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode()
        hashed.update(b"%d:" % len(data))
        hashed.update(data)
    return hashed.digest()


def _ignore(_keys: Sequence[bytes]) -> None:
    pass


class AnswerStrategy:
    """Puts a model's answers into the cache, and reads them back.

    Premises that are split are run window by window; the windows' answers are combined when they are read.
    """

    def __init__(
        self,
        name: str,
        model: Any,
        store: AnswerCache,
        how: PredictOptions = PredictOptions(),  # noqa: B008 - it is immutable
    ) -> None:
        self.name = name
        self.model = model
        self.store = store
        self.how = how

    def gather(
        self, cases: Iterable[Any], progress: Progress, *, owns: Callable[[int], bool] = every, done: Done = _ignore
    ) -> None:
        """Run the model on what is not cached yet. The cases can be iterated over more than once.

        A shard `owns` some batches, by number, and `done` is called with the keys of each that is finished.
        """
        raise NotImplementedError

    def items_of(self, case: Any) -> Sequence[tuple[str, ...]]:
        """The items that the model is run on for a case, and their cache keys: the pair of texts, or each text."""
        return [case.texts]

    def is_complete(self, cases: Iterable[Any]) -> bool:
        """True if all answers are cached."""
        chunks = in_batches(self.split(cases), AT_ONCE)
        needed = ({key_of(*item) for case, _ in chunk for item in self.items_of(case)} for chunk in chunks)
        return all(self.store.known([*keys]) == keys for keys in needed)

    def too_long(self, cases: Iterable[Any]) -> Iterator[Any]:  # noqa: ARG002 - of an endpoint, only the server knows
        """The cases whose premises would be cut off, as far as that is known."""
        return iter(())

    def recall(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The answers to pairs that were gathered."""
        windows = self.how.windows
        if windows is None:
            return self.recall_whole(pairs)
        split = [windows.split(pair.premise) for pair in pairs]
        parts = [Texts(part, pair.hypothesis) for pair, some in zip(pairs, split, strict=True) for part in some]
        answers = iter(self.recall_whole(parts))
        return [windows.together([next(answers) for _ in some]) for some in split]

    def recall_whole(self, pairs: Sequence[Texts]) -> list[Answer]:
        """The cached answers to pairs that are not split."""
        return [decode_answer(data) for data in self.store.recall([key_of(*pair) for pair in pairs])]

    def split(self, cases: Iterable[Any]) -> Iterator[tuple[Any, int]]:
        """Each window as a case of its own, and how many cases end with it: 1 for the last one, otherwise 0."""
        if self.how.windows is None:
            yield from ((case, 1) for case in cases)
            return
        for case in cases:
            *others, last = self.how.windows.split(case.premise)
            for premise in others:
                yield CaseTexts(case.id, premise, case.hypothesis, case.family), 0
            yield CaseTexts(case.id, last, case.hypothesis, case.family), 1


class TextWindow(NamedTuple):
    """Distinct pairs or texts that are planned together."""

    keys: list[bytes]
    items: list[Any]
    known: set[bytes]  # keys of the cached items
    ready: list[Ready]  # all items, prepared for the model; empty if all are cached
    cases: int  # number of cases that end with this window, repeated ones too

    def missing(self, batch: Batch) -> list[int]:
        """The rows of a batch that are not cached."""
        return [row for row in batch.rows if self.keys[row] not in self.known]

    def cases_in(self, batch: Batch) -> int:
        """The number of cases that a batch answers, for progress."""
        return self.cases * len(batch.rows) // len(self.ready)


class BatchStrategy(AnswerStrategy):
    """Runs a model on distinct items, in batches of similar length. Preparing is one window ahead of the model."""

    def __init__(
        self,
        name: str,
        model: Any,
        store: AnswerCache,
        how: PredictOptions = PredictOptions(),  # noqa: B008 - it is immutable
        *,
        window: int = WINDOW,
    ) -> None:
        super().__init__(name, model, store, how)
        self.window = window
        self._seen: dict[bytes, Ready] = {}  # the first items, prepared for a look at their lengths

    def is_full(self, items: int, cases: int) -> bool:  # noqa: ARG002 - repeated pairs cost nothing
        """True if a window with this many distinct items and cases is complete."""
        return items == self.window

    def prepare(self, items: Sequence[Any]) -> list[Ready]:
        """Items as the model takes them."""
        return call_model(self.name, lambda: self.model.ready(items))

    def run_batch(self, keys: Sequence[bytes], ready: Sequence[Ready], width: int) -> None:
        """Run the model, and cache the results all at once."""
        raise NotImplementedError

    def gather(
        self, cases: Iterable[Any], progress: Progress, *, owns: Callable[[int], bool] = every, done: Done = _ignore
    ) -> None:
        for window, batch in self.run_batches(self._plan(cases, progress, owns)):
            done([window.keys[row] for row in batch.rows])
            progress(window.cases_in(batch))

    def run_batches(self, planned: Iterator[tuple[TextWindow, Batch]]) -> Iterator[tuple[TextWindow, Batch]]:
        """The same batches, each after its results are cached. Missing ones are computed at the width of the batch."""
        for window, batch in planned:
            if rows := window.missing(batch):
                self.run_batch([window.keys[row] for row in rows], [window.ready[row] for row in rows], batch.width)
            yield window, batch

    def too_long(self, cases: Iterable[Any]) -> Iterator[Any]:
        last = ""
        for chunk in in_batches((case for case, _ in self.split(cases)), 1024):
            items = {key_of(*item): item for case in chunk for item in self.items_of(case)}
            ready = dict(zip(items, self.prepare([*items.values()]), strict=True))
            if len(self._seen) < self.window:
                self._seen.update(ready)
            for case in chunk:
                if case.id != last and any(ready[key_of(*item)].truncated for item in self.items_of(case)):
                    last = case.id
                    yield case

    def _plan(
        self, cases: Iterable[Any], progress: Progress, owns: Callable[[int], bool]
    ) -> Iterator[tuple[TextWindow, Batch]]:
        """The batches to run; cases without one, and those of another shard, count as done."""
        windows = ahead(self._windows(self.split(cases), is_whole=owns is every))
        for number, window in enumerate(windows):
            planned = batches([each.size for each in window.ready], self.model.budget)
            progress(window.cases - sum(map(window.cases_in, planned)))
            for turn, batch in enumerate(planned, number):
                if owns(turn):
                    yield window, batch
                else:
                    progress(window.cases_in(batch))

    def _windows(self, cases: Iterator[tuple[Any, int]], *, is_whole: bool) -> Iterator[TextWindow]:
        fresh: dict[bytes, tuple[Any, Any]] = {}
        held: list[Any] = []
        ended = 0
        stream = self._first_met(cases)
        for case, ends, new in stream:
            held.append(case)
            ended += ends
            fresh.update((key, (item, case)) for key, item in new)
            if self.is_full(len(fresh), len(held)):
                rest = (case for case, _, _ in stream)
                yield self._window(fresh, ended, chain(held, rest), is_whole=is_whole)
                fresh, held, ended = {}, [], 0
        if held:
            yield self._window(fresh, ended, held, is_whole=is_whole)

    def _first_met(self, cases: Iterator[tuple[Any, int]]) -> Iterator[tuple[Any, int, list[tuple[bytes, Any]]]]:
        """Each case with its keys and items that no case before it had."""
        for chunk in in_batches(cases, 1024):
            keyed = [[(key_of(*item), item) for item in self.items_of(case)] for case, _ in chunk]
            is_first = iter(self.store.first_time([key for some in keyed for key, _ in some]))
            for (case, ends), some in zip(chunk, keyed, strict=True):
                yield case, ends, [each for each in some if next(is_first)]

    def _window(
        self, fresh: dict[bytes, tuple[Any, Any]], ended: int, cases: Iterable[Any], *, is_whole: bool
    ) -> TextWindow:
        """The window that holds these items; `cases` are the window's own cases and all later ones."""
        keys, items = [*fresh], [item for item, _ in fresh.values()]
        known = self.store.known(keys)
        if len(known) == len(keys) and is_whole:  # a shard needs the batches even if all is known
            return TextWindow(keys, items, known, [], ended)
        seen, self._seen = self._seen, {}
        ready = [seen[key] for key in keys] if seen.keys() >= fresh.keys() else self.prepare(items)
        if self.how.truncate == "error" and any(each.truncated for each in ready):
            refuse(self.name, self.too_long(cases))
        for (_, case), each in zip(fresh.values(), ready, strict=True):
            if not each.fits:
                refuse_hypothesis(self.name, case)
        return TextWindow(keys, items, known, ready, ended)


class PairStrategy(BatchStrategy):
    """For models that read both texts together: one answer per distinct pair.

    With a `pool`, batches are planned here and run by its workers, which open the model by its name.
    """

    pool: WorkerPool | None = None

    def run_batch(self, keys: Sequence[bytes], ready: Sequence[Ready], width: int) -> None:
        try:
            said = call_model(self.name, lambda: self.model.answer(ready, width=width))
            answers = check_answers(self.name, said, len(ready), scores=self.how.scores)
        except PartialAnswersError as error:
            self.store.put(zip(keys, map(encode_answer, error.answers), strict=False))
            raise
        self.store.put(zip(keys, map(encode_answer, answers), strict=True))

    def run_batches(self, planned: Iterator[tuple[TextWindow, Batch]]) -> Iterator[tuple[TextWindow, Batch]]:
        if self.pool is None:
            yield from super().run_batches(planned)
            return
        for (window, batch), answers in finish_in_order(self._send(planned, self.pool), self.pool.window):
            if answers:
                self.store.put(zip((window.keys[row] for row in window.missing(batch)), answers.result(), strict=True))
            yield window, batch

    def _send(
        self, planned: Iterator[tuple[TextWindow, Batch]], pool: WorkerPool
    ) -> Iterator[tuple[tuple[TextWindow, Batch], Future[list[bytes]] | None]]:
        """The batches with the answers that workers computed; empty for a cached batch."""
        names = tuple(sorted(self.how.names.items()))
        for window, batch in planned:
            pairs = [window.items[row] for row in window.missing(batch)]
            sent = (self.name, names, pairs, batch.width, self.how.scores)
            yield (window, batch), pool.executor.submit(answer_texts, *sent) if pairs else None


def answer_texts(
    name: str, names: tuple[tuple[str, str], ...], pairs: Sequence[Texts], width: int, scores: bool
) -> list[bytes]:
    """The answers of a model to pairs, as they are stored; runs in a worker."""
    model = _open_once(name, names)
    ready = call_model(name, lambda: model.ready(pairs))
    said = call_model(name, lambda: model.answer(ready, width=width))
    return [encode_answer(answer) for answer in check_answers(name, said, len(pairs), scores=scores)]


@lru_cache(maxsize=1)
def _open_once(name: str, names: tuple[tuple[str, str], ...]) -> Any:
    """The model, which stays open for as long as the worker has no other one."""
    return ExitStack().enter_context(keep_open(name, None, dict(names)))


class Vector(NamedTuple):
    """A text as the model sees it."""

    values: NDArray[np.float32]
    """(dimensions,)"""
    truncated: bool


class VectorStrategy(BatchStrategy):
    """For encoders: one vector per distinct text."""

    @cached_property
    def _held(self) -> OrderedDict[bytes, Vector]:
        return OrderedDict()

    def items_of(self, case: Any) -> Sequence[tuple[str, ...]]:
        return [(text,) for text in case.texts]

    def is_full(self, items: int, cases: int) -> bool:  # noqa: ARG002 - it depends on the suites, not on the cache
        return cases == self.window // 2

    def prepare(self, items: Sequence[Any]) -> list[Ready]:
        return call_model(self.name, lambda: self.model.ready_texts([text for (text,) in items]))

    def run_batch(self, keys: Sequence[bytes], ready: Sequence[Ready], width: int) -> None:
        made = call_model(self.name, lambda: self.model.encode(ready, width=width))
        vectors = np.ascontiguousarray(made, dtype=np.float32)  # (texts, dimensions)
        if vectors.ndim != 2 or len(vectors) != len(ready):
            raise ModelError(f"{self.name} gave vectors of shape {vectors.shape} for {len(ready)} texts.")
        if not np.isfinite(vectors).all():
            raise ModelError(f"{self.name} gave a vector that contains NaN or infinity.")
        marks = (bytes([each.truncated]) for each in ready)
        self.store.put((key, mark + vector.tobytes()) for key, mark, vector in zip(keys, marks, vectors, strict=True))

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """The cached vectors of these texts."""
        held, keys = self._held, [key_of(text) for text in texts]
        found = {key: held[key] for key in keys if key in held}
        wanted = list({*keys} - found.keys())
        for key, data in zip(wanted, self.store.recall(wanted), strict=True):
            found[key] = Vector(np.frombuffer(data, dtype=np.float32, offset=1), bool(data[0]))
        for key in found:
            held[key] = found[key]
            held.move_to_end(key)
        while len(held) > HELD:
            held.popitem(last=False)
        return [found[key] for key in keys]


class SentenceStrategy(VectorStrategy):
    """For models that encode each text separately: answers are made from two vectors when they are needed."""

    def recall_whole(self, pairs: Sequence[Texts]) -> list[Answer]:
        premises = self.vectors([pair.premise for pair in pairs])
        hypotheses = self.vectors([pair.hypothesis for pair in pairs])
        sides = [np.stack([vector.values for vector in side]) for side in (premises, hypotheses)]  # (pairs, dimensions)
        answers = check_answers(self.name, call_model(self.name, lambda: self.model.judge(*sides)), len(pairs))
        return [
            msgspec.structs.replace(answer, truncated=True) if one.truncated or two.truncated else answer
            for answer, one, two in zip(answers, premises, hypotheses, strict=True)
        ]


class EndpointStrategy(AnswerStrategy):
    """For models behind a network: each distinct pair is one call, and several are made at a time."""

    def gather(
        self, cases: Iterable[Any], progress: Progress, *, owns: Callable[[int], bool] = every, done: Done = _ignore
    ) -> None:
        """Report the cost, then send what is not cached yet.

        The first call is made alone, so that an endpoint that can't be reached costs one failure. After an error
        no new call starts, but answers to open calls are cached.
        """
        cost = self.cost(cases, owns)
        if cost.calls:
            self.how.tell(cost.text)
            self.how.budget.check(self.name, self.model, cost)
        left = self._left(cases, progress, owns)
        with ThreadPoolExecutor(self.model.concurrency) as threads:

            def start(asked: tuple[bytes, Any, int]) -> Future[None]:
                return threads.submit(self._call, asked)

            for (_, _, ends), call in chain(
                finish_as_ready(start, islice(left, 1), 1), finish_as_ready(start, left, self.model.concurrency)
            ):
                call.result()
                self.how.budget.check_spent(self.name, self.model)
                progress(ends)
        if owns is not every:
            for chunk in in_batches(self._owned(cases, owns), 256):
                done([key for key, _, _ in chunk])

    def cost(self, cases: Iterable[Any], owns: Callable[[int], bool] = every) -> Cost:
        """The cost of the answers that are not cached yet."""
        cost: Cost = self.model.estimate(case.texts for _, case, _ in self._left(cases, lambda _: None, owns))
        self.store.forget_met()
        if not cost.calls:
            way = option("cache", False)
            return cost._replace(text=f"{self.name}: 0 calls, because all answers are stored; {way} repeats the calls.")
        return cost

    def _owned(self, cases: Iterable[Any], owns: Callable[[int], bool]) -> Iterator[tuple[bytes, Any, int]]:
        """For each case or window that a shard owns: its key, the case, and how many cases end with it."""
        for case, ends in self.split(cases):
            key = key_of(*case.texts)
            if owns(int.from_bytes(key, "little")):
                yield key, case, ends

    def _left(
        self, cases: Iterable[Any], progress: Progress, owns: Callable[[int], bool]
    ) -> Iterator[tuple[bytes, Any, int]]:
        """The pairs without a cached answer, each once."""
        for chunk in in_batches(self._owned(cases, owns), 256):
            keys = [key for key, _, _ in chunk]
            known = self.store.known(keys)
            for each, first in zip(chunk, self.store.first_time(keys), strict=True):
                if first and each[0] not in known:
                    yield each
                else:
                    progress(each[2])

    def _call(self, asked: tuple[bytes, Any, int]) -> None:
        """Answer a pair, and cache the answer as soon as it is there."""
        key, case, _ = asked
        answer = call_model(self.name, lambda: self.model.answer_one(case.texts))
        (checked,) = check_answers(self.name, [answer], 1, scores=self.how.scores)
        self.store.put([(key, encode_answer(checked))])
