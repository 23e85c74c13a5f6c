"""Slips of the finger in a word: what they make of it, and whether it can still be told."""

from functools import lru_cache
from typing import Literal

from assay.language.keyboards import Layout, neighbours
from assay.language.vocabulary import is_word

Kind = Literal["swap", "key"]

AMBIGUOUS = 5
"""Typos of up to so many letters must not be a slip away from two words; longer ones hardly ever are."""


@lru_cache(maxsize=1 << 16)
def slips(word: str, kind: Kind, layout: Layout) -> tuple[tuple[str, ...], ...]:
    """What each place of a word can become by a slip of the finger.

    >>> slips("dog", "swap", "qwerty")
    (('odg',), ('dgo',))
    >>> slips("up!", "key", "qwerty")
    (('yp!', 'ip!'), ('uo!',))
    """
    if kind == "swap":
        return tuple((word[:i] + word[i + 1] + word[i] + word[i + 2 :],) for i in range(len(word) - 1))
    keys = ((i, neighbours(char.lower(), layout)) for i, char in enumerate(word))
    return tuple(tuple(word[:i] + key + word[i + 1 :] for key in near) for i, near in keys if near)


def is_clear(word: str, typo: str, layout: Layout) -> bool:
    """Whether a typo is no word, and no slip leads back from it to another word than its own.

    `is_clear("from", "form", "qwerty")` is false, and so is `is_clear("bats", "bsts", "qwerty")` if that is "bets" too.
    """
    if is_word(typo):
        return False
    if len(typo) > AMBIGUOUS:
        return True
    kinds: tuple[Kind, ...] = ("swap", "key")
    back = (other for kind in kinds for place in slips.__wrapped__(typo, kind, layout) for other in place)
    return all(other == word or not is_word(other) for other in back)


def with_capitals(word: str, typo: str) -> str:
    """The typo with capitals where the word has them.

    >>> with_capitals("The", "hTe")
    'Hte'
    """
    if word.islower():
        return typo
    cased = (new.upper() if old.isupper() else new.lower() for old, new in zip(word, typo, strict=True))
    return "".join(new if len(each) != 1 else each for new, each in zip(typo, cased, strict=True))
