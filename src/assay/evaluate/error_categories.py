"""Reasons for errors according to people: the nine categories of Naik et al. (2018), and pairs sorted into them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from assay.core.label import Label

CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "word overlap": "The sentences share many words and were taken for entailment, or share few and were not.",
        "negation": "A strong negation word such as no or not was taken for a contradiction.",
        "antonymy": "One sentence has a word, the other its opposite, and the contradiction was missed.",
        "numerical reasoning": "The answer needs reasoning about numbers or quantifiers.",
        "length mismatch": "The first sentence is much longer, and its irrelevant parts may have distracted the model.",
        "grammaticality": "A sentence is ill-formed: a spelling error, or a verb that does not agree.",
        "real-world knowledge": "The answer needs knowledge of the world that is not in the sentences.",
        "ambiguity": "The right answer is unclear to people too.",
        "unknown": "No source of the error is apparent.",
    }
)
"""The sources of errors in Naik et al. (2018), section 2, in the paper's order, explained in our words."""

NO_GOLD: Literal["-"] = "-"


class SortedError(msgspec.Struct, frozen=True, kw_only=True):
    """A pair that a model got wrong, with the source of the error according to annotators."""

    id: str
    premise: str
    hypothesis: str
    gold_label: Label
    answer: Label | None
    category: str  # the category of most annotators, or the one that was agreed on; `-` if there is none
    annotator_categories: tuple[str, ...]  # one per person, in the order of their names
    votes: dict[str, int]
    group: dict[str, str]
    adjudicated: Literal[True] | msgspec.UnsetType = msgspec.UNSET  # set if the category was decided by adjudication
