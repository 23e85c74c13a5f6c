"""The scores of one model on one part of a suite, and every figure at one threshold."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy

from assay.core.label import Label
from assay.evaluate.count.columns import BUCKETS, Bools, Floats, Ints
from assay.evaluate.interval import ClusteredShare, Interval
from assay.evaluate.jackknife import jackknife
from assay.evaluate.support.deciding import Decided, balanced_accuracy, decided, f1
from assay.evaluate.support.ranking import Counts, average_precision, counts_of, ranked_pairs, roc_auc
from assay.evaluate.support.shares import clustered
from assay.evaluate.support.sureness import mean_risk, sureness

MOST_SCORES = 500
"""How many distinct scores an interval is drawn from; more are merged into as many groups of similar size."""


class Figure(NamedTuple):
    """A figure with its interval."""

    name: str
    """What was measured."""
    value: float | None
    """The figure; None if nothing was measured."""
    interval: Interval | None
    """Its 95 % interval, if it has one."""
    n: int
    """How many cases it is based on."""
    label: Label | None = None
    """The label that it is about, if it is about one."""


class Scored(NamedTuple):
    """Cases with their scores; each (cases,)."""

    score: Floats
    """The support score."""
    supported: Bools
    """Whether the case is supported."""
    cluster: Ints
    """The number of the unit that the case shares with others."""
    bucket: Ints
    """The group of units."""

    def only(self, chosen: Bools) -> "Scored":
        """Some of the cases."""
        return Scored(self.score[chosen], self.supported[chosen], self.cluster[chosen], self.bucket[chosen])

    @property
    def has_both(self) -> bool:
        """Whether there are supported cases and others."""
        return bool(self.supported.any() and not self.supported.all())

    def decisions(self, threshold: float) -> Iterator[Figure]:
        """The figures at a threshold."""
        yes = self.score >= threshold
        supported, others = self.supported, ~self.supported
        yield _figure("recall", clustered(yes[supported], self.cluster[supported]), Label.ENTAILMENT)
        yield _figure("recall", clustered(~yes[others], self.cluster[others]), Label.NON_ENTAILMENT)
        yield _figure("false-support", clustered(yes[others], self.cluster[others]))
        if self.has_both:
            yield _figure("precision", clustered(supported[yes], self.cluster[yes]), Label.ENTAILMENT)
            both = numpy.array([threshold])
            values = [float(each[0]) for each in _measures(decided(self.score, supported, both))]
            ends = self.ends_along(both)
            yield Figure("f1", values[0], ends[0][0], len(yes), Label.ENTAILMENT)
            yield Figure("balanced-accuracy", values[1], ends[1][0], len(yes))

    def ends_along(self, thresholds: Floats) -> list[list[Interval | None]]:
        """The intervals of f1 and of balanced accuracy at each threshold."""
        own = [decided(*part, thresholds) for part in self._by_bucket()]  # by bucket, each (thresholds,)
        rows = numpy.stack([numpy.stack(each, axis=-1) for each in own])  # (buckets, thresholds, counts)

        def figure(totals: Floats) -> Floats:
            return numpy.stack(_measures(Decided(*numpy.moveaxis(totals, -1, 0))), axis=-1)

        supported, others = self._kinds
        most = [supported, 4 / (1 / supported + 1 / others)] if supported and others else [0.0, 0.0]
        found = jackknife(rows, figure, numpy.tile(most, len(thresholds)))
        return [found[::2], found[1::2]]

    @property
    def _kinds(self) -> tuple[int, int]:
        """How many clusters have supported cases, and how many have others."""
        return len(numpy.unique(self.cluster[self.supported])), len(numpy.unique(self.cluster[~self.supported]))

    def rankings(self) -> Iterator[Figure]:
        """The figures that need no threshold."""
        if not self.has_both:
            return
        exact = counts_of(self.score, self.supported)
        supported, others = self._kinds
        most = [ranked_pairs(supported, others), supported]
        ends = self._ends_by_value(self.score, self.supported, _rankings, most)
        for name, measure, interval in zip(("roc-auc", "average-precision"), RANKINGS, ends, strict=True):
            yield Figure(name, float(measure(exact)), interval, len(self.score))

    def mean_risk(self, threshold: float) -> Figure:
        """The share of wrong answers among the surest ones, as a mean over all coverages."""
        sure, wrong = sureness(self.score, threshold), (self.score >= threshold) != self.supported
        (ends,) = self._ends_by_value(sure, wrong, _risks, [len(numpy.unique(self.cluster))])
        return Figure("risk-coverage", float(mean_risk(*counts_of(sure, wrong))), ends, len(sure))

    def _ends_by_value(
        self, values: Floats, chosen: Bools, measures: Callable[[Counts], list[Floats]], most: Sequence[float]
    ) -> list[Interval | None]:
        """The intervals of figures that are made of how many cases, chosen ones and others, have each value."""
        edges = numpy.unique(values)
        if len(edges) > MOST_SCORES:
            edges = numpy.unique(numpy.quantile(values, numpy.arange(MOST_SCORES) / MOST_SCORES, method="lower"))
        width = len(edges)
        places = numpy.searchsorted(edges, values, side="right") - 1 + width * ~chosen
        sums = numpy.bincount(self.bucket * 2 * width + places, minlength=BUCKETS * 2 * width).astype(numpy.float64)
        rows = sums.reshape(BUCKETS, 2, width)
        rows = rows[rows.any(axis=(1, 2))]  # (buckets, chosen and others, values)

        def figure(totals: Floats) -> Floats:
            return numpy.stack(measures(Counts(totals[:, 0], totals[:, 1])), axis=-1)

        return jackknife(rows, figure, most)

    def _by_bucket(self) -> Iterator[tuple[Floats, Bools]]:
        for number in numpy.unique(self.bucket):
            here = self.bucket == number
            yield self.score[here], self.supported[here]


RANKINGS = (roc_auc, average_precision)


def _rankings(counts: Counts) -> list[Floats]:
    return [measure(counts) for measure in RANKINGS]


def _risks(counts: Counts) -> list[Floats]:
    return [mean_risk(*counts)]


def _measures(counts: Decided) -> tuple[Floats, Floats]:
    return f1(counts), balanced_accuracy(counts)


def _figure(name: str, share: ClusteredShare, label: Label | None = None) -> Figure:
    return Figure(name, share.value, share.interval, share.n, label)
