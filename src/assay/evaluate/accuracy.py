"""Accuracy by family, variant, label and group, from one pass over cases and answers."""

from collections import Counter
from collections.abc import Iterator

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.prediction import Prediction
from assay.evaluate.interval import ClusteredShare

MOST_VALUES = 200
"""A group with more values than this, such as a score, is no slice to report."""

RESERVED = frozenset({"model", "suite", "family", "variant", "label"})
"""Names of slices that every suite has; a group of the same name, such as a corpus's own family, is kept apart."""


def is_right(answer: Label, gold: Label) -> bool:
    """Whether an answer is right. Where either side knows only two labels, both are compared as two.

    >>> is_right(Label.NEUTRAL, Label.NON_ENTAILMENT), is_right(Label.NEUTRAL, Label.CONTRADICTION)
    (True, False)
    """
    if Label.NON_ENTAILMENT in (answer, gold):
        return answer.two_way is gold.two_way
    return answer is gold


class Slice:
    """The answers to one slice of the cases; those of one source pair, which stand together, are one cluster."""

    def __init__(self) -> None:
        self.share = ClusteredShare()
        self._root: str | None = None
        self._hits = 0
        self._trials = 0

    def add(self, root: str, right: bool) -> None:
        if root != self._root:
            self.close()
            self._root = root
        self._hits += right
        self._trials += 1

    def close(self) -> None:
        """Count the last source pair."""
        if self._trials:
            self.share.add(self._hits, self._trials)
            self._hits = self._trials = 0


Key = tuple[tuple[str, str], ...]

NAMES = {"label": "accuracy", "hold": "kept", "drop": "kept"}
"""What the share of right answers is called; where no label is claimed, it is the share of the source pair's label."""


class Accuracy:
    """Adds up one model's answers to one suite.

    >>> Accuracy(model="m", suite="s").estimates()
    []
    """

    def __init__(self, *, model: str, suite: str) -> None:
        self.model = model
        self.suite = suite
        self._slices: dict[tuple[str, Key], Slice] = {}
        self._values: dict[tuple[str, str], set[str]] = {}
        self._notes: Counter[tuple[str, str]] = Counter()

    def add(self, case: Case, prediction: Prediction | None) -> None:
        """Count one answer; a missing one is wrong."""
        if prediction is not None and prediction.note:
            self._notes[case.family, prediction.note] += 1
        right = prediction is not None and is_right(prediction.label, case.label)
        name = NAMES[case.expects]
        for key in self._keys(case):
            found = self._slices.get((name, key))
            if found is None:
                found = self._slices[name, key] = Slice()
            found.add(case.root, right)

    def estimates(self) -> list[Estimate]:
        """Every slice's accuracy, in the order in which the slices appeared, and how often the model fell back."""
        found = [
            self._estimate(name, key, part) for (name, key), part in self._slices.items() if not self._too_many(key)
        ]
        return found + [self._fallbacks(family, note, count) for (family, note), count in self._notes.items()]

    def _keys(self, case: Case) -> Iterator[Key]:
        family = ("family", case.family)
        yield (family,)
        yield (family, ("label", case.label.value))
        if case.variant:
            yield (family, ("variant", case.variant))
            yield (family, ("variant", case.variant), ("label", case.label.value))
        for own, value in case.group.items():
            name = f"group:{own}" if own in RESERVED else own
            values = self._values.setdefault((case.family, name), set())
            if len(values) <= MOST_VALUES:
                values.add(value)
                yield (family, (name, value))
                yield (family, (name, value), ("label", case.label.value))

    def _too_many(self, key: Key) -> bool:
        return any(len(self._values.get((key[0][1], name), ())) > MOST_VALUES for name, _ in key[1:])

    def _fallbacks(self, family: str, note: str, count: int) -> Estimate:
        cases = sum(part.share.n for (_, key), part in self._slices.items() if key == (("family", family),))
        where = {"model": self.model, "suite": self.suite, "family": family, "note": note}
        return Estimate(name="fallback", value=count / cases, n=cases, slice=where)

    def _estimate(self, name: str, key: Key, part: Slice) -> Estimate:
        part.close()
        share = part.share
        interval = share.interval
        return Estimate(
            name=name,
            value=share.value,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            n=share.n,
            slice={"model": self.model, "suite": self.suite, **dict(key)},
        )
