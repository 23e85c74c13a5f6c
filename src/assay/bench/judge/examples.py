"""The most telling failures of a run: a few cases a family and model, with what every model said to them."""

import hashlib
import heapq
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from assay.bench.stored import answers_of, suite_of
from assay.core import registry
from assay.core.case import ORIGINAL, Case
from assay.core.errors import BadInputError, UnknownNameError
from assay.core.example import Answered, Example
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.core.run import RunRecord
from assay.evaluate.accuracy import is_right
from assay.evaluate.collapse import summed

TWO_WAY = Label.NON_ENTAILMENT
"""A family that has this label knows only two."""

A_MODEL = 2
"""Examples of each family and model."""

KEPT = 12
"""Candidates from which they are chosen, so that they differ from each other."""

DIFFER = ("heuristic", "subcase", "category")
"""Groups of which examples should show several values."""


class Asked(NamedTuple):
    """A case, with what every model said to it and to its source pair."""

    case: Case
    """The case."""
    said: Mapping[str, Prediction]
    """By model."""
    source: Case | None
    """The source pair as a case; None where the case is one itself, or there is none."""
    before: Mapping[str, Prediction]
    """What was said to the source pair, by model."""
    held: frozenset[str]
    """The models that are right on the source pair."""


class Candidate(NamedTuple):
    """A failure of one model; the larger, the more telling."""

    source_was_right: bool
    """Right on the source pair and wrong on the copy is what shows a wrong reason."""
    confidence: float
    """How sure the model was."""
    failing: int
    """How many models fail on it."""
    brevity: int
    """A short text is read, a long one is not."""
    draw: str
    """Breaks ties, in no order of the corpus."""
    asked: Asked
    """The case."""


def telling_examples(folder: str | Path, record: RunRecord, *, a_model: int = A_MODEL) -> list[Example]:
    """The most telling failures of each model in each family, from one pass over the run's suites and answers."""
    folder = Path(folder)
    found: dict[str, Example] = {}
    for name in record.suites:
        best: dict[tuple[str, str], list[Candidate]] = {}
        for asked in _asked(folder, record, name):
            _enter(best, asked, kept=max(KEPT, a_model))
        for heap in best.values():
            for asked in _different(sorted(heap, reverse=True), a_model):
                found[f"{name}/{asked.case.id}"] = _example(name, asked)
    places = {(e.slice["suite"], e.slice["family"]): None for e in record.estimates}
    order = [*places]  # as the tables have them
    return sorted(found.values(), key=lambda each: order.index((each.suite, each.case.family)))


def _asked(folder: Path, record: RunRecord, name: str) -> Iterator[Asked]:
    """Every case of a suite; source pairs only where there is nothing else."""
    suite = suite_of(folder, record, name)
    answers = {each.model: answers_of(folder, each, name) for each in record.models}
    families = record.suites[name].counts
    alone = [*families] == [ORIGINAL]
    summed_up = {f for f, labels in families.items() if record.spec.collapse == "sum" and TWO_WAY in labels}
    answered = ((case, _said(case, answers, sum_up=case.family in summed_up)) for case in suite)
    for _, together in groupby(answered, key=lambda each: each[0].origin):
        cases = list(together)
        source, before = next((each for each in cases if each[0].family == ORIGINAL), (None, {}))
        held = frozenset(m for m, each in before.items() if source and is_right(each.label, source.label))
        for case, said in cases:
            if case is not source:
                yield Asked(case, said, source, before, held)
            elif alone:
                yield Asked(case, said, None, {}, frozenset())


def _enter(best: dict[tuple[str, str], list[Candidate]], asked: Asked, *, kept: int) -> None:
    """Put the failures of a case among the best of their family and model, if they are."""
    case = asked.case
    failing = [model for model in asked.said if _failed(asked, model)]
    brevity = -((len(case.premise) + len(case.hypothesis)) // 40)
    for model in failing:
        heap = best.setdefault((case.family, model), [])
        standing = (model in asked.held, _sure(asked.said[model]) or 0.0, len(failing), brevity)
        if len(heap) == kept and standing < heap[0][: len(standing)]:
            continue  # most end here, before anything else is made of them
        draw = hashlib.blake2b(case.id.encode(), digest_size=8).hexdigest()
        heapq.heappush(heap, Candidate(*standing, draw, asked))
        if len(heap) > kept:
            heapq.heappop(heap)


def _said(case: Case, streams: Mapping[str, Iterator[Prediction]], *, sum_up: bool) -> dict[str, Prediction]:
    """What each model said to the next case of the suite."""
    said = {}
    for model, stream in streams.items():
        answer = next(stream, None)
        if answer is None or answer.id != case.id:
            there = repr(answer.id) if answer else "nothing"
            raise BadInputError(f"answers {there} where the suite asks {case.id!r}", where=model)
        said[model] = (summed(answer) if sum_up else None) or answer
    return said


def _failed(asked: Asked, model: str) -> bool:
    """Whether the answer is not what the case expects."""
    right = is_right(asked.said[model].label, asked.case.label)
    expects = asked.case.expects
    if expects == "label":
        return not right
    return model in asked.held and right == (expects == "drop")


def _sure(answer: Prediction) -> float | None:
    return (answer.probabilities or {}).get(answer.label)


def _example(suite: str, asked: Asked) -> Example:
    def answered(model: str, said: Prediction) -> Answered:
        before = asked.before.get(model)
        return Answered(
            label=said.label,
            confidence=_sure(said),
            source=before.label if before else None,
            failed=_failed(asked, model),
        )

    return Example(
        suite=suite,
        case=asked.case,
        answers={model: answered(model, said) for model, said in asked.said.items()},
        source_label=asked.source.label if asked.source else None,
        proof=proof_of(asked.case),
    )


def _different(candidates: Iterable[Candidate], most: int) -> Iterator[Asked]:
    """The first few that are of other pairs, labels and groups than those before them; then the first of the rest."""
    left = [each.asked for each in candidates]
    taken: set[str] = set()
    for _ in range(min(most, len(left))):
        best = max(left, key=lambda each: len(_traits(each.case) - taken))
        taken |= _traits(best.case)
        left.remove(best)
        yield best


def _traits(case: Case) -> set[str]:
    groups = {f"{name}={case.group[name]}" for name in DIFFER if name in case.group}
    return {f"label={case.label}", f"cluster={case.cluster}", *groups}


def proof_of(case: Case) -> str:
    """What proved the label of a case as it was built; empty where none is claimed, or no check is there for it."""
    recipe = case.provenance.recipe
    return _check(recipe.transform) if recipe.claims_labels and case.expects == "label" else ""


@cache
def _check(transform: str) -> str:
    """What the check of a transform says of itself."""
    try:
        kind = registry.checks.get(transform)
    except UnknownNameError:
        return ""
    said = inspect.getdoc(inspect.getmodule(kind)) or inspect.getdoc(kind) or ""
    return said.partition("\n")[0]
