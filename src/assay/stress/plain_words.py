"""Typos in plain words of any kind: a look at what stands between blanks is enough, and each word is looked at once."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.keyboards import Layout
from assay.stress.typos import Kind, is_clear, places, slips, with_capitals

OPENING, CLOSING = '"([\u201c`', ".,;:!?)]\"'\u201d\u2019"
REMEMBERED = 1 << 16
"""Words that are kept in mind at most."""
ELSEWHERE = 2
"""Words with a capital begin the text up to here, behind a quote maybe; elsewhere they may be names."""

Counts = Callable[[str, int], bool]
"""Whether a word that starts at an offset is one to change."""


class Slips(NamedTuple):
    """Which typos are made."""

    kind: Kind
    """Letters swapped, or a neighbouring key."""
    layout: Layout
    """Whose keys lie beside each other."""
    real_words: bool
    """The result may be another word, or unclear."""
    capitals: bool
    """Capitals stay where they are."""


class Plain(NamedTuple):
    """A plain word in what stands between blanks."""

    text: str
    """As written."""
    start: int
    """Offset inside of what stands there."""
    typos: list[str | None]
    """Two for each place, by which of its slips is tried first: "" if none fits, None if nobody has looked yet."""


class PlainTypos:
    """Draws plain words of a text, each with a typo.

    A plain word stands alone: no part of a contraction, a compound, a number, an address or an abbreviation.
    """

    def __init__(self, made: Slips, counts: Counts) -> None:
        self._made = made
        self._first = _PlainWords(made, counts, start=0)
        self._inside = _PlainWords(made, counts, start=ELSEWHERE)

    def __call__(self, text: str, rng: Random, *, count: int) -> list[Replacement]:
        """So many, or fewer if no word is left; most of the text is never looked at."""
        tokens = text.split()
        left: Sequence[int] = range(len(tokens))
        found: list[Replacement] = []
        while len(found) < count and left:
            drawn = rng.random() * len(left)  # the whole part is the word, and the rest tells the typo
            place = int(drawn)
            number = left[place]
            plain = self._inside[tokens[number]] if number else self._first[tokens[0]]
            if plain is not None:
                word, start, typos = plain
                slot = int((drawn - place) * len(typos))
                typo = typos[slot]
                if typo is None:
                    typo = typos[slot] = self._at(word, slot)
                if typo or (typo := self._elsewhere(plain, slot, rng)):
                    change = Replacement(len(text) - len(text.split(None, number)[number]) + start, word, typo)
                    if count == 1:
                        return [change]
                    found.append(change)
            left = [each for each in left if each != number]
        return found

    def _at(self, word: str, slot: int) -> str:
        """The first slip at a place that fits; a slip can happen at every place of a plain word."""
        kind, layout, real_words, capitals = self._made
        folded = word.lower()
        results = slips(word, slot >> 1, kind, layout)
        for typo in results[::-1] if slot & 1 else results:
            small = typo.lower()
            if small != folded and (real_words or is_clear(folded, small, layout)):
                return with_capitals(word, typo) if capitals else typo
        return ""

    def _elsewhere(self, plain: Plain, slot: int, rng: Random) -> str:
        """A typo at another place than the one that was drawn in vain."""
        word, _, typos = plain
        left = [*range(len(typos) >> 1)]
        del left[slot >> 1]
        chance = rng.random()
        while left:
            drawn = chance * len(left)
            number = int(drawn)
            slot = 2 * left.pop(number) + (drawn - number >= 0.5)
            typo = typos[slot]
            if typo is None:
                typo = typos[slot] = self._at(word, slot)
            if typo:
                return typo
            chance = rng.random()
        return ""


class _PlainWords(dict[str, Plain | None]):
    """The plain words in what stands between blanks, found once: most words come again and again."""

    def __init__(self, made: Slips, counts: Counts, *, start: int) -> None:
        self._made, self._counts, self._start = made, counts, start

    def __missing__(self, token: str) -> Plain | None:
        if len(self) >= REMEMBERED:
            self.clear()
        found = self[token] = self._find(token)
        return found

    def _find(self, token: str) -> Plain | None:
        """The word, if there is nothing else but quotes and punctuation."""
        after_opening = token.lstrip(OPENING)
        word = after_opening.rstrip(CLOSING)
        if not (word.isascii() and word.isalpha() and word[1:].islower() and self._counts(word, self._start)):
            return None
        slots = 2 * len(places(word, *self._made[:2]))
        return Plain(word, len(token) - len(after_opening), [None] * slots)
