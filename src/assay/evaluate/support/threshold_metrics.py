"""The scores of one model on a part of a suite: metrics at a threshold, rankings, and risk against coverage."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import floor
from typing import NamedTuple

import numpy

from assay.core.estimate import Estimate, Interval, ScoreBin
from assay.core.label import Label
from assay.evaluate.case_columns import BUCKETS, Bools, Floats, Ints
from assay.evaluate.intervals import ClusteredShare, cluster_share, jackknife
from assay.evaluate.resampled_metrics import BINS, bins_of
from assay.evaluate.slice_sums import bounded, estimate_of


class Decided(NamedTuple):
    """Numbers of cases on each side of a threshold; all arrays have the same shape."""

    hits: Floats  # supported cases at or above the threshold
    false: Floats  # other cases from the threshold on: false support
    supported: Floats
    others: Floats


def decisions_at(score: Floats, supported: Bools, thresholds: Floats) -> Decided:
    """The counts at each threshold: (thresholds,).

    >>> found = decisions_at(numpy.array([0.2, 0.6, 0.8]), numpy.array([False, False, True]), numpy.array([0.5, 0.7]))
    >>> found.hits.tolist(), found.false.tolist()
    ([1.0, 1.0], [1.0, 0.0])
    """
    parts = [numpy.sort(score[supported]), numpy.sort(score[~supported])]
    from_on = [len(part) - numpy.searchsorted(part, thresholds, side="left") for part in parts]
    totals = [numpy.full(len(thresholds), float(len(part))) for part in parts]
    return Decided(from_on[0].astype(float), from_on[1].astype(float), *totals)


def f1(counts: Decided) -> Floats:
    """The harmonic mean of precision and recall."""
    return _share(2 * counts.hits, counts.hits + counts.false + counts.supported)


def balanced_accuracy(counts: Decided) -> Floats:
    """The mean of the accuracies on supported cases and on the others.

    >>> float(balanced_accuracy(Decided(*map(numpy.array, (3.0, 1.0, 4.0, 2.0)))))
    0.625
    """
    return (_share(counts.hits, counts.supported) + 1 - _share(counts.false, counts.others)) / 2


def choose_threshold(score: Floats, supported: Bools) -> float | None:
    """The threshold with the highest balanced accuracy; None if there is only one kind of case.

    It lies halfway between two scores, so that it does not depend on the last digit of one. Of several that are equally
    good, the one nearest to one half is taken.

    >>> choose_threshold(numpy.array([0.1, 0.3, 0.8]), numpy.array([False, True, True]))
    0.2
    """
    distinct = numpy.unique(score)
    if supported.all() or not supported.any() or len(distinct) < 2:
        return None
    between = (distinct[1:] + distinct[:-1]) / 2
    found = balanced_accuracy(decisions_at(score, supported, between))
    best = between[found >= found.max() - 1e-12]
    return float(best[numpy.abs(best - 0.5).argmin()].round(6))


def shortest_between(low: float, high: float) -> float:
    """The number above `low` and up to `high` with the fewest decimals, of which there are two or more.

    As a threshold, it separates these two scores, also if it is copied from where it is printed.

    >>> shortest_between(0.97312, 0.97498), shortest_between(0.3, 0.9), shortest_between(0.99, 1.0)
    (0.974, 0.9, 1.0)
    """
    for decimals in range(2, 17):
        found = floor(high * 10.0**decimals) / 10.0**decimals
        if low < found <= high:
            return found
    return high


def _share(part: Floats, whole: Floats) -> Floats:
    """A share; NaN if the whole is empty."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.asarray(numpy.where(whole > 0, part / whole, numpy.nan))


class ScoreCounts(NamedTuple):
    """Counts of two kinds of cases at each distinct score, from the lowest to the highest."""

    chosen: Floats  # (..., scores) Number of cases of the chosen kind, such as supported ones
    others: Floats


