"""Two systems, or two ways to train one, compared over several training runs; runs and cases are both random."""

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from typing import NamedTuple

import numpy

from assay.core.case import ORIGINAL
from assay.core.comparison import Comparison, Outcome
from assay.evaluate.case_columns import Bools, CaseColumns, Encoder, Ints
from assay.evaluate.intervals import NO_FLIPS, SignFlips, flip_clusters, freedom_of, student_95, student_p
from assay.evaluate.losses import is_clear, outcome_of
from assay.evaluate.margin import upper_tail
from assay.evaluate.paired import holm
from assay.evaluate.seeds import exchange_p
from assay.evaluate.slice_sums import label_slice, slice_of, with_labels

FEWEST = 4  # training runs that each side of a verdict needs: exchanging three and three gives a p of 0.1 at best


class TrainingDifference(NamedTuple):
    value: float
    low: float | None  # of the 95% interval, over other training runs and other cases; None if it can't be estimated
    high: float | None
    p: float | None
    error: float | None = None  # the standard error; None if it is not known
    freedom: float = inf


class TrainingsTest(NamedTuple):
    """The training runs of two sides on one slice of the cases."""

    slice: dict[str, str]
    n: int
    candidate: tuple[float, ...]
    baseline: tuple[float, ...]
    difference: TrainingDifference
    exchange: float  # the p of exchanging training runs between the sides, which assumes nothing about how they vary

    @property
    def trainings(self) -> int:
        """Training runs of the side that has fewer."""
        return min(len(self.candidate), len(self.baseline))

    @property
    def p(self) -> float | None:
        """The p of the difference; None if there are too few training runs for a verdict."""
        return self.difference.p if self.trainings >= FEWEST else None

    def noninferiority_p(self, margin: float) -> float:
        """The one-sided p of a loss as large as the margin; never below that of exchanging training runs."""
        if self.trainings < FEWEST or self.difference.error is None:
            return 1.0
        moved = exchange_p([value + margin for value in self.candidate], self.baseline) / 2
        gap = self.difference.value + margin
        if not self.difference.error:
            return moved if gap > 0 else 1.0
        return max(upper_tail(gap / self.difference.error, self.difference.freedom), moved if gap > 0 else 1 - moved)


class Standing(NamedTuple):
    """True if the two sides are significantly above the best guess on the unmodified pairs of a suite."""

    suite: str
    candidate: bool
    baseline: bool
    has_edits: bool


def compare_hits(
    candidate: Ints, baseline: Ints, trials: Ints, crossed: tuple[Ints, Ints, Ints] | None = None
) -> TrainingDifference:
    """The difference of two mean accuracies, from the hits of each training run in each cluster of cases.

    The hits are (trainings, clusters), the trials (clusters,). The variance has three parts: between training runs of
    each side, and between clusters of cases. Variation over cases that differs between training runs is in both
    parts, and is counted once. If a side has one training run, its p and interval are about that training run.

    `crossed` gives the same cases by another kind of cluster, such as the premise: the hits of all training runs
    (the candidate's first) and the trials; then the hits by case. Each kind adds to the variance of cases.
    """
    hits = numpy.concatenate([candidate, baseline])  # (trainings of both, clusters)
    accuracies = hits.sum(axis=1) / trials.sum()
    sides = [numpy.arange(len(candidate)), numpy.arange(len(candidate), len(hits))]
    value = float(accuracies[sides[0]].mean() - accuracies[sides[1]].mean())
    if len(trials) < 2:
        return TrainingDifference(value, None, None, None)
    between = [(float(accuracies[side].var(ddof=1)) / len(side), len(side) - 1) for side in sides if len(side) > 1]
    cases = _over_cases(hits, trials, sides)
    if crossed:
        others, of_each, right = crossed
        if len(of_each) < 2:
            return TrainingDifference(value, None, None, None)
        other, (alone, _) = _over_cases(others, of_each, sides), _over_cases(right, numpy.ones_like(right[0]), sides)
        cases = alone + max(0.0, cases[0] - alone) + max(0.0, other[0] - alone), max(cases, other)[1]
    n = float(trials.sum())
    by_cluster = [hits, *([crossed[0]] if crossed else [])]
    flips = flip_clusters([each[sides[0]].mean(axis=0) - each[sides[1]].mean(axis=0) for each in by_cluster], n)
    return difference_of(value, between, cases, flips)


