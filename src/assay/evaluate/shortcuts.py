"""How far the surface of cases gets: labels guessed from words or lengths alone, learned from other source pairs."""

import re
import zlib
from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.case import Case
from assay.core.suite import Shortcuts

FOLDS = 5
MOST = 100_000
"""The most cases of a family that are looked at."""
LONGEST, FARTHEST = 60, 30
"""The longest hypothesis in words, and the greatest difference from the premise, that are distinguished."""

_WORD = re.compile(r"\w+|[^\w\s]")


class Guessed(NamedTuple):
    """The result of guessing."""

    n: int
    """How many labels there were."""
    majority: float
    """The share of the most frequent label."""
    right: float
    """The share that was guessed right."""


class Guesser:
    """Naive Bayes over binary features; each fold of the sources is guessed from the others.

    >>> guesser = Guesser()
    >>> for number in range(40):
    ...     guesser.add("neutral" if number % 2 else "entailment", f"pair {number}", ["some" if number % 2 else "all"])
    >>> guesser.guessed()
    Guessed(n=40, majority=0.5, right=1.0)
    """

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}
        self._features: dict[str, int] = {}
        self._label_of = array("l")
        self._fold_of = array("l")
        self._sizes = array("l")
        self._found = array("l")

    def add(self, label: str, source: str, features: Iterable[str]) -> None:
        """Add a case's features with its label; its source decides its fold."""
        known = self._features
        ids = [known.setdefault(feature, len(known)) for feature in dict.fromkeys(features)]
        self._label_of.append(self._labels.setdefault(label, len(self._labels)))
        self._fold_of.append(zlib.crc32(source.encode()) % FOLDS)
        self._sizes.append(len(ids))
        self._found.extend(ids)

    def guessed(self) -> Guessed:
        """The share of labels that is guessed right; nothing is learned from the source that is guessed."""
        label_of, fold_of = np.asarray(self._label_of), np.asarray(self._fold_of)  # (cases)
        n, labels = len(label_of), len(self._labels)
        counts = np.bincount(label_of, minlength=labels)
        scores = self._scores(label_of, fold_of)
        # Rounded, so that a tie is a tie on every machine.
        best = np.argmax(np.round(scores, 9), axis=1)
        return Guessed(n, round(float(counts.max() / n), 4), round(float(np.mean(best == label_of)), 4))

    def _scores(self, label_of: NDArray[np.int_], fold_of: NDArray[np.int_]) -> NDArray[np.float64]:
        labels, width = len(self._labels), max(1, len(self._features))
        case_of = np.repeat(np.arange(len(label_of)), np.asarray(self._sizes))  # (features of all cases)
        found = np.asarray(self._found)
        cell = (fold_of[case_of] * labels + label_of[case_of]) * width + found
        counted = np.bincount(cell, minlength=FOLDS * labels * width).reshape(FOLDS, labels, width)
        seen = counted.sum(axis=0) - counted + 1.0  # (folds, labels, features): in all other folds
        weights = np.log(seen) - np.log(seen.sum(axis=2, keepdims=True))
        of_label = np.bincount(fold_of * labels + label_of, minlength=FOLDS * labels).reshape(FOLDS, labels)
        scores = np.log(of_label.sum(axis=0) - of_label + 1.0)[fold_of]  # (cases, labels)
        for label in range(labels):
            scores[:, label] += np.bincount(
                case_of, weights=weights[fold_of[case_of], label, found], minlength=len(label_of)
            )
        return np.asarray(scores, dtype=np.float64)


def measure_shortcuts(cases: Iterable[Case]) -> dict[str, Shortcuts]:
    """How far each shortcut gets, by family. Cases that claim no label are left out; only the first cases are used.

    Folds are drawn by the premise of the source pair, so that nothing is guessed from a case of the same premise.
    """
    families: dict[str, tuple[Guesser, Guesser, Guesser]] = {}
    sizes: dict[str, int] = {}
    for case in cases:
        size = sizes.get(case.family, 0)
        if case.expects != "label" or size >= MOST:
            continue
        sizes[case.family] = size + 1
        guessers = families.setdefault(case.family, (Guesser(), Guesser(), Guesser()))
        for guesser, features in zip(guessers, (_words(case), _edited(case), _lengths(case)), strict=True):
            guesser.add(case.label, case.cluster, features)
    return {family: _shortcuts(*(each.guessed() for each in found)) for family, found in families.items()}


def _shortcuts(words: Guessed, edited: Guessed, lengths: Guessed) -> Shortcuts:
    return Shortcuts(
        n=words.n,
        majority=words.majority,
        hypothesis_words=words.right,
        edited_words=edited.right,
        lengths=lengths.right,
    )


def _words(case: Case) -> list[str]:
    return _WORD.findall(case.hypothesis.lower())


def _edited(case: Case) -> list[str]:
    edit = case.provenance.edit
    return [
        f"{side}{sign}{word}"
        for side, changes in (("premise", edit.premise), ("hypothesis", edit.hypothesis))
        for change in changes
        for sign, text in (("-", change.old), ("+", change.new))
        for word in _WORD.findall(text.lower())
    ]


def _lengths(case: Case) -> tuple[str, str]:
    premise, hypothesis = case.premise.count(" "), case.hypothesis.count(" ")
    apart = max(-FARTHEST, min(FARTHEST, hypothesis - premise))
    return f"length {min(LONGEST, hypothesis)}", f"difference {apart}"
