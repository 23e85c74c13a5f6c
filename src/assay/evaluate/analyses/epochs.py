"""What models get wrong again and again while they are trained (Wang et al. 2019, Tables A1 and A2)."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy

from assay.core.chance import rng_for
from assay.core.label import THREE_WAY
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.shares import estimate_of
from assay.evaluate.count.columns import LABELS, Bools, Floats, Ints
from assay.evaluate.interval import clustered_share

MOST = 400
"""How many of the cases that a model most often gets wrong are looked at, as in the paper."""


class Trace:
    """One model's answers to the same cases after each epoch.

    >>> gold = numpy.array([0, 1, 2])
    >>> trace = Trace("m", gold, numpy.array([[0, 0, 0], [0, 1, 0]]), numpy.arange(3))
    >>> trace.times_wrong.tolist(), trace.most_wrong(1).tolist()
    ([0, 1, 2], [2])
    """

    def __init__(self, model: str, gold: Ints, answers: Ints, clusters: Ints) -> None:
        self.model = model
        self.gold = gold  # (cases,)
        self.answers = answers  # (epochs, cases)
        self.clusters = clusters  # (cases,)
        self.right = RIGHT[answers, gold]  # (epochs, cases)

    @property
    def times_wrong(self) -> Ints:
        """(cases,) After how many epochs each case is answered wrongly."""
        return numpy.asarray((~self.right).sum(axis=0))

    def most_wrong(self, most: int = MOST) -> Ints:
        """The cases that are wrong most often and at least once; of equals, some drawn by chance for each model."""
        shuffled = list(range(len(self.gold)))
        rng_for(0, transform="most-wrong/v1", pair=self.model).shuffle(shuffled)
        order = numpy.array(sorted(shuffled, key=(-self.times_wrong).tolist().__getitem__)[:most], dtype=numpy.int64)
        return numpy.asarray(order[self.times_wrong[order] > 0])

    def chances(self, most: int = MOST) -> Floats:
        """(cases,) How likely each case is among the most frequent errors, over all ways to break ties."""
        times = self.times_wrong
        least = numpy.sort(times)[::-1][:most].min(initial=len(self.right))  # wrong as often as the last that counts
        above, tied = times > least, times == least
        share = (most - above.sum()) / max(tied.sum(), 1)
        return numpy.where(times == 0, 0.0, numpy.where(above, 1.0, numpy.where(tied, min(share, 1.0), 0.0)))

    def estimates(self, most: int = MOST) -> list[Estimate]:
        """Accuracy after each epoch, agreement with the epoch before, and the kinds of the most frequent errors."""
        found = [self._share("accuracy", right, epoch=str(epoch)) for epoch, right in enumerate(self.right, 1)]
        for epoch, (one, other) in enumerate(pairwise(self.answers), 2):
            found.append(self._share("agreement", one == other, epoch=str(epoch)))
        worst = self.most_wrong(most)
        errors = [
            (~self.right[:, worst] & (self.answers[:, worst] == answer)).sum(axis=0) for answer in range(len(LABELS))
        ]
        usual = numpy.stack(errors).argmax(axis=0) if len(worst) else worst  # the wrong answer that is given most often
        for label in THREE_WAY:
            for answer in THREE_WAY:
                if label is not answer and len(worst):
                    hits = (self.gold[worst] == LABELS.index(label)) & (usual == LABELS.index(answer))
                    share = clustered_share(hits, numpy.ones(len(worst)))
                    where = {"model": self.model, "label": label.value, "answer": answer.value}
                    found.append(estimate_of("direction", share, where))
        return found

    def _share(self, name: str, hits: Bools, **where: str) -> Estimate:
        _, numbers = numpy.unique(self.clusters, return_inverse=True)
        share = clustered_share(numpy.bincount(numbers, weights=hits), numpy.bincount(numbers))
        return estimate_of(name, share, {"model": self.model, **where})


def common(traces: Sequence[Trace], most: int = MOST) -> list[Estimate]:
    """For each two models, how many of their most frequent errors are the same cases, and how many chance would give.

    Ties are broken by chance, so the first number is one draw of many; `over ties` is its mean over all of them.

    >>> gold, clusters = numpy.array([0, 1, 2, 0]), numpy.arange(4)
    >>> said = {"a": [[1, 1, 0, 0]], "b": [[1, 0, 2, 0]]}
    >>> found = common([Trace(name, gold, numpy.array(rows), clusters) for name, rows in said.items()], most=2)
    >>> [(each.name, each.value) for each in found]
    [('common', 1.0), ('over ties', 1.0), ('by chance', 1.0)]
    """
    found = []
    for one, other in combinations(traces, 2):
        first, second = one.most_wrong(most), other.most_wrong(most)
        where = {"model": one.model, "other": other.model}
        n = len(one.gold)
        together = len(numpy.intersect1d(first, second))
        found.append(Estimate(name="common", value=float(together), n=n, slice=where))
        mean = float(one.chances(most) @ other.chances(most))
        found.append(Estimate(name="over ties", value=mean, n=n, slice=where))
        chance = len(first) * len(second) / n if n else None
        found.append(Estimate(name="by chance", value=chance, n=n, slice=where))
    return found