def counts_of(score: Floats, chosen: Bools) -> ScoreCounts:
    """The cases at each distinct score.

    >>> counts_of(numpy.array([0.5, 0.1, 0.5]), numpy.array([True, False, False]))
    ScoreCounts(chosen=array([0., 1.]), others=array([1., 1.]))
    """
    _, places = numpy.unique(score, return_inverse=True)
    width = int(places.max()) + 1 if len(places) else 0
    split = [numpy.bincount(places[kind], minlength=width).astype(float) for kind in (chosen, ~chosen)]
    return ScoreCounts(*split)


def roc_auc(counts: ScoreCounts) -> Floats:
    """The area under the ROC curve: how often a supported case has the higher score; half if the scores are equal.

    >>> float(roc_auc(counts_of(numpy.array([0.1, 0.4, 0.35, 0.8]), numpy.array([False, False, True, True]))))
    0.75
    """
    supported, others = counts
    below = numpy.cumsum(others, axis=-1) - others / 2
    return numpy.asarray((supported * below).sum(axis=-1) / (supported.sum(axis=-1) * others.sum(axis=-1)))


def average_precision(counts: ScoreCounts) -> Floats:
    """The mean precision over the supported cases, each taken at its own score as the threshold.

    >>> counts = counts_of(numpy.array([0.1, 0.4, 0.35, 0.8]), numpy.array([False, False, True, True]))
    >>> round(float(average_precision(counts)), 4)
    0.8333
    """
    supported, others = (numpy.flip(each, axis=-1) for each in counts)
    hits, misses = numpy.cumsum(supported, axis=-1), numpy.cumsum(others, axis=-1)
    with numpy.errstate(invalid="ignore"):  # a draw may have no case down to here; such a score adds nothing
        precision = numpy.nan_to_num(hits / (hits + misses))
    return numpy.asarray((supported * precision).sum(axis=-1) / supported.sum(axis=-1))


STEPS = 20  # number of stored points of a risk-coverage curve


