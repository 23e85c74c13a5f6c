"""Baselines that follow one shortcut each: the majority label and the three syntactic heuristics."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from assay.core.case import Case, Prediction
from assay.core.errors import ModelError
from assay.core.label import Label
from assay.core.protocols import reference
from assay.language.fragment.chart_parser import binary_spans, write_binary
from assay.language.fragment.fragment_lexicon import standard_fragment_lexicon
from assay.language.fragment.syntactic_heuristics import is_subsequence
from assay.language.text.tokens import folded_words, tokens

ORDER = list(Label)


@reference
class Majority(msgspec.Struct, frozen=True):
    """Answers with the most frequent label of the original pairs; a tie goes to entailment, then neutral."""

    label: Label | None = None  # its answer; None before it is fitted

    def fit(self, cases: Iterable[Case]) -> "Majority":
        counts = Counter(case.compared_with for case in cases)
        if not counts:
            raise ModelError("The majority model needs original pairs, but the suite has none.")
        return Majority(max(counts, key=lambda label: (counts[label], -ORDER.index(label))))

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        if self.label is None:
            raise ModelError("The majority model must be fitted before it can answer.")
        return [Prediction(id=case.id, label=self.label) for case in cases]


class ShortcutBaseline(msgspec.Struct, frozen=True, kw_only=True):
    """Answers entailment where its shortcut holds, else neutral."""

    def holds(self, premise: str, hypothesis: str) -> bool:
        """True if the shortcut says entailment."""
        raise NotImplementedError

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        labels = {True: Label.ENTAILMENT, False: Label.NEUTRAL}
        return [Prediction(id=case.id, label=labels[self.holds(case.premise, case.hypothesis)]) for case in cases]


@reference
class Overlap(ShortcutBaseline, frozen=True, kw_only=True):
    """Entailment if enough words of the hypothesis are in the premise, else neutral; order and meaning don't count."""

    threshold: float = 0.6
    """The fraction of the hypothesis's distinct words that must occur in the premise; of .5 to 1 in tenths, .6 is best
    on SNLI's training pairs."""

    def holds(self, premise: str, hypothesis: str) -> bool:
        wanted = set(folded_words(hypothesis))
        return len(wanted & set(folded_words(premise))) >= self.threshold * len(wanted)


@reference
class Subsequence(ShortcutBaseline, frozen=True):
    """Entailment if the premise contains the hypothesis's tokens as an unbroken sequence, else neutral.

    Capitals and final punctuation don't count.
    """

    def holds(self, premise: str, hypothesis: str) -> bool:
        return is_subsequence(hypothesis, premise)


_FINAL = frozenset(".?!")

_OPENERS = {
    *("after", "although", "and", "as", "because", "before", "but", "how", "if", "nor", "once", "or", "since", "so"),
    *("than", "that", "though", "unless", "until", "what", "when", "where", "whether", "which", "while", "who"),
    *("whose", "why", "yet"),
}
"""Words that a clause may begin after."""


@reference
class Constituent(ShortcutBaseline, frozen=True):
    """Entailment if the hypothesis is a phrase of the premise, else neutral.

    A premise in the fragment of the heuristics tests is parsed, and every phrase of its trees counts.
    In any other premise, only what looks like a clause counts: a span that begins at the start of a sentence, after
    punctuation or after a word that opens a clause, such as "that" or "because", and ends at the end of a sentence,
    before punctuation or before such a word.
    """

    def holds(self, premise: str, hypothesis: str) -> bool:
        return is_constituent(hypothesis, premise)


def is_constituent(hypothesis: str, premise: str) -> bool:
    """True if the hypothesis is a phrase of the premise.

    >>> is_constituent("The actor ran.", "If the actor ran, the judge slept.")
    True
    >>> is_constituent("The actor ran.", "The judge by the actor ran.")
    False
    >>> is_constituent("the cook fries eggs", "Everybody knows that the cook fries eggs.")
    True
    """
    wanted = tuple(token for token in _fold_tokens(hypothesis) if token not in _FINAL)
    if not wanted:
        return True
    trees = standard_fragment_lexicon().parse(premise)
    if trees:
        return any(wanted in binary_spans(write_binary(tree)) for tree in trees)
    said = _fold_tokens(premise)
    inner = [token in _OPENERS or not any(map(str.isalnum, token)) for token in said]
    edges = [True, *inner, True]
    size = len(wanted)
    return any(
        edges[start] and edges[start + size + 1] and tuple(said[start : start + size]) == wanted
        for start in range(len(said) - size + 1)
    )


def _fold_tokens(text: str) -> list[str]:
    return [token.text for token in tokens(text.lower())]
