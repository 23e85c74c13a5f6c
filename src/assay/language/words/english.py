"""Whether a text looks English, so that one which plainly is not can be flagged."""

import re
import unicodedata
from functools import cache

from assay.language.resources.data import word_list
from assay.language.words.vocabulary import is_word

FEW = 4
"""Texts of fewer words get the benefit of the doubt, unless their script tells."""

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
"""The same where no other letters occur, and faster."""


def looks_english(text: str) -> bool:
    """False if a text is plainly not English: foreign, or of words that are unknown.

    >>> looks_english("The dogs are barking at a cat."), looks_english("Die Katze ist nicht auf dem Dach.")
    (True, False)
    >>> looks_english("Кошка спит на крыше."), looks_english("Bonjour!"), looks_english("")
    (False, True, True)
    """
    if is_foreign(text):
        return False
    if not _function_words().isdisjoint(text.lower().split()):  # quick, and so for nearly every English text
        return True
    words = _words(text)
    if len(words) < FEW:
        return True
    return not word_list("function_words").isdisjoint(words) or sum(map(is_word, words)) >= 0.5 * len(words)


def is_foreign(text: str) -> bool:
    """Whether a text has another script, or the small words of another language; it takes no data that must be brought.

    >>> [is_foreign(text) for text in ("Le chat est sur la table.", "犬が寝ています。", "A cat sleeps.", "Katze")]
    [True, True, False, False]
    """
    if not text.isascii() and not _is_latin(text):
        return True
    others = word_list("foreign_words")
    if others.isdisjoint(text.lower().split()):  # quick, and so for nearly every English text
        return False
    words = _words(text)
    if len(words) < FEW:
        return False
    english, foreign = (sum(map(each.__contains__, words)) for each in (word_list("function_words"), others))
    return foreign > 1 and foreign > english


@cache
def _function_words() -> frozenset[str]:
    """Those that may stand between blanks as they are; "'s" is only ever a part."""
    return frozenset(filter(_ASCII_WORD.fullmatch, word_list("function_words")))


def _words(text: str) -> list[str]:
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text.lower())


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(char.isascii() or "LATIN" in unicodedata.name(char, "") for char in letters)
    return latin >= 0.5 * len(letters)