def _over_cases(hits: Ints, trials: Ints, sides: Sequence[Ints]) -> tuple[float, float]:
    """The variance of a difference between two sides over clusters of cases, with its degrees of freedom."""
    clusters, cases = len(trials), trials.sum()
    accuracies = hits.sum(axis=1, keepdims=True) / cases
    moved = (hits - accuracies * trials) / (cases - trials)  # (trainings of both, clusters) If a cluster is left out
    scale = (clusters - 1) / clusters
    means = [moved[side].mean(axis=0) for side in sides]  # each (clusters,)
    variance = scale * float(((means[0] - means[1]) ** 2).sum())
    for side, mean in zip(sides, means, strict=True):
        if len(side) > 1:
            alone = scale * float((moved[side] ** 2).sum(axis=1).mean())
            variance -= (alone - scale * float((mean**2).sum())) / (len(side) - 1)
    return max(variance, 0.0), freedom_of(means[0] - means[1], sizes=trials)


def difference_of(
    value: float, between: Sequence[tuple[float, int]], cases: tuple[float, float], flips: SignFlips = NO_FLIPS
) -> TrainingDifference:
    """A difference with its variances between training runs and over cases, each with its degrees of freedom.

    The p value is never below that of flipping the sign of each cluster's difference.

    Training runs have the degrees of freedom of the side that has fewer, because one side may vary much more than the
    other. With the cases, they are Satterthwaite's, but never more than both sides have together, because the formula
    gives too many if training runs happen to be close to each other.

    >>> difference_of(0.0, [(0.0, 3)], (0.0, 9)), round(difference_of(0.1, [(0.0009, 3)], (0.0016, 99)).p, 3)
    (TrainingDifference(value=0.0, low=0.0, high=0.0, p=1.0, error=0.0, freedom=inf), 0.139)
    """
    trainings = sum(size for size, _ in between)
    total = trainings + cases[0]
    if not total:
        return TrainingDifference(value, value, value, 0.0 if abs(value) > 1e-12 else 1.0, 0.0)
    freedom = cases[1]
    if between:
        own = [freedom for _, freedom in between]
        freedom = min(total**2 / (trainings**2 / min(own) + cases[0] ** 2 / cases[1]), sum(own))
    error = sqrt(total)
    reach = max(student_95(freedom) * error, flips.reach(value, cases[1]))
    p = max(student_p(value / error, freedom), flips.p)
    return TrainingDifference(value, max(-1.0, value - reach), min(1.0, value + reach), p, error, freedom)


def adjust_tests(tests: Sequence[tuple[float | None, float]]) -> list[float | None]:
    """Corrected p of tests that are read together, each given as its p and that of exchanging training runs.

    The p value is corrected by Holm's method. It assumes that training runs vary about as normal variables do, so it
    is never taken to be below the p of exchanging training runs, which assumes nothing.

    >>> adjust_tests([(0.001, 0.03), (0.004, 0.008), (None, 1.0)])
    [0.03, 0.008, None]
    """
    known = [place for place, (p, _) in enumerate(tests) if p is not None]
    corrected = dict(zip(known, holm([tests[place][0] or 0.0 for place in known]), strict=True))
    return [max(corrected[place], moved) if place in corrected else None for place, (_, moved) in enumerate(tests)]


def judge_trainings(difference: float, adjusted: float | None, trainings: int, *, at_chance: bool = False) -> Outcome:
    """The outcome of a difference, where the side with fewer training runs has this many.

    >>> judge_trainings(0.1, 0.03, 4), judge_trainings(0.1, None, 3), judge_trainings(0.1, None, 1)
    ('better', 'too few trainings', 'one training')
    >>> judge_trainings(0.257, 0.001, 5, at_chance=True)
    'at chance on unmodified pairs'
    """
    if at_chance:
        return "at chance on unmodified pairs"
    if trainings < FEWEST:
        return "one training" if trainings == 1 else "too few trainings"
    return outcome_of(difference, adjusted)


def has_enough_trainings(comparison: Comparison) -> bool:
    """True if both sides have the training runs that a verdict needs; two single models are compared as they are."""
    sides = [side for row in comparison.slices for side in (row.candidate_band, row.baseline_band) if side]
    return all(side.n >= FEWEST for side in sides)


