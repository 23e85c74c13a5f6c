"""The label-order detective: it finds out what a model's outputs mean from its answers to self-evident pairs.

A flipped label map is silent: every figure looks like a bad model. So a model that answers by position is asked pairs
that no reader would get wrong, and the order of labels under which its answers make sense is compared with what the
model says about itself.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import ModelError, UserError
from assay.core.label import NAMES, THREE_WAY, Label
from assay.core.prediction import Answer
from assay.core.protocols import Texts
from assay.models.answering.replies import answers_by_position

TWO_WAY = (Label.ENTAILMENT, Label.NON_ENTAILMENT)

SURE = 0.01
"""The largest chance that a model without skill looks as good, or that the second-best order is the true one."""

Scorer = Callable[[Sequence[Texts]], NDArray[np.float64]]
"""Pairs in, one row of probabilities per pair out."""


class SelfEvident(NamedTuple):
    """A pair with an obvious label."""

    label: Label
    """The label."""
    texts: Texts
    """The pair."""


class Detected(NamedTuple):
    """What a model's behaviour says about its outputs."""

    order: tuple[Label, ...] | None
    """The label of each output; None if it is unclear."""
    right: dict[tuple[Label, ...], int]
    """How many answers are right under each order, the best first."""
    asked: int
    """How many pairs there were."""

    @property
    def evidence(self) -> str:
        """The orders, and how many answers are right under each."""
        return "\n".join(
            f"    {right:>2} of {self.asked} right as {written(order)}" for order, right in self.right.items()
        )


class Declared(NamedTuple):
    """What is said about a model's outputs."""

    explicit: tuple[Label, ...] | None
    """The user's labels for the outputs."""
    names: Sequence[str] | None
    """The model's own names for its outputs."""
    outputs: int
    """How many there are."""
    in_python: bool = False
    """Whether the model is a Python object, which has no name with options."""

    def fix(self, name: str, labels: Sequence[Label]) -> str:
        """How a user says what the outputs mean.

        >>> Declared(None, None, 3, in_python=True).fix("object:mine", THREE_WAY)
        'assay.PythonFunction(..., labels="entailment,neutral,contradiction")'
        """
        if self.in_python:
            return f'assay.PythonFunction(..., labels="{written(labels)}")'
        return f'--model "{name}{"&" if "?" in name else "?"}labels={written(labels)}"'


class Positional(NamedTuple):
    """What a model's outputs mean, by position."""

    labels: tuple[Label, ...]
    """The label of each output."""
    note: str = ""
    """What a user should know about how that was decided."""

    @classmethod
    def settle(cls, name: str, declared: Declared, ask: Scorer) -> "Positional":
        """Compare what is said about a model with its answers; raise an error if they disagree or are unclear."""
        if declared.outputs not in (2, 3):
            raise ModelError(
                f"{name} has {declared.outputs} outputs: an NLI model has three "
                "(entailment, neutral, contradiction) or two (entailment or not)."
            )
        said = declared.explicit or read_names(declared.names)
        if said is not None and len(said) != declared.outputs:
            raise UserError(
                f"{name} has {declared.outputs} outputs, but {len(said)} labels are given: {written(said)}."
            )
        detected = detect(ask([each.texts for each in self_evident()]))
        if declared.explicit:
            return cls(declared.explicit, _doubt(name, declared.explicit, detected))
        if detected.order is None:
            guess = said or THREE_WAY[: declared.outputs]
            raise ModelError(
                f"{name}: unclear what its outputs mean. It shows no skill on {detected.asked} self-evident pairs:\n"
                f"{detected.evidence}\n  If you know what they mean, say so: {declared.fix(name, guess)}"
            )
        if said is None:
            raise ModelError(
                f"{name} does not name its outputs ({', '.join(declared.names or ('no names',))}). By its answers to "
                f"{detected.asked} self-evident pairs:\n{detected.evidence}\n"
                f"  If the first line is right, confirm it: {declared.fix(name, detected.order)}"
            )
        if said != detected.order:
            raise ModelError(
                f"{name} calls its outputs {written(said)}, but its answers disagree. By its answers to "
                f"{detected.asked} self-evident pairs:\n{detected.evidence}\n"
                f"  Correct it: {declared.fix(name, detected.order)}"
            )
        return cls(said)

    def answers(self, probabilities: NDArray[np.float64]) -> list[Answer]:
        """Answers, from one row of probabilities each."""
        return answers_by_position(probabilities, self.labels)


