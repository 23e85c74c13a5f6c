"""The table of words that turn inference around, or stop it."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

import msgspec

Effect = Literal["up", "down", "none", "unsure", "definite"]
"""The effect of a word on its reach; a definite noun phrase keeps the direction unless something turns it."""
Mark = Literal["up", "down", "none", "unsure"]
"""The polarity of a place: what may stand there is something more general, more specific, or neither."""

LONGEST = 4
"""The most words of an entry."""


class Reaches(NamedTuple):
    """A determiner's effects."""

    restrictor: Effect
    scope: Effect


class PolarityEntry(NamedTuple):
    """A determiner in a text."""

    words: int
    name: str
    does: Reaches


class PolarityWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Effects of words, by the kind of what they reach."""

    determiners: dict[str, Reaches]
    pronouns: dict[str, Effect]
    """Words for a determiner and its noun."""
    adverbs: dict[str, Effect]
    """Words that reach the rest of their verb phrase."""
    denying: dict[str, Effect]
    """Verbs and adjectives, by lemma."""
    prepositions: dict[str, Effect]
    """Words that reach their noun phrase."""
    clauses: dict[str, Effect]
    times: dict[str, Effect]
    """Words that open a clause which holds if it is in the past tense."""
    factive: dict[str, Effect]
    """Verbs and adjectives before "that", by lemma."""

    def determiner(self, low: Sequence[str], tags: Sequence[str], i: int) -> PolarityEntry | None:
        """The determiner that begins at a place, the longest that there is.

        >>> table = polarity_words()
        >>> table.determiner(["at", "most", "two", "dogs"], ["IN", "JJS", "CD", "NNS"], 0)
        PolarityEntry(words=3, name='at most N', does=Reaches(restrictor='down', scope='down'))
        """
        for size in range(min(LONGEST, len(low) - i), 0, -1):
            words = list(low[i : i + size])
            if tags[i + size - 1] == "CD" or (size > 1 and words[-1] == "half"):
                words[-1] = "N"
            name = " ".join(words)
            if name in self.determiners:
                return PolarityEntry(size, name, self.determiners[name])
        return None

    def at(self, kind: dict[str, Effect], low: Sequence[str], i: int) -> tuple[int, Effect] | None:
        """The entry of one kind that begins at a place: how many words, and what it does."""
        for size in range(min(LONGEST, len(low) - i), 0, -1):
            if effect := kind.get(" ".join(low[i : i + size])):
                return size, effect
        return None


MOST_TURNED = 2
"""People lose count of more negations."""


def join_marks(effects: Sequence[Effect]) -> Mark:
    """The polarity of a place in the reach of several words.

    >>> join_marks([]), join_marks(["down", "down"]), join_marks(["definite"]), join_marks(["definite", "down"])
    ('up', 'up', 'up', 'unsure')
    """
    turned = effects.count("down")
    if "unsure" in effects or ("definite" in effects and turned) or turned > MOST_TURNED:
        return "unsure"
    if "none" in effects:
        return "none"
    return "down" if turned % 2 else "up"


@cache
def polarity_words() -> PolarityWords:
    """The table that comes with Assay."""
    text = (files("assay.language.polarity") / "effects.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=PolarityWords)
