"""What an audit collects while it reads the cases of a family, and what it measures in the end."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from assay.bench.shards import in_batches
from assay.core.case import Case
from assay.core.pair import Pair
from assay.core.results.audit import FamilyAudit, LabelTexts, Spread
from assay.core.results.estimate import Estimate
from assay.evaluate.audit.alike import find_repeated
from assay.evaluate.audit.prints import Prints, Read, joined, prints_of
from assay.evaluate.audit.words import find_giveaways, phrases_of
from assay.evaluate.shortcuts import (
    EDITED,
    MOST,
    PREMISE,
    SHORTCUTS,
    Features,
    Surface,
    clustered,
    is_most_frequent,
    right_guesses,
)
from assay.language.text.templates import template
from assay.language.text.tokens import folded_tokens
from assay.language.words.english import looks_english

AT_ONCE = 4_096
"""How many pairs get their fingerprints together."""
LISTED = 100
"""How many giveaways of a family are kept."""
MAJORITY = "most frequent label"
QUANTILES = (0.05, 0.5, 0.95)


class FamilyReading:
    """The cases of one family, as far as an audit looks at them."""

    def __init__(self) -> None:
        self.surface = Surface(SHORTCUTS)
        self.left = 0
        """Cases beyond the most that are looked at."""
        self._phrases = Features()
        self._lengths = (array("l"), array("l"))
        self._not_english = 0
        self._read: list[Read] = []
        self._prints: list[Prints] = []
        self._is_edited = False

    def add(self, case: Case) -> None:
        """Look at a case."""
        if self.surface.n == MOST:
            self.left += 1
            return
        self.surface.add(case)
        self._phrases.add(phrases_of(case.hypothesis))
        for lengths, text in zip(self._lengths, (case.premise, case.hypothesis), strict=True):
            lengths.append(len(text.split()))
        self._not_english += not (looks_english(case.premise) and looks_english(case.hypothesis))
        self._is_edited |= bool(case.provenance.edit.premise or case.provenance.edit.hypothesis)
        self._read.append(as_read(case))
        if len(self._read) == AT_ONCE:
            self._print()

    def prints(self) -> Prints:
        """The fingerprints of all cases."""
        if self._read or not self._prints:
            self._print()
        self._prints = [joined(self._prints)]
        return self._prints[0]

    def measured(self, *, two_way: bool) -> FamilyAudit:
        """What was found."""
        labelled, features = self.surface.labelled, self.surface.features
        if two_way:
            labelled.merge()
        guessed = {
            name: right_guesses(labelled, seen) for name, seen in features.items() if name != EDITED or self._is_edited
        }
        shares = {MAJORITY: is_most_frequent(labelled), **guessed}
        giveaways = [
            *find_giveaways(labelled, self._phrases, "hypothesis"),
            *find_giveaways(labelled, features[PREMISE], "premise"),
        ]
        estimates = []
        for name, right in shares.items():
            share = clustered(right, labelled)
            low, high = share.interval or (None, None)
            estimates.append(Estimate(name=name, value=share.value, low=low, high=high, n=share.n))
        return FamilyAudit(
            n=self.surface.n,
            labels={name: self._texts(labelled.label_of == code) for name, code in sorted(labelled.names.items())},
            shortcuts=tuple(estimates),
            giveaways=tuple(sorted(giveaways, key=lambda each: -each.z)[:LISTED]),
            found=len(giveaways),
            repeated=find_repeated(self.prints(), labelled),
            not_english=self._not_english,
        )

    def _texts(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> LabelTexts:
        premise, hypothesis = (_spread(np.asarray(lengths)[chosen]) for lengths in self._lengths)
        return LabelTexts(n=int(chosen.sum()), premise=premise, hypothesis=hypothesis)

    def _print(self) -> None:
        self._prints.append(prints_of(self._read))
        self._read.clear()


def as_read(pair: Case | Pair) -> Read:
    """The tokens and the template of a pair."""
    premise, hypothesis = _tokens(pair.premise), _tokens(pair.hypothesis)
    return Read(premise, hypothesis, template(premise, hypothesis))


def print_batches(pairs: Iterable[Pair]) -> Iterator[Prints]:
    """The fingerprints of a corpus, in batches."""
    for batch in in_batches(pairs, AT_ONCE):
        yield prints_of(map(as_read, batch))


def _tokens(text: str) -> list[str]:
    """Its words in lower case; raw and tokenised texts give the same ones."""
    return [token for token in folded_tokens(text.replace("\u2019", "'")) if token[-1].isalnum()]


def _spread(lengths: np.ndarray[tuple[int], np.dtype[np.int_]]) -> Spread:
    low, median, high = np.quantile(lengths, QUANTILES, method="lower").tolist()
    return Spread(low=low, median=median, high=high)


def left_out(readings: Sequence[FamilyReading]) -> int:
    """How many cases were not looked at."""
    return sum(each.left for each in readings)
