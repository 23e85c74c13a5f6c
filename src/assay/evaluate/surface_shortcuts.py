"""Labels guessed from words or lengths alone, learned from other source pairs."""

import hashlib
import zlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.case import Case
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS, TWO_LABELS, LabelSpace
from assay.core.manifest import Shortcuts
from assay.evaluate.intervals import ClusteredShare, clustered_share

FOLDS = 5
MOST = 100_000  # maximum number of cases of a family that are looked at
LONGEST, FARTHEST = 60, 30
"""The longest hypothesis in words, and the greatest difference from the premise, that are distinguished."""
MOST_NEW = 6  # maximum number of hypothesis words that are not in the premise that are distinguished
MARGIN = 0.04  # how far a shortcut may be above the most frequent label in a family that is balanced
FEWEST = 50  # minimum number of cases that are balanced: with fewer, the accuracy of a shortcut is too uncertain
ROUNDS = 8
READ, LETTERS = 1_000, 30
"""Maximum number of words that are used, and their longest mean length: a document says nothing new after that."""

_SIGNS = [(sign, f" {sign} ") for sign in '.,;:!?"()']


class Guessed(NamedTuple):
    n: int
    majority: float  # the fraction of cases with the most frequent label
    right: float


class LabelledFolds:
    """Labels, each with the fold of its source pair and with its cluster."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self._label_of = array("l")
        self._fold_of = array("l")
        self._clusters: dict[str, int] = {}
        self._cluster_of = array("l")

    def add(self, label: str, source: str, cluster: str | None = None) -> None:
        """Add a label. It is never guessed from labels of the same source; labels of a cluster count together."""
        self._label_of.append(self.names.setdefault(label, len(self.names)))
        self._fold_of.append(zlib.crc32(source.encode()) % FOLDS)
        self._cluster_of.append(self._clusters.setdefault(source if cluster is None else cluster, len(self._clusters)))

    def merge(self) -> None:
        """Count neutral and contradiction as one label from now on.

        >>> labelled = LabelledFolds()
        >>> for number, label in enumerate(["neutral", "entailment", "contradiction"]):
        ...     labelled.add(label, str(number))
        >>> labelled.merge()
        >>> labelled.names, labelled.label_of.tolist()
        ({'non-entailment': 0, 'entailment': 1}, [0, 1, 0])
        """
        names: dict[str, int] = {}
        codes = [names.setdefault(TWO_LABELS.read(Label(name)).value, len(names)) for name in self.names]
        self.names = names
        self._label_of = array("l", [codes[label] for label in self._label_of])

    @property
    def label_of(self) -> NDArray[np.int_]:
        return np.asarray(self._label_of)

    @property
    def fold_of(self) -> NDArray[np.int_]:
        return np.asarray(self._fold_of)

    @property
    def cluster_of(self) -> NDArray[np.int_]:
        return np.asarray(self._cluster_of)


class ShortcutFeatures:
    """Features of each labelled item, in the same order."""

    def __init__(self) -> None:
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._ends = array("l")
        self._found = array("l")

    def add(self, features: Iterable[Hashable]) -> None:
        self._found.extend(map(self._numbers.__getitem__, features))
        self._ends.append(len(self._found))

    @property
    def names(self) -> list[Hashable]:
        """All features, by index."""
        return [*self._numbers]

    @property
    def case_of(self) -> NDArray[np.int_]:
        """For each feature of each case, in order, the index of the case."""
        return np.repeat(np.arange(len(self._ends)), np.diff(self._ends, prepend=0))

    @property
    def found(self) -> NDArray[np.int_]:
        """For each feature of each case, in order, the index of the feature."""
        return np.asarray(self._found)

    def scores(self, labelled: LabelledFolds, left: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """For each label, its association with the features, learned from all other folds.

        With `left`, it is learnt from these alone.
        """
        label_of, fold_of = labelled.label_of, labelled.fold_of
        labels, width = len(labelled.names), max(1, len(self._numbers))
        case_of, found = self.case_of, self.found  # (features of all cases)
        given = np.ones(len(label_of)) if left is None else left.astype(np.float64)
        cell = (fold_of[case_of] * labels + label_of[case_of]) * width + found
        counted = np.bincount(cell, weights=given[case_of], minlength=FOLDS * labels * width)
        counted = counted.reshape(FOLDS, labels, width)
        seen = counted.sum(axis=0) - counted + 1.0  # (folds, labels, features): in all other folds
        weights = np.log(seen) - np.log(seen.sum(axis=2, keepdims=True))
        of_label = np.bincount(fold_of * labels + label_of, weights=given, minlength=FOLDS * labels)
        of_label = of_label.reshape(FOLDS, labels)
        scores = np.log(of_label.sum(axis=0) - of_label + 1.0)[fold_of]  # (cases, labels)
        for label in range(labels):
            of_features = weights[fold_of[case_of], label, found]
            scores[:, label] += np.bincount(case_of, weights=of_features, minlength=len(label_of))
        return np.asarray(scores, dtype=np.float64)


def right_guesses(
    labelled: LabelledFolds, features: ShortcutFeatures, left: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Labels that naive Bayes guesses right, each fold of the sources from the others, or from `left`."""
    # Rounded, so that a tie is one on every machine.
    best = np.argmax(np.round(features.scores(labelled, left), 9), axis=1)
    return np.asarray(best == labelled.label_of)


