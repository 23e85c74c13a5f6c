"""Excerpts of long premises, which some families are built from."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.pair import Pair
from assay.core.protocols import Excerpting
from assay.language.text.tokens import content_words, find_sentences

LONG = 150
"""A premise of more words is long: twice as many, one on each side, are about what a model with 512 tokens takes."""

TRIES = 40
"""Maximum number of sentences that are tried until a family makes a case of one: a bound on the work of a book."""

NO_END = Skip("the long premise has no sentence of its own that is short enough")
NO_SENTENCE = Skip("no single sentence of the long premise has half of the hypothesis's words")


class Excerpt(NamedTuple):
    """One sentence in place of a long premise."""

    pair: Pair
    """The pair with this sentence as its premise."""
    number: int
    """Its place among the sentences of the premise, from 1."""
    of: int

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