def sureness(score: Floats, threshold: float) -> Floats:
    """Distance of a score from the threshold, on its side of it: 0 at the threshold, 1 at the end of the scale.

    It is rounded, so that scores as far above the threshold as others are below it are equally sure.

    >>> sureness(numpy.array([0.0, 0.4, 0.8, 0.9]), 0.8).round(2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    above, below = 1 - threshold or 1.0, threshold or 1.0
    found = numpy.where(score >= threshold, (score - threshold) / above, (threshold - score) / below)
    return numpy.asarray(found.round(9))


def risk_coverage(sure: Floats, wrong: Bools, cluster: Ints) -> tuple[Floats, list[ClusteredShare]]:
    """Fractions of the cases that are answered, most confident first, and the fraction of wrong answers among them.

    Answers that are equally sure are given together.
    """
    steps = numpy.unique(sure)[::-1]
    coverage = 1 - numpy.searchsorted(numpy.sort(sure), steps) / len(sure)  # (steps,)
    wanted = numpy.arange(1, STEPS + 1) / STEPS
    at = numpy.unique(numpy.searchsorted(coverage, wanted - 1e-12))
    given = [sure >= step for step in steps[at]]
    return coverage[at], [cluster_share(wrong[each], cluster[each]) for each in given]


def mean_risk(wrong: Floats, right: Floats) -> Floats:
    """The mean risk over all coverages, from counts by sureness, the lowest first: each (..., steps).

    >>> float(mean_risk(numpy.array([0.0, 1.0, 0.0]), numpy.array([1.0, 0.0, 1.0])).round(4))
    0.2778
    """
    errors, n = numpy.flip(wrong, axis=-1), numpy.flip(wrong + right, axis=-1)
    with numpy.errstate(invalid="ignore"):  # a draw may have no case down to here; such a step adds nothing
        risk = numpy.nan_to_num(numpy.cumsum(errors, axis=-1) / numpy.cumsum(n, axis=-1))
    return numpy.asarray((risk * n).sum(axis=-1) / n.sum(axis=-1))


def reliability(score: Floats, supported: Bools, cluster: Ints) -> tuple[ScoreBin, ...]:
    """Mean score and share of supported cases in bins of equal width; empty bins are left out."""
    bins = bins_of(score)
    found = []
    for number in range(BINS):
        here = bins == number
        if here.any():
            share = cluster_share(supported[here], cluster[here])
            low, high = share.interval or (None, None)
            mean, value = float(score[here].mean()), float(supported[here].mean())
            found.append(ScoreBin(score=mean, supported=value, low=low, high=high, n=int(here.sum())))
    return tuple(found)


MOST_SCORES = 500  # distinct scores for an interval; more are merged into this many groups of similar size


class Scored(NamedTuple):
    """Cases with their scores; each field is (cases,)."""

    score: Floats
    supported: Bools
    cluster: Ints  # the number of the unit that the case shares with others
    bucket: Ints  # the group of units

    def only(self, chosen: Bools) -> "Scored":
        return Scored(self.score[chosen], self.supported[chosen], self.cluster[chosen], self.bucket[chosen])

    @property
    def has_both(self) -> bool:
        """True if there are supported cases and others."""
        return bool(self.supported.any() and not self.supported.all())

    def decisions(self, threshold: float) -> Iterator[Estimate]:
        yes = self.score >= threshold
        supported, others = self.supported, ~self.supported
        yield estimate_of("recall", cluster_share(yes[supported], self.cluster[supported]), ENTAILED)
        yield estimate_of("recall", cluster_share(~yes[others], self.cluster[others]), NOT_ENTAILED)
        yield estimate_of("false-support", cluster_share(yes[others], self.cluster[others]), {})
        if self.has_both:
            yield estimate_of("precision", cluster_share(supported[yes], self.cluster[yes]), ENTAILED)
            both = numpy.array([threshold])
            values = _measures(decisions_at(self.score, supported, both))
            for name, value, ends, where in zip(ALONG, values, self.ends_along(both), (ENTAILED, {}), strict=True):
                yield bounded(name, float(value[0]), ends[0], len(yes), where)

    def ends_along(self, thresholds: Floats) -> list[list[Interval | None]]:
        """The intervals of f1 and of balanced accuracy at each threshold."""
        buckets = [self.bucket == number for number in numpy.unique(self.bucket)]
        own = [decisions_at(self.score[here], self.supported[here], thresholds) for here in buckets]
        rows = numpy.stack([numpy.stack(each, axis=-1) for each in own])  # (buckets, thresholds, counts)

        def figure(totals: Floats) -> Floats:
            return numpy.stack(_measures(Decided(*numpy.moveaxis(totals, -1, 0))), axis=-1)

        supported, others = self._kinds
        most = [supported, 4 / (1 / supported + 1 / others)] if supported and others else [0.0, 0.0]
        found = jackknife(rows, figure, numpy.tile(most, len(thresholds)))
        return [found[::2], found[1::2]]

    @property
    def _kinds(self) -> tuple[int, int]:
        """Numbers of clusters with supported cases and with others."""
        return len(numpy.unique(self.cluster[self.supported])), len(numpy.unique(self.cluster[~self.supported]))

    def rankings(self) -> Iterator[Estimate]:
        """The numbers that need no threshold."""
        if not self.has_both:
            return
        exact = counts_of(self.score, self.supported)
        supported, others = self._kinds
        # Independent trials that the area under the ROC curve is worth at least (Hanley and McNeil 1982).
        ranked = supported * others / (1 + ((supported + others) / 2 - 1) * 2 / 3)
        most = [ranked, supported]
        ends = self._ends_by_value(self.score, self.supported, RANKINGS.values(), most)
        for (name, measure), interval in zip(RANKINGS.items(), ends, strict=True):
            yield bounded(name, float(measure(exact)), interval, len(self.score), {})

    def mean_risk(self, sure: Floats, wrong: Bools) -> Estimate:
        """The fraction of wrong answers among the most confident ones, averaged over all coverages."""
        risk = [lambda counts: mean_risk(*counts)]
        (ends,) = self._ends_by_value(sure, wrong, risk, [len(numpy.unique(self.cluster))])
        return bounded("risk-coverage", float(mean_risk(*counts_of(sure, wrong))), ends, len(sure), {})

    def _ends_by_value(
        self, values: Floats, chosen: Bools, measures: Iterable[Callable[[ScoreCounts], Floats]], most: Sequence[float]
    ) -> list[Interval | None]:
        """Intervals of measures that depend only on how many chosen and other cases have each value."""
        edges = numpy.unique(values)
        if len(edges) > MOST_SCORES:
            edges = numpy.unique(numpy.quantile(values, numpy.arange(MOST_SCORES) / MOST_SCORES, method="lower"))
        width = len(edges)
        places = numpy.searchsorted(edges, values, side="right") - 1 + width * ~chosen
        sums = numpy.bincount(self.bucket * 2 * width + places, minlength=BUCKETS * 2 * width).astype(numpy.float64)
        rows = sums.reshape(BUCKETS, 2, width)
        rows = rows[rows.any(axis=(1, 2))]  # (buckets, chosen and others, values)

        def figure(totals: Floats) -> Floats:
            counts = ScoreCounts(totals[:, 0], totals[:, 1])
            return numpy.stack([measure(counts) for measure in measures], axis=-1)

        return jackknife(rows, figure, most)


ENTAILED, NOT_ENTAILED = {"label": Label.ENTAILMENT.value}, {"label": Label.NON_ENTAILMENT.value}
RANKINGS = {"roc-auc": roc_auc, "average-precision": average_precision}
ALONG = ("f1", "balanced-accuracy")  # what `_measures` gives


def _measures(counts: Decided) -> tuple[Floats, Floats]:
    return f1(counts), balanced_accuracy(counts)


FEWEST = 20  # the fewest supported cases, other cases and clusters that a direction is read from
SURE = 2.5758
"""Standard errors on each side of a 99% interval. With 95%, small samples at chance would look reversed too often."""


class Direction(NamedTuple):
    """The area under the ROC curve of scores, with its 99% interval."""

    auc: float
    low: float
    high: float
    supported: int
    others: int

    @property
    def is_reversed(self) -> bool:
        """True if supported cases clearly get the lower scores."""
        return self.high < 0.5


def read_direction(score: Floats, supported: Bools, cluster: Ints) -> Direction | None:
    """The direction of the scores; None with too few cases.

    The standard error is the larger of two: that of the ranks within clusters, and that of the same scores at chance,
    which holds where nearly all scores are equal.
    """
    _, cluster = numpy.unique(cluster, return_inverse=True)
    hits, misses = int(supported.sum()), int((~supported).sum())
    clusters = int(cluster.max(initial=-1)) + 1
    if min(hits, misses, clusters) < FEWEST:
        return None
    share = placements(score, supported)
    auc = float(share[supported].mean())
    weight = numpy.where(supported, 1 / hits, 1 / misses)
    sums = numpy.bincount(cluster, weights=weight * (share - auc))
    in_clusters = float((sums**2).sum()) * clusters / (clusters - 1)
    n = len(score)
    ties = numpy.unique(score, return_counts=True)[1].astype(float)
    at_chance = (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1))) / (12 * hits * misses)
    error = SURE * max(in_clusters, at_chance) ** 0.5
    return Direction(auc, auc - error, auc + error, hits, misses)


def placements(score: Floats, supported: Bools) -> Floats:
    """(cases,) The fraction of others below each supported case, and of supported cases above each other one.

    >>> placements(numpy.array([0.1, 0.4, 0.35, 0.8]), numpy.array([False, False, True, True])).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    return numpy.where(supported, _share_below(score, score[~supported]), 1 - _share_below(score, score[supported]))


def _share_below(score: Floats, others: Floats) -> Floats:
    """The fraction of the others that have a lower score; equal ones count half."""
    ranks = numpy.sort(others)
    lower, not_higher = (numpy.searchsorted(ranks, score, side=side) for side in ("left", "right"))
    return numpy.asarray((lower + not_higher) / 2 / len(others))
