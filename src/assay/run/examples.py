"""The most telling failures of a run: a few cases a family and model, with what every model said to them."""

import hashlib
import heapq
import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from assay.core import registry
from assay.core.case import Case
from assay.core.errors import BadInputError, UnknownNameError
from assay.core.example import Answered, Example
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.core.run import RunRecord
from assay.core.suite import Suite
from assay.evaluate.accuracy import is_right
from assay.evaluate.collapse import summed
from assay.evaluate.copies import ORIGINAL
from assay.run.answers import read_answers

TWO_WAY = Label.NON_ENTAILMENT
"""A family that has this label knows only two."""

A_MODEL = 2
"""Examples of each family and model."""

KEPT = 12
"""Candidates from which they are chosen, so that they differ from each other."""

DIFFER = ("heuristic", "subcase", "category")
"""Groups of which examples should show several values."""


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
    example: Example
    """The case."""


def telling_examples(folder: str | Path, record: RunRecord, *, a_model: int = A_MODEL) -> list[Example]:
    """The most telling failures of each model in each family, from one pass over the run's suites and answers."""
    folder = Path(folder)
    found: dict[str, Example] = {}
    for name in record.suites:
        best: dict[tuple[str, str], list[Candidate]] = {}
        for example in _examples(folder, record, name):
            for model in example.failing:
                heap = best.setdefault((example.case.family, model), [])
                heapq.heappush(heap, _candidate(example, model))
                if len(heap) > KEPT:
                    heapq.heappop(heap)
        for heap in best.values():
            for example in _different(sorted(heap, reverse=True), a_model):
                found[f"{name}/{example.case.id}"] = example
    places = {(e.slice["suite"], e.slice["family"]): None for e in record.estimates}
    order = [*places]  # as the tables have them
    return sorted(found.values(), key=lambda each: order.index((each.suite, each.case.family)))


def _examples(folder: Path, record: RunRecord, name: str) -> Iterator[Example]:
    """Every case of a suite on which some model fails; source pairs only where there is nothing else."""
    suite = Suite.open(folder / "suites" / name)
    answers = {each.model: read_answers(folder / each.files[name].file) for each in record.models}
    families = record.suites[name].counts
    summed_up = {f for f, labels in families.items() if record.spec.collapse == "sum" and TWO_WAY in labels}
    asked = ((case, _said(case, answers, sum_up=case.family in summed_up)) for case in suite)
    for _, together in groupby(asked, key=lambda each: each[0].origin):
        cases = list(together)
        source, before = next((each for each in cases if each[0].family == ORIGINAL), (None, {}))
        for case, said in cases:
            if case is not source or [*families] == [ORIGINAL]:
                of, earlier = (None, {}) if case is source else (source, before)
                answered = {model: _answered(case, each, of, earlier.get(model)) for model, each in said.items()}
                if any(each.failed for each in answered.values()):
                    label = of.label if of else None
                    yield Example(suite=name, case=case, answers=answered, source_label=label, proof=proof_of(case))


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


def _answered(case: Case, answer: Prediction, source: Case | None, before: Prediction | None) -> Answered:
    right = is_right(answer.label, case.label)
    was_right = before is not None and source is not None and is_right(before.label, source.label)
    failed = {"label": not right, "hold": was_right and not right, "drop": was_right and right}[case.expects]
    sure = (answer.probabilities or {}).get(answer.label)
    return Answered(label=answer.label, confidence=sure, source=before.label if before else None, failed=failed)


def _candidate(example: Example, model: str) -> Candidate:
    answer, case = example.answers[model], example.case
    before, gold = answer.source, example.source_label
    return Candidate(
        source_was_right=before is not None and gold is not None and is_right(before, gold),
        confidence=answer.confidence or 0.0,
        failing=len(example.failing),
        brevity=-((len(case.premise) + len(case.hypothesis)) // 40),
        draw=hashlib.blake2b(case.id.encode(), digest_size=8).hexdigest(),
        example=example,
    )


def _different(candidates: Iterable[Candidate], most: int) -> Iterator[Example]:
    """The first few that are of other pairs, labels and groups than those before them; then the first of the rest."""
    left = [each.example for each in candidates]
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
