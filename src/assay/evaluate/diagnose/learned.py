"""Answers that a surface property alone suggests, learned from a model's own answers to other premises."""

import numpy

from assay.evaluate.count.columns import LABELS, NO_ANSWER, Bools, Floats, Ints
from assay.evaluate.diagnose.evidence import Words

LONGEST, FARTHEST = 60, 30
"""The longest hypothesis in words, and the greatest difference from the premise, that are distinguished."""

ROUNDED = 9
"""Scores are rounded to these decimals, so that a tie is one on every machine."""


def suggested(words: Words, answers: Ints, fold: Ints, learn_from: Bools) -> Ints:
    """The answer that naive Bayes over the words expects for each case: (cases,).

    It is learned from the cases of `learn_from` in all other folds.

    >>> fold = numpy.arange(40) % 4
    >>> answers = numpy.arange(40) // 4 % 2
    >>> words = Words(answers, numpy.arange(40), 2)
    >>> bool((suggested(words, answers, fold, numpy.ones(40, bool)) == answers).all())
    True
    """
    folds, labels = int(fold.max()) + 1, len(LABELS)
    taught = learn_from & (answers != NO_ANSWER)
    seen = taught[words.case]
    cell = (fold[words.case] * labels + answers[words.case])[seen] * words.n + words.number[seen]
    counts = numpy.bincount(cell, minlength=folds * labels * words.n).reshape(folds, labels, words.n)
    elsewhere = counts.sum(axis=0) - counts  # (folds, labels, words): in all other folds
    known = elsewhere.sum(axis=1, keepdims=True) > 0
    weights = numpy.where(
        known, numpy.log(elsewhere + 1.0) - numpy.log(elsewhere.sum(axis=2, keepdims=True) + words.n), 0
    )
    given = numpy.bincount((fold * labels + answers)[taught], minlength=folds * labels).reshape(folds, labels)
    scores = _priors(given.sum(axis=0) - given)[fold]  # (cases, labels)
    for label in range(labels):
        own = weights[fold[words.case], label, words.number]
        scores[:, label] += numpy.bincount(words.case, own, minlength=len(fold))
    return numpy.asarray(scores.round(ROUNDED).argmax(axis=1))


def lengths(premise: Ints, hypothesis: Ints) -> Words:
    """The length of each hypothesis and its difference from the premise, as if they were its words.

    >>> lengths(numpy.array([9]), numpy.array([5])).number.tolist()
    [5, 87]
    """
    apart = numpy.clip(hypothesis - premise, -FARTHEST, FARTHEST) + FARTHEST
    numbers = numpy.stack([numpy.minimum(hypothesis, LONGEST), LONGEST + 1 + apart], axis=1)
    return Words(numbers.ravel(), numpy.arange(len(premise)).repeat(2), LONGEST + 2 * FARTHEST + 2)


def _priors(seen: Ints) -> Floats:
    """The log of each label's share; a label that was never given is never expected."""
    with numpy.errstate(divide="ignore"):
        return numpy.asarray(numpy.log(seen / numpy.maximum(seen.sum(axis=1, keepdims=True), 1)))
