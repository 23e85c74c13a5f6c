"""How often errors show a cue that could explain them, and how often cases with the cue are errors."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy

from assay.core.results.estimate import Estimate, Interval
from assay.evaluate.analyses.shares import NOWHERE, Shares, estimate_of
from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.interval import Z95

UNKNOWN = "unknown"
"""What an error without any cue is called, as in the paper."""


WORDS, PER_WORD = 400, 30
"""The most frequent words of the hypotheses are taken into account: at most so many, and one for so many cases."""

FOLDS = 5
"""Expectations about a case are learned from the cases of other folds; a source pair is in one fold."""

RIDGE = 5.0
"""How strongly the weights of words are drawn to zero, so that rare ones get none."""

DECILES = numpy.arange(0.1, 1, 0.1)
"""Where the expectations that a regression gives are cut into parts, because they need not be straight lines."""

FEWEST = 30
"""With fewer cases with the cue, or without it, nothing is said about the excess."""


class Cues:
    """Counts one model's errors by cue; an error can have several.

    `explained` is the share of errors that have a cue; of the cases with a cue, `with` is the share of errors, and of
    those without it, `without`.

    >>> cues = Cues(["negation"])
    >>> has = numpy.array([[True, False, False]])
    >>> cues.add(has, has, wrong=numpy.array([True, True, False]), clusters=numpy.arange(3))
    >>> [(each.name, each.slice["cue"], each.value) for each in cues.estimates({})]  # doctest: +NORMALIZE_WHITESPACE
    [('explained', 'negation', 0.5), ('with', 'negation', 1.0), ('without', 'negation', 0.5),
     ('explained', 'unknown', 0.5)]
    """

    def __init__(self, cues: Sequence[str]) -> None:
        self._cues = cues
        self._explained = [Shares() for _ in (*cues, UNKNOWN)]
        self._with = [Shares() for _ in cues]
        self._without = [Shares() for _ in cues]

    def add(self, present: Bools, fits: Bools, *, wrong: Bools, clusters: Ints, units: Ints | None = None) -> None:
        """Count cases, (cues, cases): whether a cue is present, and whether it fits the error that the model makes."""
        errors = numpy.where(wrong, 0, NOWHERE)
        for number in range(len(self._cues)):
            self._explained[number].add(errors, clusters, fits[number], units)
            self._with[number].add(numpy.where(present[number], 0, NOWHERE), clusters, wrong, units)
            self._without[number].add(numpy.where(present[number], NOWHERE, 0), clusters, wrong, units)
        self._explained[-1].add(errors, clusters, numpy.asarray(~fits.any(axis=0)), units)

    def estimates(self, where: Mapping[str, str]) -> list[Estimate]:
        """The figures of every cue, then the errors without one."""
        found = []
        for number, cue in enumerate((*self._cues, UNKNOWN)):
            counted = {"explained": self._explained[number]}
            if cue != UNKNOWN:
                counted |= {"with": self._with[number], "without": self._without[number]}
            for name, shares in counted.items():
                found += [estimate_of(name, share, {**where, "cue": cue}) for share in shares.found().values()]
        return found


class Excess:
    """How much more often cases with a cue are errors than their labels and hypotheses lead to expect.

    Cases with a cue have other labels and other hypotheses than the rest, and these alone change how often a model
    errs, even one that never sees the premise. So both the errors and the cue are first predicted from the hypothesis,
    separately for each label. The excess is the slope of what is left of the errors on what is left of the cue
    (the partially linear model of Robinson 1988, cross-fitted). It is in points of the error rate.
    """

    def __init__(self, cues: Sequence[str]) -> None:
        self._cues = cues
        self._parts: list[tuple[Bools, Bools, Ints, Ints]] = []
        self._hypotheses: list[frozenset[str]] = []
        self._clusters = 0

    def add(
        self, present: Bools, wrong: Bools, *, label: Ints, hypotheses: Sequence[frozenset[str]], clusters: Ints
    ) -> None:
        """Take in a chunk of cases: cues (cues, cases), errors (models, cases), and the words of the hypotheses."""
        self._parts.append((present, wrong, label, clusters + self._clusters))
        self._hypotheses += hypotheses
        self._clusters += int(clusters.max(initial=-1)) + 1

    def estimates(self, wheres: Sequence[Mapping[str, str]]) -> list[list[Estimate]]:
        """The excess of each model with each cue that enough cases have and lack."""
        if not self._parts:
            return [[] for _ in wheres]
        present, wrong = (numpy.concatenate([part[each] for part in self._parts], axis=1) for each in (0, 1))
        label, clusters = (numpy.concatenate([part[each] for part in self._parts]) for each in (2, 3))
        left, learned = _unexplained(numpy.concatenate([wrong, present]).T, label, self._hypotheses, clusters)
        errors, cued = left[:, : len(wrong)].T, left[:, len(wrong) :].T  # (models, cases), (cues, cases)
        found: list[list[Estimate]] = []
        for model, where in enumerate(wheres):
            found.append([])
            for number, cue in enumerate(self._cues):
                n = int(present[number].sum())
                if FEWEST <= n <= len(label) - FEWEST and (cued[number] ** 2).sum() > 0:
                    value, (low, high) = _slope(errors[model], cued[number], clusters, learned)
                    place = {**where, "cue": cue}
                    found[-1].append(Estimate(name="excess", value=value, low=low, high=high, n=n, slice=place))
        return found


def _unexplained(
    targets: Bools, label: Ints, hypotheses: Sequence[frozenset[str]], clusters: Ints
) -> tuple[Floats, int]:
    """What is left of each target after its expectation given label and hypothesis, and how many weights that took.

    Both targets and what is left are (cases, targets).
    """
    frequent = Counter(word for words in hypotheses for word in words)
    ranked = sorted(frequent, key=lambda word: (-frequent[word], word))[: min(WORDS, len(label) // PER_WORD)]
    known = {word: number for number, word in enumerate(ranked)}
    inputs = numpy.zeros((len(label), len(known) + 1))  # (cases, words and length)
    for row, words in enumerate(hypotheses):
        inputs[row, [known[word] for word in words if word in known]] = 1
        inputs[row, -1] = numpy.log1p(len(words))
    left = numpy.zeros(targets.shape)
    for code in numpy.unique(label):
        for fold in range(FOLDS):
            there = label == code
            own, others = there & (clusters % FOLDS == fold), there & (clusters % FOLDS != fold)
            if not others.any() or not own.any():
                continue  # nothing to learn from: these cases say nothing
            left[own] = targets[own] - _expected(inputs[others], targets[others], inputs[own])
    return left, len(numpy.unique(label)) * (inputs.shape[1] + 1)


def _expected(seen: Floats, targets: Bools, asked: Floats) -> Floats:
    """(cases, targets) What the targets are expected to be: a ridge regression, corrected by deciles of its results."""
    middle, base = seen.mean(axis=0), targets.mean(axis=0)
    squares = (seen - middle).T @ (seen - middle) + RIDGE * numpy.eye(seen.shape[1])
    weights = numpy.linalg.solve(squares, (seen - middle).T @ (targets - base))
    fitted: Floats = base + (seen - middle) @ weights
    expected: Floats = base + (asked - middle) @ weights
    for number in range(targets.shape[1]):
        edges = numpy.quantile(fitted[:, number], DECILES)
        places = numpy.searchsorted(edges, fitted[:, number])
        sizes = numpy.bincount(places, minlength=len(edges) + 1)
        missed = numpy.bincount(places, weights=targets[:, number] - fitted[:, number], minlength=len(edges) + 1)
        expected[:, number] += (missed / numpy.maximum(sizes, 1))[numpy.searchsorted(edges, expected[:, number])]
    return expected


def _slope(errors: Floats, cued: Floats, clusters: Ints, learned: int) -> tuple[float, Interval]:
    """The slope of one on the other, with an interval that keeps the cases of a source pair together.

    The interval is widened for the weights that were learned from the same cases.
    """
    squares = float((cued**2).sum())
    slope = float((errors * cued).sum()) / squares
    sums = numpy.bincount(clusters, weights=(errors - slope * cued) * cued)
    widened = len(errors) / max(1, len(errors) - learned)
    spread = Z95 * float(numpy.sqrt(widened * (sums**2).sum())) / squares
    return slope, Interval(slope - spread, slope + spread)
