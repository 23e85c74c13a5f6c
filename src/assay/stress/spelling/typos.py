"""Slips of the finger in a word, and typos in plain words of any kind."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from assay.core.edit import Replacement
from assay.language.resources.data import word_list
from assay.language.words.proper_names import first_names
from assay.language.words.word_forms import Layout, crowded_forms, is_word, keys_beside, known_forms

Kind = Literal["swap", "key"]
WriteBack = Literal["token", "first-substring"]


class SpellingSwitches(NamedTuple):
    """The switches, all set; the defaults are those of strict."""

    nn: bool = True
    any_word: bool = False
    prepositions: bool = True
    shortest: int = 3
    distinct_letters: int = 1
    hyphens: bool = False
    attempts: int = 0
    unchanged: bool = False
    real_words: bool = False
    capitals: bool = True
    write_back: WriteBack = "token"
    parses: bool = False


def list_slips(word: str, kind: Kind, layout: Layout) -> list[tuple[str, str]]:
    """Typos of a word by a slip of the finger, by position: between two characters, or at a letter.

    A position has two slips, to the left key and to the right one; if there is only one, it is listed twice.

    >>> list_slips("up!", "swap", "qwerty"), list_slips("up!", "key", "qwerty")
    ([('pu!', 'pu!'), ('u!p', 'u!p')], [('yp!', 'ip!'), ('uo!', 'uo!')])
    """
    if kind == "swap":
        swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
        return [(typo, typo) for typo in swapped]
    keys = keys_beside(layout)
    typos: list[tuple[str, str]] = []
    for i, letter in enumerate(word.lower()):
        if letter in keys:
            head, near, tail = word[:i], keys[letter], word[i + 1 :]
            typos.append((f"{head}{near[0]}{tail}", f"{head}{near[-1]}{tail}"))
    return typos


def is_clear(word: str, typo: str, layout: Layout) -> bool:
    """True if a typo is not a word, and no slip leads from it back to another word; both in lower case.

    `is_clear("from", "form", "qwerty")` is false; it needs WordNet.
    """
    if typo in known_forms() or typo in crowded_forms(layout):
        return False
    return word.isalpha() or not is_word(typo)


def with_capitals(word: str, typo: str) -> str:
    """The typo with capitals where the word has them.

    >>> with_capitals("The", "hTe")
    'Hte'
    """
    if word.islower():
        return typo
    cased = (new.upper() if old.isupper() else new.lower() for old, new in zip(word, typo, strict=True))
    return "".join(new if len(each) != 1 else each for new, each in zip(typo, cased, strict=True))


OPENING, CLOSING = '"([\u201c`', ".,;:!?)]\"'\u201d\u2019"
REMEMBERED = 1 << 16


Typos = list[str | None]
"""The typo of a slip at each position to each side: "" if that does not fit, None until it is drawn."""


class PlainWord(NamedTuple):
    """A plain word in a chunk between blanks."""

    text: str
    """As written; empty if there is none."""
    start: int
    typos: Typos
    """Its typos, shared by all chunks with the same word."""


NONE = PlainWord("", 0, [])


class PlainTypos:
    """Draws plain words of a text, each with a typo.

    A plain word is not part of a contraction, a compound, a number, an address or an abbreviation.
    """

    def __init__(self, kind: Kind, layout: Layout, rules: SpellingSwitches) -> None:
        self._kind, self._layout, self._rules = kind, layout, rules
        self._first, self._inside = (_PlainWords(kind, rules, begins=begins) for begins in (True, False))

    def __call__(self, text: str, rng: Random, count: int) -> tuple[Replacement, ...]:
        """`count` changes, or fewer if no word is left; most of the text is never examined."""
        tokens = text.split()
        left: Sequence[int] = range(len(tokens))
        found: list[Replacement] = []
        while left and len(found) < count:
            drawn = rng.random() * len(left)  # the integer part selects the word, and the fraction the typo
            place = int(drawn)
            number = left[place]
            word, start, typos = self._inside[tokens[number]] if number else self._first[tokens[0]]
            typo = word and (
                typos[int((drawn - place) * len(typos))] or self._draw_typo(word, drawn - place, typos, rng)
            )
            if typo:
                change = Replacement(len(text) - len(text.split(None, number)[number]) + start, word, typo)
                if count == 1:
                    return (change,)
                found.append(change)
            left = left if isinstance(left, list) else [*left]  # most texts never need a list
            del left[place]
        return in_order(found)

    def _draw_typo(self, word: str, chance: float, typos: Typos, rng: Random) -> str:
        """A typo that fits, or ""; the position is drawn first, then the side; the first draw is an argument."""
        left: Sequence[int] = range(len(typos) // 2)
        while left:
            drawn = chance * len(left)
            number = int(drawn)
            place, right = left[number], drawn - number >= 0.5
            typo = typos[2 * place + right]
            if typo is None:
                typo = typos[2 * place + right] = self._make_typo(word, place, right)
            if typo:
                return typo
            left = [*left]
            del left[number]
            chance = rng.random()
        return ""

    def _make_typo(self, word: str, place: int, right: bool) -> str:
        """The typo with the key on one side, or else on the other; "" if neither fits."""
        folded, slips = word.lower(), list_slips(word, self._kind, self._layout)[place]
        for typo in slips[::-1] if right else slips:
            small = typo.lower()
            if small != folded and (self._rules.real_words or is_clear(folded, small, self._layout)):
                return with_capitals(word, typo) if self._rules.capitals else typo
        return ""


class _PlainWords(dict[str, PlainWord]):
    """The plain words in a chunk between blanks, found once: most words occur again and again."""

    def __init__(self, kind: Kind, rules: SpellingSwitches, *, begins: bool) -> None:
        self._swaps, self._rules, self._begins = kind == "swap", rules, begins
        self._typos: dict[str, Typos] = {}

    def __missing__(self, token: str) -> PlainWord:
        if len(self) >= REMEMBERED:
            self.clear()
            self._typos.clear()
        after_opening = token.lstrip(OPENING)
        word = after_opening.rstrip(CLOSING)
        plain = NONE
        if self._is_plain(word):
            typos = self._typos.get(word)
            if typos is None:
                typos = self._typos[word] = [None] * (2 * (len(word) - self._swaps))
            plain = PlainWord(word, len(token) - len(after_opening), typos)
        self[token] = plain
        return plain

    def _is_plain(self, word: str) -> bool:
        """True if a chunk is only letters, and a word that may get a typo."""
        rules = self._rules
        return (
            len(word) >= rules.shortest
            and word.isascii()
            and word.isalpha()
            and (rules.real_words or word.lower() in known_forms())
            and word[1:].islower()
            and is_no_name(word, begins=self._begins)
            and not (self._swaps and len(set(word)) < rules.distinct_letters)
        )


def in_order(changes: list[Replacement]) -> tuple[Replacement, ...]:
    """Changes as the replacements of an edit."""
    return tuple(sorted(changes, key=lambda change: change.start))


def is_no_name(word: str, *, begins: bool) -> bool:
    """True if a word is in lower case, or is a function word whose capital shows that it begins the text.

    >>> is_no_name("dog", begins=False), is_no_name("Dog", begins=True), is_no_name("The", begins=True)
    (True, False, True)
    """
    return word.islower() or (begins and word.lower() in word_list("function_words") and word not in first_names())