def guess_labels(labelled: LabelledFolds, features: ShortcutFeatures) -> Guessed:
    """The accuracy of naive Bayes, each fold of the sources guessed from the others."""
    right = right_guesses(labelled, features)
    return Guessed(len(right), _share(is_most_frequent(labelled)), _share(right))


def is_most_frequent(labelled: LabelledFolds) -> NDArray[np.bool_]:
    """Labels that are the most frequent one."""
    return np.asarray(labelled.label_of == np.bincount(labelled.label_of).argmax())


def guess_share(right: NDArray[np.bool_], labelled: LabelledFolds) -> ClusteredShare:
    """The fraction of right guesses, whose interval counts what has the same cluster together."""
    trials = np.bincount(labelled.cluster_of)
    hits = np.bincount(labelled.cluster_of, weights=right).astype(np.int_)
    return clustered_share(hits, trials)


class SurfaceFeatures:
    """The features of cases for the shortcuts with these names."""

    def __init__(self, names: Iterable[str]) -> None:
        self.n = 0
        self.labelled = LabelledFolds()
        self.features = {name: ShortcutFeatures() for name in names}

    def add(self, case: Case) -> None:
        """Add a case. Its fold is chosen by the premise of its source pair; its cluster is its unit."""
        self.n += 1
        self.labelled.add(case.compared_with, case.cluster, case.clusters[-1])
        for name, features in self.features.items():
            features.add(SHORTCUTS[name](case))


def measure_shortcuts(cases: Iterable[Case], space: LabelSpace = THREE_LABELS) -> dict[str, Shortcuts]:
    """The accuracy of each shortcut, by family. Cases without a label are left out; only the first cases are used.

    Folds are drawn by the premise of the source pair, so that nothing is guessed from a case of the same premise.
    Labels are those of the space.
    """
    families: defaultdict[str, SurfaceFeatures] = defaultdict(partial(SurfaceFeatures, MEASURED))
    for case in cases:
        if case.expects == "label" and families[case.family].n < MOST:
            families[case.family].add(case)
    found = {}
    for name, family in families.items():
        if space.is_binary:
            family.labelled.merge()
        guesses = {shortcut: guess_labels(family.labelled, features) for shortcut, features in family.features.items()}
        right = {field: guesses[shortcut].right for shortcut, field in MEASURED.items()}
        found[name] = Shortcuts(n=family.n, majority=guesses[HYPOTHESIS].majority, **right)
    return found


def find_predictable(cases: Iterable[Case], families: Collection[str], space: LabelSpace = THREE_LABELS) -> list[int]:
    """Numbers of cases to leave out of families, so that no shortcut is far above the most frequent label.

    Cases of the other labels that a shortcut guesses right are left out until it is at most `MARGIN` above. The choice
    depends only on the cases.
    """
    surfaces: defaultdict[str, SurfaceFeatures] = defaultdict(partial(SurfaceFeatures, MEASURED))
    numbers: dict[str, list[int]] = {}
    keys: dict[str, list[str]] = {}
    for number, case in enumerate(cases):
        if case.family in families and case.expects == "label" and len(numbers.get(case.family, ())) < MOST:
            surfaces[case.family].add(case)
            numbers.setdefault(case.family, []).append(number)
            keys.setdefault(case.family, []).append(hashlib.blake2b(case.id.encode(), digest_size=8).hexdigest())
    dropped: list[int] = []
    for family, surface in surfaces.items():
        if space.is_binary:
            surface.labelled.merge()
        if surface.n >= FEWEST:
            dropped += [numbers[family][i] for i in _choose_dropped(surface, keys[family])]
    return sorted(dropped)


