"""Scoring Python objects: predictions by id, or a model that is asked now."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, cast

import msgspec

from assay.bench.ask.checks import DirectionCheck, answer_cases
from assay.bench.ask.objects import ModelLike, is_model, seated
from assay.bench.ask.windowing.windowed import WindowedModel
from assay.bench.ask.windowing.windows import Windows
from assay.bench.judge.score import Judging, Score, measured
from assay.bench.shards import BATCH, in_batches
from assay.core.case import ORIGINAL, Case
from assay.core.errors import UserError
from assay.core.prediction import Prediction
from assay.core.protocols import Adapter, Learner, NamesLabels

NAME = "predictions"
"""The model's name for predictions that come without a model."""


def score_given(
    cases: Iterator[Case],
    given: ModelLike | Iterable[Prediction],
    *,
    suite: str,
    how: Judging,
    windows: Windows | None = None,
) -> Score:
    """Join predictions to cases by id, or ask the model about each case, and measure."""
    if is_model(given):
        with ExitStack() as stack:
            bench = seated([given])
            name, model = bench.names[0], bench.objects[bench.names[0]]
            if how.names and isinstance(model, NamesLabels):
                model = model.with_names(how.names)
            if isinstance(model, Adapter):
                model = model.open()
                stack.callback(getattr(model, "close", lambda: None))
            check = DirectionCheck(name, model)
            score = measured(_asked(cases, name, model, windows, check), name, name=name, suite=suite, how=how)
            return msgspec.structs.replace(score, notes=(*score.notes, *filter(None, [check.conclude()])))
    answers = _by_id(cast("Iterable[Prediction]", given))
    joined = ((case, answers.pop(case.id, None)) for case in cases)
    score = measured(joined, NAME, name=NAME, suite=suite, how=how)
    if not score.answered:
        raise UserError(
            f"None of the predictions is about one of the {score.cases:,} cases; "
            f"the first id is {next(iter(answers), '')!r}."
        )
    return msgspec.structs.replace(score, unknown=len(answers))


def _by_id(given: Iterable[Prediction]) -> dict[str, Prediction]:
    answers: dict[str, Prediction] = {}
    if not isinstance(given, Iterable):
        raise UserError(f"Predictions must be a file, a model or an iterable, not {type(given).__name__}.")
    for each in given:
        if not isinstance(each, Prediction):
            raise UserError(
                f"Scoring needs predictions, but one has type {type(each).__name__}.\n"
                "  Make them with assay.Prediction(id=..., label=...), or pass a model or a file."
            )
        if each.id in answers:
            raise UserError(f"Two predictions are about {each.id!r}: give one per case.")
        answers[each.id] = each
    return answers


def _asked(
    cases: Iterable[Case], name: str, model: Any, windows: Windows | None, check: DirectionCheck
) -> Iterator[tuple[Case, Prediction | None]]:
    if isinstance(model, Learner):
        cases = list(cases)
        model = model.fit(case for case in cases if case.family == "original")
    model = WindowedModel(model, windows) if windows else model
    for batch in in_batches(cases, BATCH):
        for case, answer in zip(batch, answer_cases(batch, name, model), strict=True):
            if case.family == ORIGINAL and case.label_claimed:
                check.add(case.label_claimed, case.premise, answer)
            yield case, answer
