"""What a model must do: answer each question, in order, with real labels and probabilities."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from assay.core.case import Case
from assay.core.errors import AssayError, ModelError, UserError, in_foreign_code
from assay.core.options import option
from assay.core.prediction import Answer, Prediction
from assay.core.protocols import Model

T = TypeVar("T")


def call_model(name: str, ask: Callable[[], T]) -> T:
    """Call a model; whatever goes wrong is reported as the model's error."""
    try:
        return ask()
    except AssayError:
        raise
    except (Exception, SystemExit) as error:  # a user's model may fail in any way
        raise in_foreign_code(ModelError(f"{name} failed: {type(error).__name__}: {error}")) from error


def answer_cases(cases: list[Case], name: str, model: Model) -> list[Prediction]:
    """A model's answers to cases, checked."""
    answers = call_model(name, lambda: model.predict(cases))
    _kind(name, answers, Prediction, "`predict` takes cases; a function from pairs to labels can be passed as it is.")
    _count(name, answers, len(cases))
    for case, answer in zip(cases, answers, strict=True):
        if answer.id != case.id:
            raise ModelError(f"{name} answered {answer.id!r} where {case.id!r} was asked; answers must keep the order.")
        _probabilities(name, answer)
    return answers


def checked(name: str, answers: Sequence[Answer], asked: int, *, scores: bool = True) -> Sequence[Answer]:
    """A model's answers to texts, checked; `scores` says whether support scores are answers."""
    _kind(name, answers, Answer, "`assay.Answer` has the label, and probabilities by label.")
    _count(name, answers, asked)
    for answer in answers:
        _probabilities(name, answer)
        if not scores and answer.threshold is not None:
            raise UserError(
                f"{name} answers with a support score, which can't tell neutral from contradiction.\n"
                f"  Leave out {option('two_way', False)}, and everything is judged by two labels, supported or not."
            )
    return answers


def _kind(name: str, answers: object, kind: type, hint: str) -> None:
    strays = [answers] if not isinstance(answers, Sequence) else [e for e in answers if not isinstance(e, kind)]
    if strays:
        raise ModelError(f"{name} must answer with a list of {kind.__name__}s, not with {strays[0]!r:.60}.\n  {hint}")


def _count(name: str, answers: Sequence[object], asked: int) -> None:
    if len(answers) != asked:
        raise ModelError(f"{name} gave {len(answers)} answers to {asked} cases.")


def _probabilities(name: str, answer: Answer | Prediction) -> None:
    if answer.probabilities is None:
        return
    values = answer.probabilities.values()
    if not all(math.isfinite(value) and -1e-6 <= value <= 1 + 1e-6 for value in values):
        raise ModelError(f"{name} gave something that is not a probability: {answer.probabilities}.")
