"""Errors that several models share, by what a case asks and by what the models say (Naik et al. 2018, 4.3)."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy

from assay.core.label import THREE_WAY, Label
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.shares import NOWHERE, Shares, estimate_of
from assay.evaluate.count.columns import LABELS, Ints

DIFFERENT = "different answers"
"""What models say that are all wrong, but not in the same way."""

ANSWERS = (*(label.value for label in THREE_WAY), DIFFERENT)


class SharedErrors:
    """Counts the cases that every model gets wrong, by kind of case, right label and answer.

    `shared` is the share of the cases of a kind that all models get wrong. `direction` is the share of all shared
    errors that has one kind, right label and answer; `false-entailment` is the share that answers entailment.

    >>> counted = SharedErrors(["swapped", "changed"], where={"suite": "s"})
    >>> gold, said = numpy.array([1, 1, 0]), numpy.array([[0, 1, 0], [0, 0, 0]])
    >>> counted.add(numpy.array([0, 0, 1]), gold, said, numpy.arange(3))
    >>> [(each.name, each.slice.get("kind"), each.value) for each in counted.estimates()][:3]
    [('shared', 'swapped', 0.5), ('shared', 'changed', 0.0), ('false-entailment', None, 1.0)]
    """

    def __init__(self, kinds: Sequence[str], *, where: dict[str, str]) -> None:
        self._kinds = kinds
        self._where = where
        self._shared, self._entailed = Shares(), Shares()
        self._ways = {way: Shares() for way in product(range(len(kinds)), THREE_WAY, ANSWERS) if way[1].value != way[2]}

    def add(self, kinds: Ints, gold: Ints, said: Ints, clusters: Ints) -> None:
        """Count cases with the numbers of their kinds, their right labels, and all models' answers, (models, cases)."""
        wrong = numpy.asarray(~RIGHT[said, gold].any(axis=0))
        self._shared.add(kinds, clusters, wrong)
        same = (said == said[0]).all(axis=0)
        errors = numpy.where(wrong, 0, NOWHERE)
        self._entailed.add(errors, clusters, same & (said[0] == LABELS.index(Label.ENTAILMENT)))
        for (kind, label, answer), shares in self._ways.items():
            answered = ~same if answer == DIFFERENT else same & (said[0] == LABELS.index(Label(answer)))
            shares.add(errors, clusters, (kinds == kind) & (gold == LABELS.index(label)) & answered)

    def estimates(self) -> list[Estimate]:
        """The shares of errors by kind, then what the errors are."""
        return list(self._estimates())

    def _estimates(self) -> Iterator[Estimate]:
        for kind, share in sorted(self._shared.found().items()):
            yield estimate_of("shared", share, {**self._where, "kind": self._kinds[kind]})
        for share in self._entailed.found().values():
            yield estimate_of("false-entailment", share, self._where)
        for (kind, label, answer), shares in self._ways.items():
            for share in shares.found().values():
                if share.hits:
                    way = {"kind": self._kinds[kind], "label": label.value, "answer": answer}
                    yield estimate_of("direction", share, {**self._where, **way})
