"""Slips of the finger in a word: what they make of it, and whether it can still be told."""

from collections.abc import Iterable
from typing import Literal

from assay.language.forms import BRIEF, known_forms
from assay.language.keyboards import Layout, beside
from assay.language.vocabulary import brief_words_near, is_word

Kind = Literal["swap", "key"]

AMBIGUOUS = BRIEF
"""Typos of up to so many letters must not be a slip away from two words; longer ones hardly ever are."""


def slips(word: str, kind: Kind, layout: Layout) -> list[tuple[str, str]]:
    """What a word can become by a slip of the finger, place by place: between two characters, or at a letter.

    A place has two slips, to the left key and to the right one; where there is only one, it stands there twice.

    >>> slips("up!", "swap", "qwerty"), slips("up!", "key", "qwerty")
    ([('pu!', 'pu!'), ('u!p', 'u!p')], [('yp!', 'ip!'), ('uo!', 'uo!')])
    """
    if kind == "swap":
        swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
        return [(typo, typo) for typo in swapped]
    keys = beside(layout)
    found: list[tuple[str, str]] = []
    for i, letter in enumerate(word.lower()):
        if letter in keys:
            head, near, tail = word[:i], keys[letter], word[i + 1 :]
            found.append((f"{head}{near[0]}{tail}", f"{head}{near[-1]}{tail}"))
    return found


def clear_ones(word: str, typos: Iterable[str], layout: Layout) -> set[str]:
    """The typos that are no words, and from which no slip leads back to another word; all in small letters.

    `clear_ones("from", ["form", "frim"], "qwerty")` leaves "frim", unless it may be another word too.
    """
    left = set(typos).difference(known_forms())
    if not word.isalpha():
        left = {typo for typo in left if not is_word(typo)}
    if len(word) > AMBIGUOUS:
        return left
    return {typo for typo in left if brief_words_near(typo, layout) <= {word}}


def is_clear(word: str, typo: str, layout: Layout) -> bool:
    """Whether a typo tells its word: `is_clear("from", "form", "qwerty")` is false."""
    return bool(clear_ones(word, (typo,), layout))


def with_capitals(word: str, typo: str) -> str:
    """The typo with capitals where the word has them.

    >>> with_capitals("The", "hTe")
    'Hte'
    """
    if word.islower():
        return typo
    cased = (new.upper() if old.isupper() else new.lower() for old, new in zip(word, typo, strict=True))
    return "".join(new if len(each) != 1 else each for new, each in zip(typo, cased, strict=True))
