"""How far the surface of cases gets: labels guessed from words or lengths alone, learned from other source pairs."""

import zlib
from array import array
from collections.abc import Hashable, Iterable
from functools import lru_cache
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

_SIGNS = str.maketrans({sign: f" {sign} " for sign in '.,;:!?"()'})


class Guessed(NamedTuple):
    """The result of guessing."""

    n: int
    """How many labels there were."""
    majority: float
    """The share of the most frequent label."""
    right: float
    """The share that was guessed right."""


class Labelled:
    """Labels, each with the fold that its source falls into."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self._label_of = array("l")
        self._fold_of = array("l")

    def add(self, label: str, source: str) -> None:
        """Add a label; what has the same source is never guessed from it."""
        self._label_of.append(self.names.setdefault(label, len(self.names)))
        self._fold_of.append(zlib.crc32(source.encode()) % FOLDS)

    @property
    def label_of(self) -> NDArray[np.int_]:
        """The number of each label."""
        return np.asarray(self._label_of)

    @property
    def fold_of(self) -> NDArray[np.int_]:
        """The fold of each."""
        return np.asarray(self._fold_of)


class Features:
    """What can be seen of each thing that has a label, in the same order."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._sizes = array("l")
        self._found = array("l")

    def add(self, features: Iterable[Hashable]) -> None:
        """Add what can be seen of the next one."""
        numbers = self._numbers
        found = [numbers.setdefault(feature, len(numbers)) for feature in features]
        self._sizes.append(len(found))
        self._found.extend(found)

    def scores(self, labelled: Labelled) -> NDArray[np.float64]:
        """For each and every label, how well it goes with what is seen, as learnt from all other folds."""
        label_of, fold_of = labelled.label_of, labelled.fold_of
        labels, width = len(labelled.names), max(1, len(self._numbers))
        case_of = np.repeat(np.arange(len(label_of)), np.asarray(self._sizes))  # (features of all cases)
        found = np.asarray(self._found)
        cell = (fold_of[case_of] * labels + label_of[case_of]) * width + found
        counted = np.bincount(cell, minlength=FOLDS * labels * width).reshape(FOLDS, labels, width)
        seen = counted.sum(axis=0) - counted + 1.0  # (folds, labels, features): in all other folds
        weights = np.log(seen) - np.log(seen.sum(axis=2, keepdims=True))
        of_label = np.bincount(fold_of * labels + label_of, minlength=FOLDS * labels).reshape(FOLDS, labels)
        scores = np.log(of_label.sum(axis=0) - of_label + 1.0)[fold_of]  # (cases, labels)
        for label in range(labels):
            of_features = weights[fold_of[case_of], label, found]
            scores[:, label] += np.bincount(case_of, weights=of_features, minlength=len(label_of))
        return np.asarray(scores, dtype=np.float64)


def guess(labelled: Labelled, features: Features) -> Guessed:
    """How often naive Bayes is right, each fold of the sources guessed from the others.

    >>> labelled, features = Labelled(), Features()
    >>> for number in range(40):
    ...     labelled.add("neutral" if number % 2 else "entailment", f"pair {number}")
    ...     features.add(["some"] if number % 2 else ["all"])
    >>> guess(labelled, features)
    Guessed(n=40, majority=0.5, right=1.0)
    """
    label_of = labelled.label_of
    # Rounded, so that a tie is one on every machine.
    best = np.argmax(np.round(features.scores(labelled), 9), axis=1)
    majority = np.bincount(label_of).max() / len(label_of)
    return Guessed(len(label_of), round(float(majority), 4), round(float(np.mean(best == label_of)), 4))


class _Family:
    """What is seen of the cases of one family."""

    def __init__(self) -> None:
        self.n = 0
        self.labelled = Labelled()
        self.words, self.edited, self.lengths = Features(), Features(), Features()

    def add(self, case: Case) -> None:
        self.n += 1
        self.labelled.add(case.label, case.cluster)
        self.words.add(_words(case.hypothesis))
        self.edited.add(_edited(case))
        self.lengths.add(_lengths(case))

    def measured(self) -> Shortcuts:
        words = guess(self.labelled, self.words)
        return Shortcuts(
            n=words.n,
            majority=words.majority,
            hypothesis_words=words.right,
            edited_words=guess(self.labelled, self.edited).right,
            lengths=guess(self.labelled, self.lengths).right,
        )


def measure_shortcuts(cases: Iterable[Case]) -> dict[str, Shortcuts]:
    """How far each shortcut gets, by family. Cases that claim no label are left out; only the first cases are used.

    Folds are drawn by the premise of the source pair, so that nothing is guessed from a case of the same premise.
    """
    families: dict[str, _Family] = {}
    for case in cases:
        if case.expects != "label":
            continue
        family = families.setdefault(case.family, _Family())
        if family.n < MOST:
            family.add(case)
    return {name: family.measured() for name, family in families.items()}


def _words(text: str) -> dict[str, None]:
    """Its words and signs, each once, in the order of the text: sums must not depend on the order of a set."""
    return dict.fromkeys(text.lower().translate(_SIGNS).split())


def _edited(case: Case) -> dict[tuple[str, str], None]:
    edit = case.provenance.edit
    found: dict[tuple[str, str], None] = {}
    for change in edit.premise:
        found |= _changed("premise", change.old, change.new)
    for change in edit.hypothesis:
        found |= _changed("hypothesis", change.old, change.new)
    return found


@lru_cache(maxsize=4096)  # many families make the same change again and again
def _changed(side: str, old: str, new: str) -> dict[tuple[str, str], None]:
    without = [(f"{side} without", word) for word in _words(old)]
    return dict.fromkeys([*without, *((f"{side} with", word) for word in _words(new))])


def _lengths(case: Case) -> tuple[tuple[str, int], tuple[str, int]]:
    premise, hypothesis = case.premise.count(" "), case.hypothesis.count(" ")
    apart = max(-FARTHEST, min(FARTHEST, hypothesis - premise))
    return ("length", min(LONGEST, hypothesis)), ("difference", apart)
