"""Answers that surface features suggest, learned from a model's own answers to other premises and word pairs."""

from typing import NamedTuple

import numpy

from assay.evaluate.count.columns import LABELS, Bools, Floats, Ints
from assay.evaluate.diagnose.evidence import SILENT, Words

FOLDS = 5
"""Premises are divided into this many folds, and word pairs, too. Nothing is learned from cases of the same fold."""

FARTHEST = 40
"""Lengths beyond this, and differences between them, are not told apart."""

NEAR = 0.1
"""An amount tells as much about its neighbour as this share of the neighbour itself, so that gaps are bridged."""

RAREST = 3
"""Features of fewer cases than this teach nothing."""

NOISE = 3.0
"""Of many features, one counts by how many standard errors it is farther from chance than this."""

ROUNDED = 9
"""Scores are rounded to these decimals, so that a tie is one on every machine."""


class Features(NamedTuple):
    """Which features cases have, ready to be counted; made once, and used for all models."""

    case: Ints
    """(entries,) The row of the case."""
    number: Ints
    """(entries,) The number of the feature, counted from 0."""
    cell: Ints
    """(entries,) The folds of premise and word pair."""
    group: Ints
    """(entries,) Entries of one feature, premise and word pair."""
    n: int
    """How many features there are."""
    near: Floats | None
    """(features, features) How much an amount tells about another; None if features are not amounts."""


def features_of(
    words: Words, premise: Ints, changed: Ints, *, are_amounts: bool = False, of_pairs: bool = False
) -> Features:
    """Index features by the folds of their cases. Features that are word pairs may be learned from the same pair."""
    counts = numpy.bincount(words.number)
    frequent = numpy.flatnonzero(counts >= (1 if are_amounts else RAREST))
    place = numpy.full(len(counts), -1)
    place[frequent] = numpy.arange(len(frequent))
    kept = place[words.number] >= 0
    case, number = words.case[kept], place[words.number[kept]]
    pair_fold = numpy.full(len(case), FOLDS) if of_pairs else numpy.where(changed < 0, FOLDS, changed % FOLDS)[case]
    most = int(changed.max(initial=0)) + 2
    key = (number * (int(premise.max(initial=0)) + 1) + premise[case]) * most + changed[case] + 1
    return Features(
        case=case,
        number=number,
        cell=premise[case] % FOLDS * (FOLDS + 1) + pair_fold,
        group=numpy.unique(key, return_inverse=True)[1],
        n=len(frequent),
        near=NEAR ** numpy.abs(frequent[:, None] - frequent) if are_amounts else None,
    )


class Lessons(NamedTuple):
    """What a model's answers teach."""

    surplus: Floats
    """(cases, labels) By how much an answer is given more often than to cases of the same stratum."""
    spread: Floats
    """(cases, labels) The standard deviation of that."""


def lessons(answers: Ints, stratum: Ints, taught: Bools) -> Lessons:
    """The lessons of the answers to some cases."""
    given = (answers[:, None] == numpy.arange(len(LABELS))).astype(float)  # (cases, labels)
    strata = int(stratum.max(initial=0)) + 1
    sizes = numpy.bincount(stratum, taught, minlength=strata)
    sums = numpy.stack([numpy.bincount(stratum, each * taught, minlength=strata) for each in given.T], axis=1)
    rates = (sums / numpy.maximum(sizes, 1)[:, None])[stratum]
    return Lessons((given - rates) * taught[:, None], numpy.sqrt(rates * (1 - rates)) * taught[:, None])


def suggested(features: Features, learned: Lessons) -> Ints:
    """For each case the answer that its features raise most clearly, as learned from other folds: (cases,).

    Cases without a feature that raises an answer get `SILENT`.

    >>> premise, answers = numpy.arange(40), numpy.arange(40) // 4 % 2
    >>> no = numpy.zeros(40, dtype=numpy.int64)
    >>> features = features_of(Words(answers, premise), premise, no - 1)
    >>> bool((suggested(features, lessons(answers, no, no == 0)) == answers).all())
    True
    """
    cases, labels = learned.surplus.shape
    case, number, cell, n = features.case, features.number, features.cell, features.n
    if not n:
        return numpy.full(cases, SILENT)
    shape = (FOLDS, FOLDS + 1, n)
    size = FOLDS * (FOLDS + 1) * n
    place = cell * n + number
    groups = int(features.group.max()) + 1
    place_of_group = numpy.zeros(groups, dtype=numpy.int64)
    place_of_group[features.group] = place
    noise = NOISE if features.near is None and len(case) > cases else 0.0
    scores = numpy.zeros((cases, labels))
    for label in range(labels):
        raised = _elsewhere(numpy.bincount(place, learned.surplus[case, label], minlength=size).reshape(shape))
        # Answers to cases of one premise may all be alike.
        together = numpy.bincount(features.group, learned.spread[case, label], minlength=groups) ** 2
        variance = _elsewhere(numpy.bincount(place_of_group, together, minlength=size).reshape(shape))
        if features.near is not None:
            raised, variance = raised @ features.near, variance @ features.near**2
        clear = raised / numpy.sqrt(numpy.maximum(variance, 0) + 0.25)
        clear = numpy.sign(clear) * numpy.maximum(numpy.abs(clear) - noise, 0)
        scores[:, label] = numpy.bincount(case, clear.reshape(-1)[place], minlength=cases)
    scores = scores.round(ROUNDED)
    return numpy.where(scores.max(axis=1) > 0, scores.argmax(axis=1), SILENT)


def as_words(amount: Ints) -> Words:
    """A whole number for each case, such as a length, as if it were a word; large ones are not told apart.

    >>> as_words(numpy.array([7, -3, 99])).number.tolist()
    [47, 37, 80]
    """
    return Words(numpy.clip(amount, -FARTHEST, FARTHEST) + FARTHEST, numpy.arange(len(amount)))


def _elsewhere(sums: Floats | Ints) -> Floats:
    """(folds, pair folds, features) The sums of all cases that share neither fold; the last pair fold is no pair."""
    pairs = sums.sum(axis=0, keepdims=True) - sums
    pairs[:, -1] = 0
    return numpy.asarray(sums.sum(axis=(0, 1)) - sums.sum(axis=1, keepdims=True) - pairs, dtype=numpy.float64)
