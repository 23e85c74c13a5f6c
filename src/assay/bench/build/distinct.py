"""Cases that may be left out once all are known: repeats, and cases of word pairs that have enough of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping

import msgspec

from assay.bench.build.recipes import transform_of
from assay.core.case import Recipe
from assay.core.protocols import WordReplacing

REPEATED = "an earlier pair gave the same case"
ENOUGH = "its word pair has enough cases"

SHARE = 10
"""By default, a word pair makes up at most one in this many cases of a family, if the family has this many pairs."""


class Distinct(msgspec.Struct, array_like=True):
    """A case that several pairs may give, but that must not be in a suite twice."""

    line: int
    """Its line in the part, from 0."""
    key: str
    """A digest of its texts."""
    family: str
    """Its family."""
    label: str
    """Its label."""
    slice: str
    """The slice that it is counted in; empty if there is none."""
    words: str = ""
    """The pair of words that it exchanges, if cases per word pair are limited; otherwise empty."""


def word_limit(recipe: Recipe) -> int | None:
    """The most cases of a word pair that a recipe makes: 0 for no limit, None for a share of its family.

    The fidelities `paper` and `code` have no limit, unless the user asks for one.
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
        """Add a case, with its line in the suite."""
        self._cases[case.family][case.words][line] = case

    def beyond(self, limits: Mapping[str, int | None]) -> dict[int, Distinct]:
        """The cases that a limit leaves out, by line; the choice depends only on their texts."""
        dropped: dict[int, Distinct] = {}
        for family, pairs in self._cases.items():
            most = limits[family] or tenth(Counter({words: len(cases) for words, cases in pairs.items()}))
            for cases in pairs.values():
                in_order = sorted(cases.items(), key=lambda each: each[1].key)
                dropped.update(in_order[most:])
        return dropped


def tenth(counts: Mapping[str, int]) -> int:
    """The most cases that a pair may have without making up more than a tenth; all, if there are too few pairs.

    >>> tenth({"man/woman": 90, **dict.fromkeys("abcdefghij", 5)}), tenth({"man/woman": 90})
    (5, 90)
    """
    most = max(counts.values(), default=0)
    if len(counts) < SHARE:
        return most
    while sum(min(count, most) for count in counts.values()) < SHARE * most:
        most -= 1
    return most
