"""One progress for a whole run: each step takes an expected share of the time, which gives the time left."""

from collections.abc import Iterator
from contextlib import contextmanager

from assay.core.registry import split_alias
from assay.core.run_record import FromCorpus, FromPairs, RunSpec
from assay.run.predict.model_names import OWN, is_reference_model
from assay.run.workers.pool import PARTS, WHOLE, Progress, Stage

FROM_PAIRS, FROM_TEMPLATES = 1.5, 0.2
"""Milliseconds to build a suite for each case of a default run, from pairs and from templates."""

PACES = {"esim": 1.6, "kim": 3.3, "hypothesis-only": 0.5}
"""Milliseconds per case of models that come with Assay. Only the proportions matter, on any machine."""

TRANSFORMER, BASELINE = 8.0, 0.1
"""Milliseconds per case of any other model, and of a baseline."""

MEASURING = 0.35
"""Milliseconds per case and model to measure and diagnose."""


class WholeRun:
    """The progress of all steps of a run together."""

    def __init__(self, spec: RunSpec, stage: Stage) -> None:
        self.building = [
            FROM_PAIRS if isinstance(each, FromCorpus | FromPairs) else FROM_TEMPLATES for each in spec.suites.values()
        ]
        self.running = {name: _pace(name) for name in spec.models}
        self.measuring = MEASURING * len(spec.models)
        self._all = sum(self.building) + sum(self.running.values()) + self.measuring
        self._stage = stage
        self._progress: Progress | None = None
        self._done = 0.0
        self._told = 0

    @contextmanager
    def steps(self, *costs: float) -> Iterator[Stage]:
        """A stage for steps with these expected costs; what is left of them afterwards counts as done."""
        end = self._done + sum(costs)
        left = list(costs)

        def stage(name: str, total: int | None) -> Progress:
            cost = left.pop(0) if left else 0.0
            self._tell(end - sum(left) - cost)
            begun, done, progress = self._done, 0, self._stage(name, total)

            def advance(more: int) -> None:
                nonlocal done
                done += more
                progress(more)
                if total:
                    self._tell(begun + cost * min(1.0, done / total))

            return advance

        yield stage
        self._tell(end)

    def _tell(self, done: float) -> None:
        if self._progress is None:  # not earlier: the thread of a progress bar would keep workers from being forked
            self._progress = self._stage(WHOLE, PARTS)
        self._done = max(self._done, done)
        parts = round(PARTS * self._done / self._all)
        if parts > self._told:
            self._progress(parts - self._told)
            self._told = parts


def _pace(model: str) -> float:
    kind, _, name = split_alias(model).model.partition(":")
    if kind != OWN:
        return TRANSFORMER
    known = PACES.get(name.partition("/")[0])
    return known or (BASELINE if is_reference_model(model) else TRANSFORMER)
