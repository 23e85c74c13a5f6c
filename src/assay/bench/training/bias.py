"""What a biased model expects of each training pair."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy
from numpy.typing import NDArray

from assay.bench.judge.overlap import overlap_of
from assay.bench.training.bias_file import bias_from_file
from assay.bench.training.kept import kept_shares
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.label import Label
from assay.core.pair import Pair, premise_cluster
from assay.language.text.words import folded
from assay.models.baselines.hypothesis_words import BUCKETS, features
from assay.train.changes import Part
from assay.train.debias.crossfit import Learn, Shares, cross_fitted, folds_of
from assay.train.debias.naive_bayes import Seen, naive_bayes

HYPOTHESIS, OVERLAP, SHALLOW = "hypothesis", "overlap", "shallow"
KINDS = (HYPOTHESIS, OVERLAP, SHALLOW)

SHALLOW_FOLDS = 2
"""Each fold of a shallow model is a training of its own, and two are enough: it learns from few pairs."""

MOST_NEW = 6
"""Hypothesis words that are not in the premise are counted up to this."""

Rights = NDArray[numpy.bool_]


class BiasFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the training data a biased model gets right by itself."""

    accuracy: float
    """The share of training pairs whose most probable label is right."""
    certainty: float
    """The mean probability of what is right."""


def refuse_unknown(bias: str) -> None:
    """Stop if a bias is neither a known kind nor a file."""
    if bias not in KINDS and not Path(bias).is_file():
        raise UnknownNameError(
            f"No bias {bias!r}{did_you_mean(bias, KINDS)} Give --bias {', '.join(KINDS)}, or a file of probabilities."
        )


def bias_of(
    bias: str,
    parts: Sequence[Part],
    labels: tuple[Label, ...],
    right: Rights,
    *,
    shallow: Callable[[], Learn],
    shallow_key: object,
) -> Shares:
    """(training pairs, labels): probabilities, from models that never saw the premise of the pair.

    `shallow` is only called if such a model is asked for, and `shallow_key` stands for everything that decides it.
    """
    pairs = [pair for part in parts for pair in part.pairs]
    if bias not in KINDS:
        return bias_from_file(bias, pairs, labels)
    premises = source_premises(parts)

    def make() -> Shares:
        if bias == SHALLOW:
            return cross_fitted(shallow(), folds_of(premises, SHALLOW_FOLDS), labels=len(labels))
        fold = folds_of(premises)
        return cross_fitted(naive_bayes(SEEN[bias](pairs), right, fold), fold, labels=len(labels))

    texts = [(pair.premise, pair.hypothesis, pair.label) for pair in pairs]
    more = shallow_key if bias == SHALLOW else None
    return kept_shares([bias, labels, premises, texts, more], make, shape=(len(pairs), len(labels)))


def facts_of(shares: Shares, right: Rights) -> BiasFacts:
    """How good a bias is by itself."""
    hits = right[numpy.arange(len(right)), shares.argmax(1)]
    return BiasFacts(accuracy=float(hits.mean()), certainty=float((shares * right).sum(1).mean()))


def source_premises(parts: Sequence[Part]) -> list[str]:
    """Short names of the premises that pairs come from: that of a swapped pair is now its hypothesis."""
    return [
        part.premises.get(pair.id)
        or (premise_cluster(pair.hypothesis) if pair.group.get("swapped") == "yes" else pair.cluster)
        for part in parts
        for pair in part.pairs
    ]


def _hypothesis_words(pairs: Sequence[Pair]) -> Seen:
    return Seen.of([features(pair.hypothesis) for pair in pairs], BUCKETS)


def _overlaps(pairs: Sequence[Pair]) -> Seen:
    """One feature per pair, for all that is seen together: shared words, subsequence and constituent."""
    numbers: dict[tuple[int, int, bool, bool], int] = {}
    found = []
    for pair in pairs:
        said, claimed = folded(pair.premise), folded(pair.hypothesis)
        seen = overlap_of(pair.premise, pair.hypothesis, said=said, claimed=claimed)
        cell = (int(10 * seen.share), min(MOST_NEW, seen.new), seen.in_one_piece, seen.is_phrase)
        found.append((numbers.setdefault(cell, len(numbers)),))
    return Seen.of(found, len(numbers))


SEEN: dict[str, Callable[[Sequence[Pair]], Seen]] = {HYPOTHESIS: _hypothesis_words, OVERLAP: _overlaps}
"""What each kind of bias sees of pairs."""
