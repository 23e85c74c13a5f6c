"""Reading the answers of third-party code: a label, probabilities by label, or one support score."""

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.case import DECIMALS, THRESHOLD, Answer
from assay.core.errors import BadRecordError, ModelError, UserError
from assay.core.label import NAMES, Label, LabelReader
from assay.core.protocols import Texts

FAR_FROM_ONE = 0.01  # if the sum of numbers is off by more, they are not probabilities
SCORES = ("score", "support")  # names of a support score in a reply

Threshold = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""The support score from which the answer of a model is entailment, as an option."""

read_label = LabelReader()


def named_labels(text: str, *, option: str = "names") -> dict[str, str]:
    """Labels by name, from an option.

    >>> named_labels("SUPPORTED:entailment,NOT_SUPPORTED:non-entailment")
    {'SUPPORTED': 'entailment', 'NOT_SUPPORTED': 'non-entailment'}
    """
    own = {}
    for part in filter(None, text.split(",")):
        value, found, label = part.rpartition(":")
        if not found or label.strip().lower() not in NAMES:
            raise UserError(
                f"{option}={text}: {part!r} does not say what a label means.\n"
                f"  Write, for example, {option}=SUPPORTS:entailment. The labels are {', '.join(Label)}."
            )
        own[value] = label
    return own


def written_names(names: Mapping[str, str]) -> str:
    """Names in the form that the option takes; a name that it can't hold is left out."""
    return ",".join(f"{name}:{label}" for name, label in names.items() if "," not in name)


def answer_from(
    reply: Any, read: LabelReader = read_label, *, threshold: float = THRESHOLD, means: Label = Label.ENTAILMENT
) -> Answer:
    """The answer in a reply: a label, probabilities by label, a support score, or a mapping that names one of them.

    A mapping has `label`, `probabilities` or both, or else `score`, which is compared with the threshold. A high score
    `means` entailment, or else the opposite.

    >>> answer_from("neutral").label, answer_from({"entailment": 0.9, "neutral": 0.1}).label
    (<Label.NEUTRAL: 'neutral'>, <Label.ENTAILMENT: 'entailment'>)
    >>> answer_from(0.8).label, answer_from({"score": 0.2}).label
    (<Label.ENTAILMENT: 'entailment'>, <Label.NON_ENTAILMENT: 'non-entailment'>)
    """
    if isinstance(reply, str):
        return Answer(label=_label(reply, read))
    if isinstance(reply, Real) and not isinstance(reply, bool):
        return _from_score(reply, threshold, means)
    if not isinstance(reply, Mapping):
        raise ModelError(f"an answer is a label, probabilities by label or a support score, not {_short(reply)}")
    for name in SCORES:
        if name in reply:
            return _from_score(reply[name], threshold, means)
    if "label" not in reply and "probabilities" not in reply:
        return _from_probabilities(reply, read)
    label = _label(reply["label"], read) if "label" in reply else None
    if reply.get("probabilities") is None:
        if label is None:
            raise ModelError(f"there is no label in {_short(reply)}")
        return Answer(label=label)
    answer = _from_probabilities(reply["probabilities"], read)
    if label not in (None, answer.label):
        raise ModelError(f"the label is not the most probable one in {_short(reply)}")
    return answer


def _from_score(given: Any, threshold: float, means: Label) -> Answer:
    score = support_score(given)
    return Answer.scored(score if means is Label.ENTAILMENT else 1 - score, threshold=threshold)


def support_score(given: Any) -> float:
    """A support score, which is a number from 0 to 1.

    >>> support_score("0.25")
    0.25
    >>> support_score(1.5)
    Traceback (most recent call last):
    ...
    assay.core.errors.ModelError: 1.5 is not a support score, a number from 0 (not supported) to 1 (supported)
    """
    try:
        score = float(given)
    except (TypeError, ValueError, OverflowError):
        score = float("nan")
    if not (isfinite(score) and 0 <= score <= 1):
        raise ModelError(f"{_short(given)} is not a support score, a number from 0 (not supported) to 1 (supported)")
    return score


