"""Operators of English and their polarity: which positions can be generalised, and which made more specific."""

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from assay.language.resources.data import load_toml
from assay.stress.logic.logic_lexicon import EntryError

Polarity = Literal["up", "down", "none"]

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_SHIFT = {"N": 0, "N-1": -1, "N+1": 1}


class Determiner(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The effect of a determiner on its noun and on its scope, and the amount that it expresses."""

    restrictor: Polarity
    scope: Polarity
    opposite: str = ""
    """The determiner that is true exactly where this one is false; empty if English has none."""
    count: tuple[tuple[int | str, ...], ...]
    """(low, high) counts, one pair per reading; high is omitted if there is only one number."""
    share: tuple[tuple[int, int], ...]
    """Shares of the restrictor, from 0 (none) over 2 (half) to 4 (all), one for each reading."""


class Subordinator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The effect of a subordinator on both clauses."""

    clause: Polarity
    main: Polarity


class FoundDeterminer(NamedTuple):
    """A determiner in a text, with the number after it."""

    words: int
    name: str
    number: int
    determiner: Determiner


class Operators(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All operators.

    >>> table = load_operators()
    >>> found = table.determiner(["at", "most", "two", "dogs"])
    >>> found.name, found.number, found.determiner.restrictor
    ('at most N', 2, 'down')
    """

    determiners: dict[str, Determiner]
    pronouns: dict[str, Polarity]
    """Words for a determiner and its noun, with the polarity of their scope."""
    negations: dict[str, Polarity]
    """Words that reverse the polarity of what follows."""
    subordinators: dict[str, Subordinator]

    def determiner(self, words: Sequence[str]) -> FoundDeterminer | None:
        """The longest determiner that the words begin with."""
        for size in range(min(3, len(words)), 0, -1):
            text = " ".join(words[:size])
            if text in self.determiners:
                return FoundDeterminer(size, text, 0, self.determiners[text])
            if words[size - 1] in NUMBERS:
                name = " ".join((*words[: size - 1], "N"))
                if name in self.determiners:
                    return FoundDeterminer(size, name, NUMBERS.index(words[size - 1]), self.determiners[name])
        return None

    def opposite(self, text: str) -> str:
        """The opposite of a determiner, with the same number; empty if it has none.

        >>> load_operators().opposite("at least two"), load_operators().opposite("most")
        ('fewer than two', '')
        """
        entry = self.determiner(text.split())
        if entry is None or entry.words != len(text.split()):
            raise unknown_word_error(text, self)
        return entry.determiner.opposite.replace("N", NUMBERS[entry.number])


def compose_polarity(outer: Polarity, inner: Polarity) -> Polarity:
    """The polarity of a position in two scopes, one inside the other.

    >>> compose_polarity("down", "down"), compose_polarity("up", "down"), compose_polarity("down", "none")
    ('up', 'down', 'none')
    """
    if "none" in (outer, inner):
        return "none"
    return "up" if outer == inner else "down"


def count_bounds(count: Sequence[int | str], number: int, *, plural: int) -> tuple[int, float]:
    """The lowest and the highest count that `count` allows, where N is `number` and P is `plural`.

    >>> count_bounds(["N+1"], 2, plural=1), count_bounds([0, "N"], 2, plural=1), count_bounds(["P"], 0, plural=2)
    ((3, inf), (0, 2), (2, inf))
    """
    values = [each if isinstance(each, int) else plural if each == "P" else number + _SHIFT[each] for each in count]
    return values[0], values[1] if len(values) > 1 else float("inf")


def unknown_word_error(text: str, table: Operators) -> EntryError:
    """The error for a word that should have a polarity."""
    known = (*table.determiners, *table.pronouns)
    small = text.lower()
    return EntryError(
        f"{text!r} has no polarity" + (f"; did you mean {small!r}?" if small in known else ""),
        entry=text.split()[0],
        hint=f"Use one of these before <...>, where N is a number in words: {', '.join(known)}.",
    )


@cache
def load_operators() -> Operators:
    """The operators that come with Assay."""
    return load_toml(__file__, "polarity", Operators)
