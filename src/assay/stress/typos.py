"""Slips of the finger in a word: what they turn it into, and whether it can still be recognised."""

from typing import Literal

from assay.language.words.forms import crowded_forms, known_forms
from assay.language.words.keyboards import Layout, beside
from assay.language.words.vocabulary import is_word

Kind = Literal["swap", "key"]


def slips(word: str, kind: Kind, layout: Layout) -> list[tuple[str, str]]:
    """What a word can become by a slip of the finger, by position: between two characters, or at a letter.

    A position has two slips, to the left key and to the right one; if there is only one, it is listed twice.

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


def is_clear(word: str, typo: str, layout: Layout) -> bool:
    """Whether a typo is not a word, and no slip leads from it back to another word; both in lower case.

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
