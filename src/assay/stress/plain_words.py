"""Typos in plain words of any kind: a look at what stands between blanks is enough, and each word is looked at once."""

from collections.abc import Callable
from itertools import chain
from random import Random
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.keyboards import Layout
from assay.stress.typos import Kind, clear_ones, slips, with_capitals

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
    typos: tuple[str, ...]
    """Two for each place, by which of its slips is tried first; "" if none fits."""


class PlainTypos:
    """Draws plain words of a text, each with a typo.

    A plain word stands alone: no part of a contraction, a compound, a number, an address or an abbreviation.
    """

    def __init__(self, made: Slips, counts: Counts) -> None:
        self._first = _PlainWords(made, counts, start=0)
        self._inside = _PlainWords(made, counts, start=ELSEWHERE)

    def __call__(self, text: str, rng: Random, count: int) -> tuple[Replacement, ...]:
        """So many, or fewer if no word is left; most of the text is never looked at."""
        tokens = text.split()
        left = [*range(len(tokens))]
        found: list[Replacement] = []
        while left and len(found) < count:
            drawn = rng.random() * len(left)  # the whole part is the word, and the rest tells the typo
            place = int(drawn)
            number = left.pop(place)
            plain = self._inside[tokens[number]] if number else self._first[tokens[0]]
            if plain is None:
                continue
            word, start, typos = plain
            slot = int((drawn - place) * len(typos))
            typo = typos[slot] or _elsewhere(typos, slot, rng)
            if typo:
                change = Replacement(len(text) - len(text.split(None, number)[number]) + start, word, typo)
                if count == 1:
                    return (change,)
                found.append(change)
        return in_order(found)


def in_order(changes: list[Replacement]) -> tuple[Replacement, ...]:
    """Changes as an edit holds them."""
    return tuple(sorted(changes, key=lambda change: change.start))


def _elsewhere(typos: tuple[str, ...], slot: int, rng: Random) -> str:
    """A typo at another place than the one that was drawn in vain."""
    left: list[int] = [*range(len(typos) // 2)]
    del left[slot // 2]
    chance = rng.random()
    while left:
        drawn = chance * len(left)
        number = int(drawn)
        place = left.pop(number)
        typo = typos[2 * place + (drawn - number >= 0.5)]
        if typo:
            return typo
        chance = rng.random()
    return ""


class _PlainWords(dict[str, Plain | None]):
    """The plain words in what stands between blanks, found once: most words come again and again."""

    def __init__(self, made: Slips, counts: Counts, *, start: int) -> None:
        self._made, self._counts, self._start = made, counts, start
        self._typos: dict[str, tuple[str, ...]] = {}
        """Those of a word, whatever punctuation it stands in."""

    def __missing__(self, token: str) -> Plain | None:
        if len(self) >= REMEMBERED:
            self.clear()
            self._typos.clear()
        found = self[token] = self._find(token)
        return found

    def _find(self, token: str) -> Plain | None:
        """The word, if there is nothing else but quotes and punctuation."""
        after_opening = token.lstrip(OPENING)
        word = after_opening.rstrip(CLOSING)
        typos = self._typos.get(word)
        if typos is None:
            if not (word.isascii() and word.isalpha() and word[1:].islower() and self._counts(word, self._start)):
                return None
            typos = self._typos[word] = _typos(word, self._made)
        return Plain(word, len(token) - len(after_opening), typos)


def _typos(word: str, made: Slips) -> tuple[str, ...]:
    """All typos of a plain word that fit, two for each place."""
    kind, layout, real_words, capitals = made
    folded = word.lower()
    by_place = slips(word, kind, layout)
    small = list(chain.from_iterable(by_place if word == folded else slips(folded, kind, layout)))
    fit = set(small) - {folded} if real_words else clear_ones(folded, small, layout)
    typos = [*chain.from_iterable(by_place)]
    for slot, typo in enumerate(small):
        if typo not in fit:  # the other one of its place, if that one fits
            typos[slot] = typos[slot ^ 1] if small[slot ^ 1] in fit else ""
    if capitals and word != folded:
        typos = [typo and with_capitals(word, typo) for typo in typos]
    return tuple(typos)
