"""Slips of the finger in a word: what they make of it, and whether it can still be told."""

from typing import Literal

from assay.language.forms import BRIEF, brief_forms, known_forms
from assay.language.keyboards import Layout, beside
from assay.language.vocabulary import is_word

Kind = Literal["swap", "key"]

AMBIGUOUS = BRIEF
"""Typos of up to so many letters must not be a slip away from two words; longer ones hardly ever are."""


def places(word: str, kind: Kind, layout: Layout) -> list[int]:
    """Where a slip can happen: between two characters, or at a letter.

    >>> places("up!", "swap", "qwerty"), places("up!", "key", "qwerty")
    ([0, 1], [0, 1])
    """
    if kind == "swap":
        return [*range(len(word) - 1)]
    keys = beside(layout)
    return [i for i, char in enumerate(word.lower()) if char in keys]


def slips(word: str, place: int, kind: Kind, layout: Layout) -> list[str]:
    """What a word can become by a slip of the finger at a place.

    >>> slips("dog", 0, "swap", "qwerty"), slips("up!", 0, "key", "qwerty"), slips("up!", 1, "key", "qwerty")
    (['odg'], ['yp!', 'ip!'], ['uo!'])
    """
    before, letter, after = word[:place], word[place], word[place + 1 :]
    if kind == "swap":
        return [before + after[:1] + letter + after[1:]]
    return [before + key + after for key in beside(layout)[letter.lower()]]


def is_clear(word: str, typo: str, layout: Layout) -> bool:
    """Whether a typo is no word, and no slip leads back from it to another word than its own; all in small letters.

    `is_clear("from", "form", "qwerty")` is false, and so is `is_clear("bats", "bsts", "qwerty")` if that is "bets" too.
    """
    if typo in known_forms() or (not typo.isalpha() and is_word(typo)):
        return False
    if len(typo) > AMBIGUOUS:
        return True
    keys = beside(layout)
    cuts = [(typo[:i], char, typo[i + 1 :]) for i, char in enumerate(typo)]
    back = {before + key + after for before, char, after in cuts for key in keys.get(char, "")}
    back.update([before + after[0] + char + after[1:] for before, char, after in cuts[:-1]])
    back.discard(word)
    return brief_forms().isdisjoint(back)


def with_capitals(word: str, typo: str) -> str:
    """The typo with capitals where the word has them.

    >>> with_capitals("The", "hTe")
    'Hte'
    """
    if word.islower():
        return typo
    cased = (new.upper() if old.isupper() else new.lower() for old, new in zip(word, typo, strict=True))
    return "".join(new if len(each) != 1 else each for new, each in zip(typo, cased, strict=True))
