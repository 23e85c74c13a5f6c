"""The label-order detective: it finds out what a model's outputs mean from its answers to self-evident pairs.

A flipped label map is silent: every number looks like a bad model. So a model that answers by position first runs on
pairs that no reader would get wrong, and the order of labels under which its answers make sense is compared with the
model's own label names.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations
from math import comb
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.case import THRESHOLD, Answer, Case, Prediction
from assay.core.errors import ModelError, UserError
from assay.core.label import THREE_WAY, Label, named_label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Ready, TextModel, Texts
from assay.models.adapters.answer_parsing import answers_by_position, answers_by_score
from assay.models.adapters.pair_tokens import batches

SINGLE = {Label.ENTAILMENT: "support", Label.NON_ENTAILMENT: "unsupported"}
"""Names for the meaning of a model's only output."""

MEANINGS = ({*THREE_WAY}, {*TWO_LABELS.labels}, {Label.ENTAILMENT}, {Label.NON_ENTAILMENT})
"""Possible meanings of a model's outputs, in any order."""

SURE = 0.01
"""The largest chance that a model without skill looks as good, or that the second-best order is the true one."""

LONGEST_NAME = 60  # maximum number of characters that are shown of a model's name for an output
Scorer = Callable[[Sequence[Texts]], NDArray[np.float64]]  # pairs in, one row of probabilities per pair out


class SelfEvident(NamedTuple):
    label: Label
    texts: Texts


class Detected(NamedTuple):
    order: tuple[Label, ...] | None  # the label of each output; None if it is unclear
    right: dict[tuple[Label, ...], int]  # number of right answers under each order, the best first
    asked: int  # number of answers: one per pair, or one per premise if hypotheses are ranked by a score
    skilled: bool  # true if the best order beats chance; if `order` is None nevertheless, another is nearly as good

    @property
    def evidence(self) -> str:
        """The orders, and how many answers are right under each."""
        return "\n".join(
            f"    {right:>2} of {self.asked} {self._thing}right as {write_labels(order)}"
            for order, right in self.right.items()
        )

    @property
    def told(self) -> str:
        pairs = f"{len(self_evident())} self-evident pairs"
        return f"{pairs}, three per premise, where the entailed one must come first" if self._thing else pairs

    @property
    def _thing(self) -> str:
        return "" if len(next(iter(self.right))) == 3 else "premises "


class Declared(NamedTuple):
    """Declared meaning of a model's outputs."""

    explicit: tuple[Label, ...] | None  # the user's labels for the outputs
    names: Sequence[str] | None  # the model's own names for its outputs
    outputs: int
    in_python: bool = False  # true if the model is a Python object, which has no name with options
    threshold: float | None = None  # the support score from which the answer is entailment, if the user gives one
    by_protocol: bool = False  # true if one output is a support score by convention: only reversed answers are an error
    meant: Mapping[str, str] = MappingProxyType({})  # meaning of the model's names according to the user

    @property
    def said(self) -> tuple[Label, ...] | None:
        """The meaning of the outputs according to the user, or else according to the model's names."""
        return self.explicit or read_names([self.meant.get(name, name) for name in self.names or ()])

    @property
    def called(self) -> str:
        """The model's own names of its outputs, with their meaning where it is known and differs.

        >>> Declared(None, ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], 3).called
        'SUPPORTS, REFUTES, NOT ENOUGH INFO (that is, entailment,contradiction,neutral)'
        """
        listed = ", ".join(name[:LONGEST_NAME] for name in self.names or ("no names",))
        if not self.said:
            return listed
        meaning = write_labels(self.said)
        return meaning if listed.lower() == meaning.replace(",", ", ") else f"{listed} (that is, {meaning})"

    def fix(self, name: str, labels: str) -> str:
        """Advice about declaring the outputs.

        >>> Declared(None, None, 3, in_python=True).fix("object:mine", write_labels(THREE_WAY))
        'assay.PythonFunction(..., labels="entailment,neutral,contradiction")'
        """
        if self.in_python:
            return f'assay.PythonFunction(..., labels="{labels}")'
        return f'--model "{name}{"&" if "?" in name else "?"}labels={labels}"'


