"""Excerpts of long premises before a case is built, and repeats left out after."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from assay.core.case import Recipe
from assay.core.edit import Edit, Skip
from assay.core.pair import Pair
from assay.core.protocols import Excerpting, WordReplacing
from assay.language.text.sentences import find_sentences
from assay.language.text.tokens import content_words
from assay.run.build.recipes import transform_of

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
    label: str
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


class WordPairLimit:
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


LONG = 150
"""A premise of more words is long: twice as many, one on each side, are about what a model with 512 tokens takes."""

TRIES = 40
"""The most sentences that are tried until a family makes a case of one: a bound on the work of a book."""

NO_END = Skip("the long premise has no sentence of its own that is short enough")
NO_SENTENCE = Skip("no single sentence of the long premise has half of the hypothesis's words")


class Excerpt(NamedTuple):
    """One sentence in the place of a long premise."""

    pair: Pair
    """The pair with this sentence as its premise."""
    number: int
    """Its place among the sentences of the premise, from 1."""
    of: int
    """Number of sentences the premise has."""

    def mark(self, edit: Edit) -> Edit:
        """The edit, which says which sentence it changes."""
        return msgspec.structs.replace(edit, facts={**edit.facts, "sentence": f"{self.number} of {self.of}"})


def is_long(text: str) -> bool:
    """True if a text is too long to be made a hypothesis.

    >>> is_long("It rains."), is_long("It rains. " * 100)
    (False, True)
    """
    return len(text) > 2 * LONG and len(text.split(None, LONG)) > LONG


def excerpt(pair: Pair, how: Excerpting, gives: Callable[[Pair], bool]) -> Excerpt | Skip:
    """The sentence that a family is built from.

    `nearest` is the sentence with most of the hypothesis's words, which must be half of them or more. `provable` is the
    first, in that order, of which the family makes a case; if it makes none of any, the nearest.
    """
    candidates = list(_nearest(pair))
    if not candidates:
        return NO_END
    if how == "nearest":
        claimed = content_words(pair.hypothesis)
        shared = claimed & content_words(candidates[0].pair.premise)
        return candidates[0] if claimed and 2 * len(shared) >= len(claimed) else NO_SENTENCE
    return next((each for each in candidates[:TRIES] if gives(each.pair)), candidates[0])


def _nearest(pair: Pair) -> Iterator[Excerpt]:
    """The sentences of the premise, those that share most words with the hypothesis first."""
    claimed = content_words(pair.hypothesis)
    spans = find_sentences(pair.premise)
    texts = [pair.premise[start:end] for start, end in spans]
    order = sorted(range(len(texts)), key=lambda i: (-len(claimed & content_words(texts[i])), i))
    for i in order:
        if not is_long(texts[i]):
            yield Excerpt(msgspec.structs.replace(pair, premise=texts[i], parses=None), i + 1, len(texts))
