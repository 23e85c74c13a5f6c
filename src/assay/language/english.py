"""Whether a text looks English, so that one which plainly is not can be flagged."""

import re
import unicodedata

from assay.language.data import word_list
from assay.language.vocabulary import is_word

FEW = 4
"""Texts of fewer words get the benefit of the doubt, unless their script tells."""

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
"""The same where no other letters occur, and faster."""


def looks_english(text: str) -> bool:
    """False if a text is plainly not English: another script, or the small words of another language.

    >>> looks_english("The dogs are barking at a cat."), looks_english("Die Katze ist nicht auf dem Dach.")
    (True, False)
    >>> looks_english("Кошка спит на крыше."), looks_english("Bonjour!"), looks_english("")
    (False, True, True)
    """
    if text.isascii():
        words = _ASCII_WORD.findall(text.lower())
    elif _is_latin(text):
        words = _WORD.findall(text.lower())
    else:
        return False
    if len(words) < FEW:
        return True
    own, others = word_list("function_words"), word_list("foreign_words")
    if not others.isdisjoint(words):
        english, foreign = sum(map(own.__contains__, words)), sum(map(others.__contains__, words))
        if foreign > 1 and foreign > english:
            return False
    return not own.isdisjoint(words) or sum(map(is_word, words)) >= 0.5 * len(words)


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(char.isascii() or "LATIN" in unicodedata.name(char, "") for char in letters)
    return latin >= 0.5 * len(letters)
