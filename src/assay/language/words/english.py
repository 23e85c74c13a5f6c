"""A test of whether a text looks English, so that one that plainly is not can be skipped. It needs no downloaded data.

Each word counts for or against English, in bits: function words of English count for it, function words of other
languages against it, and any other word by how much its letters cost compared with what English allows. A text is taken
to be English until the sum says otherwise, so a few odd words don't matter. A word with a capital may be a
name, and does not count. Two words are too few to tell, but many texts of two words are enough: in a corpus that is
plainly not English, a text is taken not to be English until the sum says otherwise.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from assay.language.resources.data import table, word_list
from assay.language.words.word_forms import listed_words

START = 35
"""The score for English before the first word."""
SHORT_FUNCTION_WORD, FUNCTION_WORD = 10, 18
"""The score of a function word, with up to two letters and with more: other languages also have "a" and "me"."""
FOREIGN_WORD = -30
"""The score of a function word of another language."""
LETTER = 2.75
"""The most that each letter may cost; in English, the letters of content words cost 2.5 on average."""
OTHER_LETTER = 15
"""The cost of a letter outside the alphabet, such as the last one of "groß"."""
MARKED = -10
"""An addition to the score of a word with such a letter, or a letter with an accent, as in "café"."""

FOREIGN_CORPUS = -5
"""The highest mean score of the texts of a corpus that is not English. Short captions in English have 7."""

FEWEST_FOREIGN = 4
"""The number of different words against English before a corpus is judged; one may be just a rare form."""

REMEMBERED = 1 << 16
"""The number of tokens that are cached."""

_WORD = re.compile(r"(?<![\w@#/\\.-])[^\W\d_]++(?:['\u2019][^\W\d_]++)*+(?![\w@/\\-]|[.:][\w/])")
"""A word that is not part of a compound, which may be a name, nor of a number or an address."""
_ALPHABET = "_abcdefghijklmnopqrstuvwxyz"


def looks_english(text: str, *, in_foreign: bool = False) -> bool:
    """False if a text is plainly not English: in another script or language, or made of random letters.

    >>> looks_english("The dogs are barking at a cat."), looks_english("Die Katze ist nicht auf dem Dach.")
    (True, False)
    >>> looks_english("Two dogs run through tall grass."), looks_english("Mbwa wawili wanakimbia kwenye nyasi ndefu.")
    (True, False)
    >>> looks_english("Кошка спит на крыше."), looks_english("Bonjour!"), looks_english("")
    (False, True, True)

    In a corpus that is plainly not English (`in_foreign`), a text has to show that it is:

    >>> looks_english("Canis dormit."), looks_english("Canis dormit.", in_foreign=True)
    (True, False)
    >>> looks_english("The dogs are barking at a cat.", in_foreign=True)
    True
    """
    return _english_bits(text) >= (START if in_foreign else -START)


def is_foreign_corpus(texts: Iterable[str]) -> bool:
    """True if texts of one corpus, which may be too short one by one, are plainly not English together.

    >>> is_foreign_corpus(["Canis dormit. Animal dormit.", "Puer ludit. Puer currit."])
    False
    >>> is_foreign_corpus(["Feles lac bibit. Feles vigilat.", "Pluit hodie. Sol lucet.", "Milites pugnant."] * 2)
    True
    """
    texts = list(texts)
    counted = [max(-START, min(START, _english_bits(text))) for text in texts]
    if sum(counted) >= min(-START, FOREIGN_CORPUS * len(counted)):
        return False
    in_other_script = sum(not text.isascii() and not _is_latin(text) for text in texts)
    against = sum(_gather_evidence()[token] < 0 for token in {token for text in texts for token in text.split()})
    return in_other_script + against >= FEWEST_FOREIGN


def _english_bits(text: str) -> int:
    """The score of a text's words for English."""
    if not text.isascii() and not _is_latin(text):
        return -START - 1
    tokens = (text.lower() if text.isupper() else text).split()
    return sum(map(_gather_evidence().__getitem__, tokens))


class _Evidence(dict[str, int]):
    """The score of each token between blanks, computed once: most tokens occur again and again."""

    def __missing__(self, token: str) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        score = self[token] = sum(map(_word_score, _WORD.findall(token)))
        return score


@cache
def _gather_evidence() -> _Evidence:
    return _Evidence()


def _word_score(word: str) -> int:
    """The score of a word."""
    folded = word.lower().replace("\u2019", "'")
    if folded in word_list("function_words"):
        return FUNCTION_WORD if len(folded) > 2 else SHORT_FUNCTION_WORD
    if not word.islower():
        return 0
    if folded in word_list("foreign_words"):
        return FOREIGN_WORD
    if folded in listed_words():
        return 0
    letters = folded.removesuffix("'s").replace("'", "")
    return round(LETTER * (len(letters) + 1)) - _letter_cost(letters) + (0 if letters.isascii() else MARKED)


def _letter_cost(letters: str) -> int:
    """The cost of a word's letters and its end in English, without accents."""
    bare = "".join(char for char in unicodedata.normalize("NFD", letters) if not unicodedata.combining(char))
    padded = f"_{bare}_"
    costs = _load_costs()
    return sum(costs.get(padded[i : i + 3], OTHER_LETTER) for i in range(len(bare)))


@cache
def _load_costs() -> dict[str, int]:
    """The cost of a letter after two others, by the three letters."""
    return {
        two + letter: int(digit, 16)
        for two, (digits,) in table("letters").items()
        for letter, digit in zip(_ALPHABET, digits, strict=True)
    }


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(char.isascii() or "LATIN" in unicodedata.name(char, "") for char in letters)
    return latin >= 0.5 * len(letters)