def _choose_dropped(surface: SurfaceFeatures, keys: Sequence[str]) -> list[int]:
    """The places of the cases that are left out; each round measures every shortcut on what is left."""
    order = sorted(range(surface.n), key=lambda i: keys[i])
    left = np.ones(surface.n, dtype=bool)
    for _ in range(ROUNDS):
        before = int(left.sum())
        for features in surface.features.values():
            labels = surface.labelled.label_of
            most = int(np.bincount(labels[left]).argmax())
            right = right_guesses(surface.labelled, features, left) & left
            excess = int(right.sum()) - int((labels[left] == most).sum()) - MARGIN * int(left.sum())
            spare = [i for i in order if right[i] and labels[i] != most]
            _drop_some(left, spare, surface.labelled.cluster_of, max(0, int(np.ceil(excess / (1 - MARGIN)))))
        if int(left.sum()) == before:
            break
    return [i for i in range(surface.n) if not left[i]]


def _drop_some(left: NDArray[np.bool_], spare: Sequence[int], source_of: NDArray[np.int_], many: int) -> None:
    """Drop this many cases, the first ones whose source has others; the only case of a source goes last."""
    cases = np.bincount(source_of[left], minlength=len(left))
    for least in (2, 1):
        for i in spare:
            if many and left[i] and cases[source_of[i]] >= least:
                left[i] = False
                cases[source_of[i]] -= 1
                many -= 1


def _share(right: NDArray[np.bool_]) -> float:
    return round(float(np.mean(right)), 4)


def split_words(text: str, most: int = -1) -> list[str]:
    """The words and signs of a text, in lower case; only the first ones, if there are more than `most`.

    >>> split_words("It rains, again."), split_words("It rains, again.", most=2)
    (['it', 'rains', ',', 'again', '.'], ['it', 'rains'])
    """
    if most >= 0:
        text = text[: LETTERS * most]  # a document of a megabyte is not worth reading for its first words
    text = text.lower()
    for sign, apart in _SIGNS:
        if sign in text:
            text = text.replace(sign, apart)
    found = text.split(maxsplit=most)
    return found[:most] if most >= 0 else found


@lru_cache(maxsize=16)  # two shortcuts read the hypothesis, and cases of one source pair share their texts
def _words(text: str) -> Mapping[str, None]:
    """Its words and signs, each once, in the order of the text: sums must not depend on the order of a set."""
    return dict.fromkeys(split_words(text, READ))


def _edited(case: Case) -> dict[tuple[str, str], None]:
    edit = case.provenance.edit
    found: dict[tuple[str, str], None] = {}
    for side, changes in (("premise", edit.premise), ("hypothesis", edit.hypothesis)):
        for change in changes:
            found |= _changed(side, change.old, change.new)
    return found


@lru_cache(maxsize=4096)  # many families make the same change again and again
def _changed(side: str, old: str, new: str) -> dict[tuple[str, str], None]:
    without = [(f"{side} without", word) for word in _words(old)]
    return dict.fromkeys([*without, *((f"{side} with", word) for word in _words(new))])


def _lengths(case: Case) -> tuple[tuple[str, int], tuple[str, int]]:
    premise, hypothesis = case.premise.count(" "), case.hypothesis.count(" ")
    apart = max(-FARTHEST, min(FARTHEST, hypothesis - premise))
    return ("length", min(LONGEST, hypothesis)), ("difference", apart)


def _overlap(case: Case) -> Iterable[Hashable]:
    """Overlap features: the fraction of the hypothesis's words in the premise, new words, and full overlap."""
    premise, hypothesis = _words(case.premise), _words(case.hypothesis)
    new = len(hypothesis) - sum(map(premise.__contains__, hypothesis))
    share = 10 * (len(hypothesis) - new) // max(1, len(hypothesis))
    whole = case.hypothesis.lower().rstrip(" .") in case.premise.lower()
    return ("share", share), ("new", min(MOST_NEW, new)), ("whole", whole)


HYPOTHESIS, PREMISE, OVERLAP = "hypothesis words", "premise words", "overlap"
LENGTHS, EDITED = "length", "edited words"

MEASURED = {HYPOTHESIS: "hypothesis_words", EDITED: "edited_words", LENGTHS: "lengths", OVERLAP: "overlap"}
"""The shortcuts of a manifest, each with the field for its accuracy."""

SHORTCUTS: Mapping[str, Callable[[Case], Iterable[Hashable]]] = {
    HYPOTHESIS: lambda case: _words(case.hypothesis),
    PREMISE: lambda case: _words(case.premise),
    OVERLAP: _overlap,
    LENGTHS: _lengths,
    EDITED: _edited,
}
"""Features of a case, by shortcut."""
