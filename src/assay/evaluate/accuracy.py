"""Accuracy by family, variant, label and group."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy

from assay.core.label import Label
from assay.core.results.estimate import Estimate
from assay.evaluate.count.cells import cells, named, slice_of, with_labels
from assay.evaluate.count.columns import AnswerColumns, Bools, CaseColumns, Encoder
from assay.evaluate.count.tallies import ShareTally
from assay.evaluate.interval import ClusteredShare

NAMES = ("accuracy", "kept")
"""The name of the share of right answers; if no label is claimed, that of answers with the source pair's label."""


def is_right(answer: Label, gold: Label) -> bool:
    """Whether an answer is right. If either side has only two labels, both are compared as two.

    >>> is_right(Label.NEUTRAL, Label.NON_ENTAILMENT), is_right(Label.NEUTRAL, Label.CONTRADICTION)
    (True, False)
    """
    if Label.NON_ENTAILMENT in (answer, gold):
        return answer.two_way is gold.two_way
    return answer is gold


RIGHT = numpy.array([*([is_right(answer, gold) for gold in Label] for answer in Label), [False] * len(Label)])
"""(answers and none, labels) The same, by code; a missing answer is wrong."""


class Accuracy:
    """Adds up models' answers to one suite.

    >>> Accuracy(["m"], suite="s", encoder=Encoder()).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._shares = ShareTally(len(models))
        self._notes: list[Counter[tuple[int, str]]] = [Counter() for _ in models]
        self._cases: Counter[int] = Counter()

    def add(self, cases: CaseColumns, answers: AnswerColumns, right: Bools) -> None:
        """Count answers and whether they are right, (models, cases)."""
        codes = cases.facet * len(NAMES) + ~cases.claims[cases.facet_of]
        entries = with_labels(codes, cases.facet_of, cases.label)
        found = cells(entries.codes, cases.cluster[entries.rows], cases.unit[entries.rows])
        self._shares.add(found, right[:, entries.rows], entries.places[found.met])
        families = cases.family.tolist()
        self._cases.update(families)
        for counted, notes in zip(self._notes, answers.notes, strict=True):
            counted.update((family, note) for family, note in zip(families, notes, strict=True) if note)

    def estimates(self) -> list[list[Estimate]]:
        """For each model, the accuracy on every slice, in order of appearance, and how often the model fell back."""
        return [
            [
                *self._accuracies(model, self._shares.shares(number)),
                *(self._fallback(model, family, note, n) for (family, note), n in self._notes[number].items()),
            ]
            for number, model in enumerate(self._models)
        ]

    def _accuracies(self, model: str, shares: Mapping[int, ClusteredShare]) -> list[Estimate]:
        found = []
        for slice_code, share in shares.items():
            code, label = slice_of(slice_code)
            facet = self._encoder.facets[code // len(NAMES)]
            if not self._encoder.has_too_many_values(facet):
                where = named({"model": model, "suite": self._suite, **facet.slice}, label)
                low, high = share.interval or (None, None)
                name = NAMES[code % len(NAMES)]
                found.append(
                    Estimate(
                        name=name,
                        value=share.value,
                        low=low,
                        high=high,
                        n=share.n,
                        slice=where,
                        clusters=share.clusters,
                    )
                )
        return found

    def _fallback(self, model: str, family: int, note: str, count: int) -> Estimate:
        where = {"model": model, "suite": self._suite, "family": self._encoder.families[family], "note": note}
        return Estimate(name="fallback", value=count / self._cases[family], n=self._cases[family], slice=where)
