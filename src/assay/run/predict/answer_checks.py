"""Checks of models and their answers, and messages about cases that a model can't take."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn, Protocol, TypeVar

import msgspec
import numpy

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import AssayError, ModelError, UserError, in_foreign_code
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Model, Texts
from assay.core.registry import label_option, option
from assay.evaluate.support.threshold_metrics import read_direction
from assay.models.adapters.label_order import PlainTexts


class CaseTexts(msgspec.Struct, frozen=True, gc=False):
    """A case, as a model sees it."""

    id: str
    premise: str
    hypothesis: str
    family: str = ""

    @property
    def texts(self) -> Texts:
        return Texts(self.premise, self.hypothesis)


EXAMPLES = 3


class Named(Protocol):
    """A case, which has a family, or a row of a task."""

    @property
    def id(self) -> str: ...


def refuse(name: str, too_long: Iterable[Named]) -> NoReturn:
    """Stop, with the number of cases in each family and a few of their ids."""
    cases = list({case.id: case for case in too_long}.values())
    shown = ", ".join(repr(case.id) for case in cases[:EXAMPLES])
    raise UserError(
        f"{len(cases):,} cases are too long for {name}{by_family(cases)}, such as {shown}.\n"
        f"  Use all of each premise, window by window, with {option('windows', 'max')}; or cut off the end of "
        f"the premises with {option('truncate', 'premise')}: each such answer is marked and counted."
    )


def refuse_hypothesis(name: str, case: CaseTexts) -> NoReturn:
    """Stop at a case that does not fit, however much of its premise is cut off."""
    raise UserError(
        f"The hypothesis of {case.id!r} ({case.family}) is longer than {name} takes, and only premises are ever cut: "
        f"{case.hypothesis[:80]!r}...\n  Leave that pair out of the corpus."
    )


def foretold(name: str, too_long: Iterable[CaseTexts]) -> str:
    """A warning about premises that will be cut off; empty if none will."""
    cases = list(too_long)
    if not cases:
        return ""
    return (
        f"{name}: the premises of {len(cases):,} cases are longer than it takes{by_family(cases)}. Their ends are cut "
        f"off, and the answers are marked. {option('windows', 'max')} reads all of each premise, window by "
        f"window; {option('truncate', 'error')} stops instead."
    )


def by_family(cases: Iterable[Named]) -> str:
    """Number of cases each family has, in brackets.

    >>> by_family([CaseTexts("1", "", "", "original"), CaseTexts("2", "", "", "negation")])
    ' (original 1, negation 1)'
    """
    counts = Counter(family for case in cases if (family := getattr(case, "family", "")))
    return f" ({', '.join(f'{family} {n:,}' for family, n in counts.items())})" if counts else ""


T = TypeVar("T")

ENOUGH = 500  # number of unmodified pairs of each of two labels that a model's scores are compared with


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
    _check_kind(
        name, answers, Prediction, "`predict` takes cases; a function from pairs to labels can be passed as it is."
    )
    _check_count(name, answers, len(cases))
    for case, answer in zip(cases, answers, strict=True):
        if answer.id != case.id:
            raise ModelError(
                f"{name} answered {answer.id!r} where {case.id!r} was expected; answers must keep the order."
            )
        _check_probabilities(name, answer)
    return answers


def check_answers(name: str, answers: Sequence[Answer], asked: int, *, scores: bool = True) -> Sequence[Answer]:
    """A model's answers to texts, checked; `scores` says whether support scores are answers."""
    _check_kind(name, answers, Answer, "`assay.core.case.Answer` has the label, and probabilities by label.")
    _check_count(name, answers, asked)
    for answer in answers:
        _check_probabilities(name, answer)
        if not scores and answer.threshold is not None:
            raise UserError(
                f"{name} answers with a support score, which can't tell neutral from contradiction.\n"
                f"  Leave out {label_option(False)}, and everything is judged by two labels, supported or not."
            )
    return answers


class DirectionCheck:
    """Compares a model's support scores with the labels of unmodified pairs: they may be the wrong way round."""

    def __init__(self, name: str, model: object) -> None:
        self._name = name
        self._model = model if isinstance(model, PlainTexts) and not model.labels else None
        self._rows: dict[Label, list[tuple[float, str]]] = {Label.ENTAILMENT: [], Label.NON_ENTAILMENT: []}

    @property
    def is_needed(self) -> bool:
        """True if the meaning of the model's scores, if it gives any, is only a convention."""
        return self._model is not None

    def add(self, label: Label, premise: str, answer: Answer | Prediction) -> None:
        rows = self._rows[TWO_LABELS.read(label)]
        if self._model and answer.threshold is not None and answer.probabilities and len(rows) < ENOUGH:
            rows.append((answer.probabilities[Label.ENTAILMENT], premise))

    def conclude(self) -> str:
        """Stop if the scores are clearly the wrong way round; otherwise say what a user should know about them."""
        supported, others = self._rows.values()
        premises = {premise: number for number, (_, premise) in enumerate((*supported, *others))}
        found = read_direction(
            numpy.array([score for score, _ in (*supported, *others)]),
            numpy.arange(len(supported) + len(others)) < len(supported),
            numpy.array([premises[premise] for _, premise in (*supported, *others)], dtype=numpy.int64),
        )
        model = self._model
        if model is None or found is None or not found.is_reversed:
            return ""
        evidence = (
            f"on the corpus's own labels, supported pairs get the lower scores: the area under the ROC curve is "
            f"{100 * found.auc:.1f} (99% interval {100 * max(0, found.low):.1f} to {100 * found.high:.1f}; "
            f"{found.supported:,} supported pairs, {found.others:,} others)"
        )
        if call_model(self._name, model.ranks_self_evident_pairs):
            return (
                f"{self._name}: {evidence}. Self-evident pairs are scored the right way round: check the labels of the "
                f"corpus, and {option('labels')} if you gave them."
            )
        raise ModelError(
            f"{self._name}: its scores are the wrong way round: {evidence}.\n"
            f"  If a high score means that a claim is not supported, say so: {model.fix('unsupported')}\n"
            f"  If it does mean support, confirm it: {model.fix('support')}\n"
            f"  If the labels of the corpus are the wrong way round instead, correct {option('labels')}."
        )


def _check_kind(name: str, answers: object, kind: type, hint: str) -> None:
    strays = [answers] if not isinstance(answers, Sequence) else [e for e in answers if not isinstance(e, kind)]
    if strays:
        raise ModelError(f"{name} must answer with a list of {kind.__name__}s, not with {strays[0]!r:.60}.\n  {hint}")


def _check_count(name: str, answers: Sequence[object], asked: int) -> None:
    if len(answers) != asked:
        raise ModelError(f"{name} gave {len(answers)} answers to {asked} cases.")


def _check_probabilities(name: str, answer: Answer | Prediction) -> None:
    if answer.probabilities is None:
        return
    values = answer.probabilities.values()
    if not all(math.isfinite(value) and -1e-6 <= value <= 1 + 1e-6 for value in values):
        raise ModelError(f"{name} gave something that is not a probability: {answer.probabilities}.")