def detect(answers: NDArray[Any]) -> Detected:
    """The order of labels under which the answers to the self-evident pairs, one row of probabilities each, make sense.

    It must beat chance, corrected for the number of orders, and the second-best order on the pairs where they differ.

    >>> perfect = np.array([[each.label == label for label in THREE_WAY] for each in self_evident()])
    >>> written(detect(perfect[:, [2, 0, 1]]).order)
    'contradiction,entailment,neutral'
    >>> detect(np.full((42, 3), 1 / 3)).order is None
    True
    """
    outputs = answers.shape[1]
    labels = THREE_WAY if outputs == 3 else TWO_WAY
    gold = [each.label if outputs == 3 else each.label.two_way for each in self_evident()]
    top = answers.argmax(axis=1)
    hits = {
        order: np.array([order[output] is label for output, label in zip(top, gold, strict=True)])
        for order in permutations(labels)
    }
    best, second, *_ = ranked = sorted(hits, key=lambda order: -int(hits[order].sum()))
    by_chance = max(gold.count(label) for label in labels) / len(gold)  # what the same answer to all would get
    skilled = len(hits) * _at_least(int(hits[best].sum()), len(gold), by_chance) < SURE
    only_best, only_second = int((hits[best] & ~hits[second]).sum()), int((hits[second] & ~hits[best]).sum())
    ahead = _at_least(only_best, only_best + only_second, 0.5) < SURE
    right = {order: int(hits[order].sum()) for order in ranked}
    return Detected(best if skilled and ahead else None, right, len(gold))


@cache
def self_evident() -> tuple[SelfEvident, ...]:
    """The pairs, written for this project: fourteen premises, each with one hypothesis per label."""
    text = (files("assay.models.answering") / "self_evident.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple(SelfEvident(Label(label), Texts(premise, hypothesis)) for label, premise, hypothesis in rows)


def parse_labels(text: str) -> tuple[Label, ...] | None:
    """Labels as the option `labels` gives them.

    >>> parse_labels("c,e,n")
    (<Label.CONTRADICTION: 'contradiction'>, <Label.ENTAILMENT: 'entailment'>, <Label.NEUTRAL: 'neutral'>)
    """
    if not text:
        return None
    found = tuple(NAMES.get(name.strip().lower()) for name in text.split(","))
    known = tuple(label for label in found if label is not None)
    if len(known) != len(found) or {*known} not in ({*THREE_WAY}, {*TWO_WAY}):
        raise UserError(
            f"labels={text}: list what each output means, in order, as in labels=entailment,neutral,contradiction, "
            "or labels=entailment,non-entailment for a model with two."
        )
    return known


def read_names(names: Sequence[str] | None) -> tuple[Label, ...] | None:
    """The labels that names mean, if each name means a different label.

    >>> read_names(["CONTRADICTION", "ENTAILMENT", "NEUTRAL"]) == (Label.CONTRADICTION, Label.ENTAILMENT, Label.NEUTRAL)
    True
    >>> read_names(["LABEL_0", "LABEL_1"]) is None
    True
    """
    found = tuple(NAMES.get(name.strip().lower()) for name in names or ())
    known = tuple(label for label in found if label is not None)
    return known if len(known) == len(found) and {*known} in ({*THREE_WAY}, {*TWO_WAY}) else None


def written(labels: Sequence[Label]) -> str:
    """Labels as the option takes them."""
    return ",".join(labels)


def _doubt(name: str, explicit: tuple[Label, ...], detected: Detected) -> str:
    if detected.order in (None, explicit):
        return ""
    return (
        f"{name} is read as {written(explicit)}, as you asked; on {detected.asked} self-evident pairs it behaves like "
        f"{written(detected.order or ())}."
    )


def _at_least(successes: int, trials: int, chance: float) -> float:
    """How likely at least this many successes are by chance."""
    return sum(comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1))
