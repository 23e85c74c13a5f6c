"""The three shortcuts of McCoy et al. (2019), as tests of a premise, a hypothesis and the premise's tree."""

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from assay.language.fragment.chart_parser import binary_spans
from assay.language.text.tokens import folded_tokens

Heuristic = Literal["lexical_overlap", "subsequence", "constituent"]
HEURISTICS: tuple[Heuristic, ...] = ("lexical_overlap", "subsequence", "constituent")

Definition = Literal["released", "tokens"]

_FINAL = frozenset(".?!")
_NO_LEAF = frozenset("().?!")
_NO_FINAL = str.maketrans("", "", ".?!")
_AS_TYPED = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
    "``": '"',
    "''": '"',
    "\u201c": '"',
    "\u201d": '"',
    "\u2019": "'",
}
"""Keyboard characters for what trees and printed text use instead."""
_MARK = re.compile("|".join(_AS_TYPED))


class HoldingHeuristics(NamedTuple):
    """The heuristics that predict entailment for a pair."""

    lexical_overlap: bool
    """Every word of the hypothesis is in the premise."""
    subsequence: bool
    """The hypothesis is a contiguous part of the premise."""
    constituent: bool | None
    """The hypothesis is a phrase of the premise; None if the premise has no tree."""


def holds_as_released(premise: str, hypothesis: str, tree: str | None = None) -> HoldingHeuristics:
    """The definition in the scripts behind the paper's counts.

    Words are what is between blanks, including any punctuation. The subsequence is one of characters, not of words, so
    that a hypothesis may begin or end inside a word. For the phrase, punctuation is removed from the hypothesis and
    words stay as they are, while the tree's words are tokens: "don't" is not a phrase of "( do n't )".

    >>> holds_as_released("They overate on Sunday .", "They over")
    HoldingHeuristics(lexical_overlap=False, subsequence=True, constituent=None)
    >>> holds_as_released("If it rains , we go .", "It rains.", "( ( If ( it rains ) ) ( , ( ( we go ) . ) ) )")
    HoldingHeuristics(lexical_overlap=False, subsequence=False, constituent=True)
    """
    said, claimed = ([word for word in text.lower().split() if word not in _FINAL] for text in (premise, hypothesis))
    return HoldingHeuristics(
        set(claimed).issubset(said),
        " ".join(claimed) in " ".join(said),
        _is_released_phrase(" ".join(word.translate(_NO_FINAL) for word in claimed), tree) if tree else None,
    )


def holds_by_tokens(premise: str, hypothesis: str, tree: str | None = None) -> HoldingHeuristics:
    """The same three tests by whole tokens; capitals and final punctuation don't count.

    A single word counts as a phrase.

    >>> holds_by_tokens("They overate on Sunday .", "They over")
    HoldingHeuristics(lexical_overlap=False, subsequence=False, constituent=None)
    >>> holds_by_tokens("If it rains , we go .", "It rains.", "( ( If ( it rains ) ) ( , ( ( we go ) . ) ) )")
    HoldingHeuristics(lexical_overlap=True, subsequence=True, constituent=True)
    """
    text, claimed = _as_typed(premise), _plain_tokens(_as_typed(hypothesis))
    if not all(token in text for token in claimed):  # nearly always so, and much faster to check
        return HoldingHeuristics(False, False, False if tree else None)
    words = _plain_tokens(text)
    inside = _is_inside(claimed, words)
    return HoldingHeuristics(
        set(claimed).issubset(words), inside, inside and _is_phrase(claimed, tree) if tree else None
    )


DEFINITIONS: dict[Definition, Callable[[str, str, str | None], HoldingHeuristics]] = {
    "released": holds_as_released,
    "tokens": holds_by_tokens,
}


def is_subsequence(hypothesis: str, premise: str) -> bool:
    """True if the second text contains all tokens of the first as a contiguous sequence.

    >>> is_subsequence("The actor ran.", "The judge by the actor ran."), is_subsequence("The act.", "The actor ran.")
    (True, False)
    """
    return _is_inside(_plain_tokens(_as_typed(hypothesis)), _plain_tokens(_as_typed(premise)))


def _is_released_phrase(claimed: str, tree: str) -> bool:
    # Most are not part of the sentence at all, which is much faster to check.
    return claimed in " ".join(_tree_leaves(tree)) and any(" ".join(span) == claimed for span in binary_spans(tree))


def _is_phrase(claimed: list[str], tree: str) -> bool:
    phrases = chain(binary_spans(tree), ([leaf] for leaf in _tree_leaves(tree)))
    return not claimed or any(_plain_tokens(_as_typed(" ".join(phrase))) == claimed for phrase in phrases)


def _tree_leaves(tree: str) -> list[str]:
    return [word for word in tree.lower().split() if word not in _NO_LEAF]


def _is_inside(part: Sequence[str], whole: Sequence[str]) -> bool:
    return not part or f" {' '.join(part)} " in f" {' '.join(whole)} "


def _plain_tokens(text: str) -> list[str]:
    return [token for token in folded_tokens(text) if token not in _FINAL]


def _as_typed(text: str) -> str:
    """The text in lower case, with typographic characters replaced by those of a keyboard."""
    return _MARK.sub(lambda mark: _AS_TYPED[mark.group()], text.lower())
