"""Cases that may be left out once all are known: repeats, and those of word pairs that have enough cases."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import msgspec

from assay.bench.build.recipes import transform_of
from assay.core.case import Recipe
from assay.core.protocols import WordReplacing

REPEATED = "the same case was made of an earlier pair"
ENOUGH = "its word pair has enough cases"

SHARE = 10
"""By default no word pair makes up more than one in so many cases of a family, if the family has so many pairs."""


class Distinct(msgspec.Struct, array_like=True):
    """A case that may be made of several pairs, and must not stand in a suite twice."""

    line: int
    """Its line in the part, from 0."""
    key: str
    """A digest of its texts."""
    family: str
    """Its family."""
    label: str
    """Its label."""
    slice: str
    """The slice that it is counted in; empty if it is in none."""
    words: str = ""
    """The pair of words that it exchanges, where such pairs are limited; otherwise empty."""


def word_limit(recipe: Recipe) -> int | None:
    """How many cases of a word pair a recipe makes at most: 0 for any number, None for a share of its family.

    What a paper or its code does is built as it is, unless a limit is asked for.
    """
    transform = transform_of(recipe)
    if not isinstance(transform, WordReplacing):
        return 0
    return 0 if transform.per_word_pair is None and not recipe.claims_labels else transform.per_word_pair


class WordPairs:
    """The cases of each word pair of each family."""

    def __init__(self) -> None:
        self._cases: defaultdict[str, defaultdict[str, dict[int, Distinct]]] = defaultdict(lambda: defaultdict(dict))

    def add(self, line: int, case: Distinct) -> None:
        """Take down a case, which stands in that line of the suite."""
        self._cases[case.family][case.words][line] = case

    def beyond(self, limits: Mapping[str, int | None]) -> dict[int, Distinct]:
        """The cases that a limit leaves out, by line; which ones depends on their texts alone."""
        dropped: dict[int, Distinct] = {}
        for family, pairs in self._cases.items():
            most = limits[family] or tenth(Counter({words: len(cases) for words, cases in pairs.items()}))
            for cases in pairs.values():
                in_order = sorted(cases.items(), key=lambda each: each[1].key)
                dropped.update(in_order[most:])
        return dropped


def tenth(counts: Mapping[str, int]) -> int:
    """The most cases that every pair may have without making up more than a tenth; all, if there are too few pairs.

    >>> tenth({"man/woman": 90, **dict.fromkeys("abcdefghij", 5)}), tenth({"man/woman": 90})
    (5, 90)
    """
    most = max(counts.values(), default=0)
    if len(counts) < SHARE:
        return most
    while sum(min(count, most) for count in counts.values()) < SHARE * most:
        most -= 1
    return most