class Positional(NamedTuple):
    """Meaning of a model's outputs by position."""

    labels: tuple[Label, ...]
    note: str = ""
    """Note for the user about the decision."""
    threshold: float | None = None
    """The support score from which the answer is entailment; None if the best label is the answer."""

    @classmethod
    def settle(cls, name: str, declared: Declared, ask: Scorer) -> "Positional":
        """Compare what is said about a model with its answers; raise an error if they disagree or are unclear."""
        if declared.outputs not in (1, 2, 3):
            raise ModelError(
                f"{name} has {declared.outputs} outputs: an NLI model has three (entailment, neutral, contradiction), "
                "two (entailment or not) or one (a support score)."
            )
        if declared.threshold is not None and declared.outputs == 3:
            raise UserError(
                f"{name} has three outputs and answers with the most probable label; "
                "a threshold works only with one or two outputs.\n"
                "  Leave out the option threshold."
            )
        said = declared.said
        if said is not None and len(said) != declared.outputs:
            raise UserError(
                f"{name} has {declared.outputs} outputs, but {len(said)} labels are given: {write_labels(said)}."
            )
        threshold = THRESHOLD if declared.outputs == 1 and declared.threshold is None else declared.threshold
        detected = detect(ask([each.texts for each in self_evident()]))
        if declared.explicit:
            doubt = (
                f"{name} is read as {write_labels(declared.explicit)}, as you asked; on {detected.told} it behaves like"
            )
            is_odd = detected.order not in (None, declared.explicit)
            note = f"{doubt} {write_labels(detected.order or ())}." if is_odd else ""
            return cls(declared.explicit, note, threshold)
        if said is not None and (said == detected.order or (declared.by_protocol and detected.order is None)):
            return cls(said, threshold=threshold)
        raise ModelError(f"{name}{_objection(name, said, declared, detected)}")

    def answers(self, probabilities: NDArray[np.float64]) -> list[Answer]:
        if self.threshold is None:
            return answers_by_position(probabilities, self.labels)
        first = self.labels[0]  # the other output, if there is one, is what remains
        return answers_by_score(probabilities, first, threshold=self.threshold)


def detect(answers: NDArray[Any]) -> Detected:
    """The order of labels under which the answers to the self-evident pairs, one row of probabilities each, make sense.

    Three outputs must beat chance, corrected for the number of orders, and the second-best order on the pairs where
    they differ. One or two outputs are a score, which need not be above one half where it should be: the entailed
    hypothesis of a premise must come first, or last, more often than chance explains.

    >>> perfect = np.array([[each.label == label for label in THREE_WAY] for each in self_evident()])
    >>> write_labels(detect(perfect[:, [2, 0, 1]]).order)
    'contradiction,entailment,neutral'
    >>> detect(np.full((42, 3), 1 / 3)).order is None
    True
    >>> write_labels(detect(perfect[:, :1]).order), write_labels(detect(1 - perfect[:, :1]).order)
    ('support', 'unsupported')
    """
    return _detect_ranking(answers) if answers.shape[1] < len(THREE_WAY) else _detect_labels(answers)


def _detect_labels(answers: NDArray[Any]) -> Detected:
    """Labels from the best of three outputs."""
    gold = [each.label for each in self_evident()]
    top = answers.argmax(axis=1)
    hits = {
        order: np.array([order[output] is label for output, label in zip(top, gold, strict=True)])
        for order in permutations(THREE_WAY)
    }
    best, second, *_ = ranked = sorted(hits, key=lambda order: -int(hits[order].sum()))
    by_chance = max(gold.count(label) for label in THREE_WAY) / len(gold)  # what the same answer to all would get
    skilled = len(hits) * _at_least(int(hits[best].sum()), len(gold), by_chance) < SURE
    only_best, only_second = int((hits[best] & ~hits[second]).sum()), int((hits[second] & ~hits[best]).sum())
    ahead = _at_least(only_best, only_best + only_second, 0.5) < SURE
    right = {order: int(hits[order].sum()) for order in ranked}
    return Detected(best if skilled and ahead else None, right, len(gold), skilled)


def _detect_ranking(answers: NDArray[Any]) -> Detected:
    """Labels from ranking the hypotheses of a premise by the first output."""
    by_premise: dict[str, tuple[list[float], list[float]]] = {}
    for each, score in zip(self_evident(), answers[:, 0].tolist(), strict=True):
        by_premise.setdefault(each.texts.premise, ([], []))[each.label is not Label.ENTAILMENT].append(score)
    orders = [TWO_LABELS.labels[: answers.shape[1]], TWO_LABELS.labels[::-1][: answers.shape[1]]]
    first = sum(min(entailed) > max(others) for entailed, others in by_premise.values())
    last = sum(max(entailed) < min(others) for entailed, others in by_premise.values())
    right = dict(sorted(zip(orders, (first, last), strict=True), key=lambda each: -each[1]))
    best = next(iter(right))
    # One of three hypotheses comes first by chance, and there are two orders.
    sure = len(orders) * _at_least(right[best], len(by_premise), 1 / 3) < SURE
    return Detected(best if sure else None, right, len(by_premise), sure)