class TrainingBoard:
    """Collects the cases that each training run of two systems got right."""

    def __init__(self, *, suite: str, encoder: Encoder, candidates: int) -> None:
        self._suite, self._encoder, self._candidates = suite, encoder, candidates
        self._entries: list[tuple[Ints, Ints, Ints, Ints, Bools]] = []
        self._originals: list[tuple[Ints, Ints, Bools]] = []
        self._has_edits = False

    def add(self, cases: CaseColumns, right: Bools) -> None:
        """Add a chunk: whether each training run is right on each case, (trainings, cases), the candidate's first."""
        own = numpy.flatnonzero(cases.claims[cases.facet_of])
        if not len(own):
            return
        entries = with_labels(cases.facet[own], cases.facet_of[own], cases.label)
        order = numpy.argsort(entries.places, kind="stable")
        rows = entries.rows[order]
        self._entries.append((entries.codes[order], cases.unit[rows], cases.cluster[rows], rows, right))
        unmodified = numpy.flatnonzero(cases.claims & cases.original)
        self._originals.append((cases.unit[unmodified], cases.label[unmodified], right[:, unmodified]))
        self._has_edits |= not cases.original.all()

    def tests(self) -> list[TrainingsTest]:
        """Every slice, in order of appearance."""
        if not self._entries:
            return []
        codes, units, clusters = (numpy.concatenate([each[part] for each in self._entries]) for part in range(3))
        right = numpy.concatenate([right[:, rows] for *_, rows, right in self._entries], axis=1)
        order = numpy.argsort(codes, kind="stable")
        found, starts = numpy.unique(codes[order], return_index=True)
        parts = dict(zip(found.tolist(), numpy.split(order, starts[1:]), strict=True))
        return [
            self._test(code, units[parts[code]], clusters[parts[code]], right[:, parts[code]])
            for code in dict.fromkeys(codes.tolist())
        ]

    def _test(self, code: int, units: Ints, clusters: Ints, right: Bools) -> TrainingsTest:
        hits, trials = _by_cluster(right, units)
        accuracies = (hits.sum(axis=1) / trials.sum()).tolist()
        candidate, baseline = accuracies[: self._candidates], accuracies[self._candidates :]
        crossed = None if (units == clusters).all() else (*_by_cluster(right, clusters), right.astype(numpy.int64))
        difference = compare_hits(hits[: self._candidates], hits[self._candidates :], trials, crossed)
        if min(len(candidate), len(baseline)) < 2:
            difference = TrainingDifference(difference.value, None, None, None)
        facet, label = slice_of(code)
        return TrainingsTest(
            slice=label_slice({"suite": self._suite, **self._encoder.facets[facet].slice}, label),
            n=int(trials.sum()),
            candidate=tuple(candidate),
            baseline=tuple(baseline),
            difference=difference,
            exchange=exchange_p(candidate, baseline),
        )

    def standing(self) -> Standing | None:
        """True if the two sides are above the best guess; None if the suite has no unmodified pairs."""
        if not sum(len(labels) for _, labels, _ in self._originals):
            return None
        clusters, labels = (numpy.concatenate([each[part] for each in self._originals]) for part in (0, 1))
        right = numpy.concatenate([each[2] for each in self._originals], axis=1)
        guess = (labels == numpy.bincount(labels).argmax())[None]  # (1, cases) Whether the most frequent label is right
        hits, trials = _by_cluster(numpy.concatenate([right, guess]), clusters)
        sides = hits[: self._candidates], hits[self._candidates : -1]
        candidate, baseline = (_is_above(side, hits[-1:], trials) for side in sides)
        return Standing(self._suite, candidate, baseline, self._has_edits)


def is_at_chance(where: Mapping[str, str], standings: Sequence[Standing]) -> bool:
    """True if a difference on a slice says nothing because a side is no better than the best guess on unmodified pairs.

    A suite with edited pairs is judged by its own unmodified pairs. Any other suite, such as a challenge set, is
    judged by the unmodified pairs of all suites: a side is at chance if it is above the best guess on none.
    Unmodified pairs and their labels are compared if one of the two sides is above the best guess on them, so that a
    fall to chance is seen.

    >>> plain, challenge = Standing("snli", False, True, False), Standing("breaking", False, False, False)
    >>> is_at_chance({"suite": "breaking", "family": "original"}, [plain, challenge])
    True
    >>> is_at_chance({"suite": "snli", "family": "original"}, [plain, challenge])
    False
    """
    own = next((each for each in standings if each.suite == where["suite"]), None)
    unmodified = where.keys() <= {"suite", "family", "label"} and where["family"] == ORIGINAL
    if own and unmodified and (own.candidate or own.baseline):
        return False
    asked = [own] if own and own.has_edits else standings
    return bool(asked) and not (any(each.candidate for each in asked) and any(each.baseline for each in asked))


def _is_above(side: Ints, guess: Ints, trials: Ints) -> bool:
    """True if training runs are significantly above a guess; with too few of them, only the cases count as random."""
    few = len(side)
    if few < FEWEST:
        side, guess, trials = side.sum(axis=0, keepdims=True), guess * few, trials * few
    difference = compare_hits(side, guess, trials)
    return difference.value > 0 and is_clear(difference.p)


def _by_cluster(right: Bools, clusters: Ints) -> tuple[Ints, Ints]:
    """(trainings, clusters) Right answers by cluster, and (clusters,) cases by cluster."""
    _, numbers = numpy.unique(clusters, return_inverse=True)
    trials = numpy.bincount(numbers)
    hits = [numpy.bincount(numbers[row], minlength=len(trials)) for row in right.astype(bool)]
    return numpy.stack(hits), trials
