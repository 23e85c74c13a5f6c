"""Answers that a surface property alone suggests, learned from a model's own answers to other premises."""

import numpy

from assay.evaluate.count.columns import LABELS, NO_ANSWER, Bools, Floats, Ints
from assay.evaluate.diagnose.evidence import Words

FARTHEST = 20
"""Lengths beyond this, and differences between them, are not told apart: there are few, and copies are longer."""

NEAR = 0.1
"""An amount tells as much about its neighbour as this share of the neighbour itself, so that gaps are bridged."""

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
    elsewhere = (counts.sum(axis=0) - counts).astype(float)  # (folds, labels, words): in all other folds
    smoothing = 1.0
    if words.are_amounts:
        apart = numpy.abs(numpy.arange(words.n)[:, None] - numpy.arange(words.n))
        elsewhere, smoothing = elsewhere @ NEAR**apart, NEAR**FARTHEST
    known = elsewhere.sum(axis=1, keepdims=True) > 0
    all_words = elsewhere.sum(axis=2, keepdims=True) + smoothing * words.n
    weights = numpy.where(known, numpy.log(elsewhere + smoothing) - numpy.log(all_words), 0.0)
    given = numpy.bincount((fold * labels + answers)[taught], minlength=folds * labels).reshape(folds, labels)
    scores = _priors(given.sum(axis=0) - given)[fold]  # (cases, labels)
    for label in range(labels):
        own = weights[fold[words.case], label, words.number]
        scores[:, label] += numpy.bincount(words.case, own, minlength=len(fold))
    return numpy.asarray(scores.round(ROUNDED).argmax(axis=1))


def as_words(amount: Ints) -> Words:
    """A whole number for each case, such as a length, as if it were a word; large ones are not told apart.

    >>> as_words(numpy.array([7, -3, 99])).number.tolist()
    [27, 17, 40]
    """
    numbers = numpy.clip(amount, -FARTHEST, FARTHEST) + FARTHEST
    return Words(numbers, numpy.arange(len(amount)), 2 * FARTHEST + 1, are_amounts=True)


def _priors(seen: Ints) -> Floats:
    """The log of each label's share; a label that was never given is never expected."""
    with numpy.errstate(divide="ignore"):
        return numpy.asarray(numpy.log(seen / numpy.maximum(seen.sum(axis=1, keepdims=True), 1)))