@cache
def self_evident() -> tuple[SelfEvident, ...]:
    """The pairs, written for this project: fourteen premises, each with one hypothesis per label."""
    text = (files("assay.models.adapters") / "self_evident.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple(SelfEvident(Label(label), Texts(premise, hypothesis)) for label, premise, hypothesis in rows)


def parse_labels(text: str) -> tuple[Label, ...] | None:
    """Labels as the option `labels` gives them.

    >>> parse_labels("c,e,n")
    (<Label.CONTRADICTION: 'contradiction'>, <Label.ENTAILMENT: 'entailment'>, <Label.NEUTRAL: 'neutral'>)
    >>> parse_labels("support")
    (<Label.ENTAILMENT: 'entailment'>,)
    """
    if not text:
        return None
    found = read_names(text.split(","))
    if found is None:
        raise UserError(
            f"labels={text}: list what each output means, in order, as in labels=entailment,neutral,contradiction, "
            "or labels=entailment,non-entailment for a model with two.\n"
            "  A model with one output has labels=support, or labels=unsupported if a high score means the opposite."
        )
    return found


def output_names(config: Mapping[str, Any]) -> list[str]:
    """A model's names for its outputs, in their order, from its configuration.

    >>> output_names({"id2label": {"10": "b", "9": "a"}}), output_names({})
    (['a', 'b'], [])
    """
    return [name for _, name in sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))]


def read_names(names: Sequence[str] | None) -> tuple[Label, ...] | None:
    """The labels that names mean, if each name means a different label.

    >>> read_names(["CONTRADICTION", "ENTAILMENT", "NEUTRAL"]) == (Label.CONTRADICTION, Label.ENTAILMENT, Label.NEUTRAL)
    True
    >>> read_names(["SUPPORTS", "REFUTES"]) == TWO_LABELS.labels, read_names(["LABEL_0", "LABEL_1"]) is None
    (True, True)
    """
    found = [named_label(name) for name in names or ()]
    labels = tuple(
        label if len(found) == len(THREE_WAY) else TWO_LABELS.read(label) for label in found if label is not None
    )
    return labels if len(labels) == len(found) and {*labels} in MEANINGS else None


def write_labels(labels: Sequence[Label]) -> str:
    return ",".join(labels) if len(labels) > 1 else ",".join(SINGLE[label] for label in labels)


def _objection(name: str, said: tuple[Label, ...] | None, declared: Declared, detected: Detected) -> str:
    """Error text for outputs that can't be read, with the evidence and advice."""
    if detected.order is None:
        why = "More than one order fits its answers to" if detected.skilled else "It shows no skill on"
        return (
            f": unclear what its outputs mean. It calls them {declared.called}. {why} {detected.told}:\n"
            f"{detected.evidence}\n  If you know what they mean, say so: {_ways(name, said, declared, detected)}"
        )
    by_answers = f"By its answers to {detected.told}:\n{detected.evidence}\n"
    fix = declared.fix(name, write_labels(detected.order))
    if said is None:
        named = f" does not name its outputs ({declared.called})."
        return f"{named} {by_answers}  If the first line is right, confirm it: {fix}"
    return f" calls its outputs {declared.called}, but its answers disagree. {by_answers}  Correct it: {fix}"


def _ways(name: str, said: tuple[Label, ...] | None, declared: Declared, detected: Detected) -> str:
    """The options that could declare the outputs: by the model's names, by its answers, or with labels left open."""
    if said is None and declared.outputs == len(THREE_WAY) and not detected.skilled:
        return f"{declared.fix(name, 'LABEL,LABEL,LABEL')}, where each LABEL is one of {', '.join(THREE_WAY)}"
    return " or ".join(declared.fix(name, write_labels(order)) for order in ([said] if said else [*detected.right][:2]))


def _at_least(successes: int, trials: int, chance: float) -> float:
    """Probability of at least this many successes by chance."""
    return sum(comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1))


class AnswersTexts(TextModel):
    """A text model that can be used alone: `predict` plans its batches as a run does."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        found: dict[int, Answer] = {}
        ready = self.ready([Texts(case.premise, case.hypothesis) for case in cases])
        for case, each in zip(cases, ready, strict=True):
            if not each.fits:
                raise UserError(
                    f"The hypothesis of {case.id!r} is longer than the model accepts, and only premises are ever cut: "
                    f"{case.hypothesis[:80]!r}...\n  Leave that pair out."
                )
        for batch in batches([each.size for each in ready], self.budget):
            answers = self.answer([ready[row] for row in batch.rows], width=batch.width)
            found.update(zip(batch.rows, answers, strict=True))
        return [found[row].to(case.id) for row, case in enumerate(cases)]


class PlainTexts(AnswersTexts):
    """Third-party code that takes texts as they are, in batches.

    If it answers with one score per pair, a high score means support by agreement, unless `labels` says more.
    """

    labels: str  # meaning of its answers according to the user; empty if not declared

    @abstractmethod
    def fix(self, labels: str) -> str:
        """Advice on how to declare the answers."""

    def ranks_self_evident_pairs(self) -> bool:
        """True if the model gives only scores, and these rank self-evident pairs as support does."""
        ready = self.ready([each.texts for each in self_evident()])
        answers = [
            answer
            for start in range(0, len(ready), self.budget)
            for answer in self.answer(ready[start : start + self.budget], width=1)
        ]
        scores = [(answer.probabilities or {}).get(Label.ENTAILMENT, 0.0) for answer in answers]
        return detect(np.array(scores)[:, None]).order == (Label.ENTAILMENT,)

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        return [Ready(pair) for pair in pairs]
