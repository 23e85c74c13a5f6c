"""Whether a text looks English, so that one which plainly is not can be flagged."""

import re
import unicodedata

from assay.language.data import word_list
from assay.language.vocabulary import is_word

FEW = 4
"""Texts of fewer words get the benefit of the doubt, unless their script tells."""

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


def looks_english(text: str) -> bool:
    """False if a text is plainly not English: another script, or the small words of another language.

    >>> looks_english("The dogs are barking at a cat."), looks_english("Die Katze ist nicht auf dem Dach.")
    (True, False)
    >>> looks_english("Кошка спит на крыше."), looks_english("Bonjour!"), looks_english("")
    (False, True, True)
    """
    letters = [char for char in text if char.isalpha()]
    latin = sum(char.isascii() or "LATIN" in unicodedata.name(char, "") for char in letters)
    if latin < 0.5 * len(letters):
        return False
    words = _WORD.findall(text.lower())
    if len(words) < FEW:
        return True
    own, others = word_list("function_words"), word_list("foreign_words")
    english, foreign = sum(word in own for word in words), sum(word in others for word in words)
    if foreign > 1 and foreign > english:
        return False
    return bool(english) or sum(map(is_word, words)) >= 0.5 * len(words)
