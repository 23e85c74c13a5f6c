"""Words and phrases that are significantly associated with a label."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from assay.audit.audit_result import Giveaway
from assay.evaluate.paired import LEVEL, holm
from assay.evaluate.surface_shortcuts import READ, LabelledFolds, ShortcutFeatures, split_words

FEWEST = 10  # phrases in fewer source pairs are not tested: they explain little, and every test costs power
FAR = 3.0  # standard errors that make an exact test worthwhile: anything nearer can't pass the correction


def phrases_of(text: str) -> dict[str, None]:
    """Words, and two words next to each other, each once.

    >>> [*phrases_of("It is not it.")]
    ['it', 'is', 'not', '.', 'it is', 'is not', 'not it', 'it .']
    """
    words = split_words(text, READ)
    return dict.fromkeys([*words, *(f"{one} {other}" for one, other in pairwise(words))])


class PhraseCounts(NamedTuple):
    """Counts of phrases together with labels; every source pair counts once."""

    pairs: NDArray[np.int_]
    """(phrases,) Source pairs that have the phrase."""
    labels: NDArray[np.float64]
    """(phrases, labels) Those with the label; a pair whose cases have several labels is shared among them."""
    expected: NDArray[np.float64]
    """(labels,) The frequency of each label over all source pairs."""


def find_giveaways(
    labelled: LabelledFolds, phrases: ShortcutFeatures, side: Literal["premise", "hypothesis"]
) -> list[Giveaway]:
    """The phrases associated with a label, strongest first.

    >>> labelled, phrases = LabelledFolds(), ShortcutFeatures()
    >>> for number in range(90):
    ...     labelled.add(("entailment", "neutral", "contradiction")[number % 3], str(number))
    ...     phrases.add(["somebody", "never"] if number % 3 == 2 else ["somebody"])
    >>> [(each.phrase, each.label, each.pairs, each.share) for each in find_giveaways(labelled, phrases, "hypothesis")]
    [('never', 'contradiction', 30, 1.0)]
    """
    if not len(phrases.found):
        return []
    counted = count_together(labelled, phrases)
    rows = np.flatnonzero(counted.pairs >= FEWEST)
    columns = np.flatnonzero((counted.expected > 0) & (counted.expected < 1))
    pairs, expected = counted.pairs[rows, None], counted.expected[columns]
    together = counted.labels[np.ix_(rows, columns)]  # (tested phrases, tested labels)
    z = (together - pairs * expected) / np.sqrt(pairs * expected * (1 - expected))
    tails = np.ones(z.shape)
    for row, column in np.argwhere(z >= FAR):
        tails[row, column] = upper_tail(together[row, column], int(pairs[row, 0]), float(expected[column]))
    corrected = np.reshape(holm(tails.ravel().tolist()), z.shape)
    labels, names = [*labelled.names], phrases.names
    found = [
        Giveaway(
            side=side,
            phrase=cast("str", names[rows[row]]),
            label=labels[columns[column]],
            pairs=int(pairs[row, 0]),
            share=round(float(together[row, column] / pairs[row, 0]), 4),
            expected=round(float(expected[column]), 4),
            z=round(float(z[row, column]), 2),
            p=float(corrected[row, column]),
        )
        for row, column in np.argwhere(corrected < LEVEL)
    ]
    return without_echoes(sorted(found, key=lambda each: (-each.z, each.phrase)))


def count_together(labelled: LabelledFolds, phrases: ShortcutFeatures) -> PhraseCounts:
    label_of, cluster_of = labelled.label_of, labelled.cluster_of
    labels, clusters = len(labelled.names), int(cluster_of.max()) + 1
    per_case = 1 / np.bincount(cluster_of)[cluster_of]
    expected = np.bincount(label_of, weights=per_case, minlength=labels) / clusters
    found, case_of = phrases.found, phrases.case_of  # (phrases of all cases)
    met, place, times = np.unique(found * clusters + cluster_of[case_of], return_inverse=True, return_counts=True)
    pairs = np.bincount(met // clusters, minlength=len(phrases.names))
    cell = found * labels + label_of[case_of]
    together = np.bincount(cell, weights=1 / times[place], minlength=len(pairs) * labels)
    return PhraseCounts(pairs, np.asarray(together, dtype=np.float64).reshape(-1, labels), expected)


def upper_tail(hits: float, n: int, share: float) -> float:
    """The probability of at least `hits` hits among n by chance; a fraction of a hit does not count.

    >>> round(upper_tail(9, 10, 0.5), 6), upper_tail(10.0, 10, 0.5) == 0.5**10
    (0.010742, True)
    """
    least = int(hits + 1e-9)
    k = np.arange(least, n + 1)
    ratios = np.log((n - k[:-1]) / (k[:-1] + 1)) + np.log(share) - np.log1p(-share)  # of each term to the one before
    few = np.arange(1, min(least, n - least) + 1)
    ways = float(np.sum(np.log(n - len(few) + few) - np.log(few)))  # the logarithm of n choose `least`
    first = ways + least * np.log(share) + (n - least) * np.log1p(-share)
    return min(1.0, float(np.exp(first + np.concatenate(([0.0], np.cumsum(ratios)))).sum()))


def without_echoes(found: Sequence[Giveaway]) -> list[Giveaway]:
    """The giveaways without two-word phrases that add nothing to one of their words; strongest first."""
    told: set[tuple[str, str]] = set()
    kept = []
    for each in found:
        words = each.phrase.split(" ")
        if len(words) == 1 or not any((word, each.label) in told for word in words):
            kept.append(each)
            told.add((each.phrase, each.label))
    return kept
