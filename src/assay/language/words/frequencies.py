"""How often words and pairs of words occur in some text, counted once and stored under a name from their content."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import msgspec

from assay.language.resources.kept_data import keep, kept
from assay.language.text.tokens import tokens


class Counts(msgspec.Struct, frozen=True):
    """Words and pairs of neighbours in lower case, with their counts.

    >>> counts = gathered(["A dog runs.", "A dog barks."])
    >>> counts.words["dog"], counts.bigrams["a dog"], counts.bigrams.get("dog sleeps", 0)
    (2, 2, 0)
    """

    words: dict[str, int]
    """Counts of words; empty if only pairs are known."""
    bigrams: dict[str, int]
    """Counts of pairs, the two words separated by a blank."""


def gathered(texts: Iterable[str]) -> Counts:
    """The counts of some texts."""
    words: Counter[str] = Counter()
    bigrams: Counter[str] = Counter()
    for text in texts:
        low = [token.text.lower() for token in tokens(text)]
        words.update(low)
        bigrams.update(f"{one} {other}" for one, other in pairwise(low))
    return Counts(dict(words), dict(bigrams))


def store(counts: Counts) -> str:
    """Store counts for later builds; returns the name under which `stored` finds them."""
    return keep("counts", counts)


@cache
def stored(name: str) -> Counts:
    """Counts that were stored on this machine; loaded once per process."""
    return kept("counts", name, Counts, "Give the corpus or file that they come from again.")