def about(pair: Texts) -> str:
    """The end of an error message, with the pair and the required form of an answer.

    >>> print(about(Texts("It rains.", "It is wet.")))
    ; the premise is 'It rains.', the hypothesis 'It is wet.'
      Answer each pair with a label, probabilities by label, or one number from 0 to 1. Apply a sigmoid to
      scores of any size, and give 0 to a pair without a score.
    """
    return (
        f"; the premise is {_short(pair.premise)}, the hypothesis {_short(pair.hypothesis)}\n"
        "  Answer each pair with a label, probabilities by label, or one number from 0 to 1. Apply a sigmoid to\n"
        "  scores of any size, and give 0 to a pair without a score."
    )


def answers_by_position(rows: NDArray[Any], labels: Sequence[Label]) -> list[Answer]:
    """Answers, from one row of probabilities each; ties go to the first output."""
    rounded = np.asarray(rows, dtype=np.float64).round(DECIMALS).tolist()
    best = rows.argmax(axis=1).tolist()
    return [
        Answer(label=labels[top], probabilities=dict(zip(labels, row, strict=True)))
        for top, row in zip(best, rounded, strict=True)
    ]


def answers_by_score(
    rows: NDArray[Any], label: Label = Label.ENTAILMENT, *, threshold: float = THRESHOLD
) -> list[Answer]:
    """Answers, from one probability each, (pairs, 1): that of entailment, or of its opposite."""
    scores = np.asarray(rows, dtype=np.float64)[:, 0]
    towards = scores if label is Label.ENTAILMENT else 1 - scores
    return [Answer.scored(score, threshold=threshold) for score in towards.tolist()]


def sigmoid(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities of single scores, without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    given = np.asarray(scores, dtype=np.float64)
    small = np.exp(-np.abs(given))
    return np.asarray(np.where(given >= 0, 1 / (1 + small), small / (1 + small)))


def softmax(scores: NDArray[Any]) -> NDArray[np.float64]:
    shifted = np.asarray(scores, dtype=np.float64)
    shifted = np.exp(shifted - shifted.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def are_shares(table: NDArray[np.float64]) -> bool:
    """True if rows are probabilities, not scores: no value is below zero, and each row adds up to about one."""
    return bool((table >= 0).all() and (np.abs(table.sum(axis=1) - 1) <= FAR_FROM_ONE).all())


def shares(table: NDArray[np.float64], scores: bool) -> NDArray[np.float64]:
    """Probabilities: the softmax of scores, or else the rows themselves, which must be probabilities."""
    if scores:
        return softmax(table)
    if not are_shares(table):
        row = next(each for each in table if not are_shares(each[None]))
        raise ModelError(f"{row.tolist()} are not probabilities, but earlier answers were")
    return table


def checked_rows(rows: Any, *, asked: int, outputs: int) -> NDArray[np.float64]:
    """A table of numbers with one row per question and one column per output."""
    try:
        table = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"the answers are not a table of numbers: {error}") from error
    if outputs == 1 and table.ndim == 1:
        table = table[:, None]  # single numbers are a table of one column
    if table.shape != (asked, outputs):
        raise ModelError(
            f"the answers have the shape {table.shape}, not {(asked, outputs)}: one row per pair, one column per label"
        )
    if not np.isfinite(table).all():
        row = int(np.argwhere(~np.isfinite(table))[0][0])
        raise ModelError(f"the answer to pair {row + 1} of {asked} is not a number: {table[row].tolist()}")
    return table


def _from_probabilities(given: Any, read: LabelReader) -> Answer:
    if not isinstance(given, Mapping) or not given:
        raise ModelError(f"probabilities must be given by label, not as {_short(given)}")
    try:
        values = {_label(name, read): round(float(value), DECIMALS) for name, value in given.items()}
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{_short(given)} holds something that is not a number") from error
    if not all(0 <= value <= 1 for value in values.values()) or abs(sum(values.values()) - 1) > FAR_FROM_ONE:
        raise ModelError(f"{_short(given)} are not probabilities, which lie between 0 and 1 and add up to 1")
    return Answer(label=max(values, key=lambda label: values[label]), probabilities=values)


def _label(value: Any, read: LabelReader) -> Label:
    try:
        label = read(value)
    except BadRecordError as error:
        told = ", or say what it means with the option names, as in names=SUPPORTS:entailment"
        raise ModelError(f"{_short(value)} is not a label; use {', '.join(Label)}{told}") from error
    if label is None:
        raise ModelError(f"{_short(value)} is not a label; use {', '.join(Label)}")
    return label


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
