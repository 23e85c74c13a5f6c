"""Models that read both texts together, asked by workers that are far away: each opens the model once, by its name."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import lru_cache
from typing import Any

from assay.bench.ask import long_input
from assay.bench.ask.by_text import ByText, Turn
from assay.bench.ask.checks import call_model, checked
from assay.bench.ask.gathering import encode_answer
from assay.bench.ask.opening import opened
from assay.bench.ask.store import Store
from assay.bench.shards import Crew
from assay.core.protocols import TextModel, Texts


class ByTextFar(ByText):
    """Plans batches here, and has workers answer them; answers are stored here, in the order of the plan."""

    def __init__(
        self,
        name: str,
        model: TextModel,
        store: Store,
        *,
        crew: Crew,
        names: Mapping[str, str],
        truncate: long_input.Truncate,
        scores: bool = True,
    ) -> None:
        super().__init__(name, model, store, truncate=truncate, scores=scores)
        self._crew = crew
        self._names = tuple(sorted(names.items()))

    def _answered(self, turns: Iterator[Turn]) -> Iterator[Turn]:
        under_way: deque[tuple[Turn, list[int], Future[list[bytes]] | None]] = deque()
        for turn in turns:
            rows = [row for row in turn.batch.rows if turn.window.keys[row] not in turn.window.known]
            asked = [turn.window.pairs[row] for row in rows]
            sent = (self.name, self._names, asked, turn.batch.width, self.scores)
            under_way.append((turn, rows, self._crew.executor.submit(answer_texts, *sent) if rows else None))
            if len(under_way) >= self._crew.window:
                yield self._kept(*under_way.popleft())
        while under_way:
            yield self._kept(*under_way.popleft())

    def _kept(self, turn: Turn, rows: list[int], answers: Future[list[bytes]] | None) -> Turn:
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
    return [encode_answer(answer) for answer in checked(name, said, len(pairs), scores=scores)]


@lru_cache(maxsize=1)
def _model(name: str, names: tuple[tuple[str, str], ...]) -> Any:
    """The model, which stays open for as long as the worker has no other one."""
    return ExitStack().enter_context(opened(name, None, dict(names)))
