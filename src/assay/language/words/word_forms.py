"""All English word forms, and forms that may be typos of several words. They are derived once, and stored."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

import msgspec

from assay.core.errors import ExternalError
from assay.language.resources.data import table, word_list
from assay.language.resources.installed import load_resource, load_resource_file, resource_folder, without_gc
from assay.language.resources.wordnet_database import ENDINGS, WordNetData
from assay.storage.files import if_whole, with_digest, write_whole

Layout = Literal["qwerty", "qwertz", "azerty"]

ROWS: dict[Layout, tuple[str, ...]] = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiop", "asdfghjkl", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
}
"""The letters of a layout, row by row from the top; each row starts a fraction of a key further right."""

LAYOUTS: tuple[Layout, ...] = get_args(Layout)


@cache
def keys_beside(layout: Layout) -> dict[str, str]:
    """The lower-case letters of a layout, each with its left and right neighbours in the row.

    >>> keys_beside("qwerty")["s"], keys_beside("qwerty")["p"], keys_beside("azerty")["a"]
    ('ad', 'o', 'z')
    """
    return {
        letter: row[max(0, column - 1) : column] + row[column + 1 : column + 2]
        for row in ROWS[layout]
        for column, letter in enumerate(row)
    }


SHORT = 3
"""Up to this length, only a list decides: WordNet holds hundreds of abbreviations, symbols and letter names of one to
three letters, so that nearly any typo in a short word would count as a word."""

BRIEF = 5
"""Up to this many letters, a typo must not be one slip away from two words; longer ones hardly ever are."""


@cache
def listed_words() -> frozenset[str]:
    """The words of our own lists in lower case; some are more than letters, such as "o'clock".

    >>> "from" in listed_words(), "o'clock" in listed_words(), "maria" in listed_words(), "teh" in listed_words()
    (True, True, True, False)
    """
    lists = ("function_words", "short_words", "more_words", "first_names")
    return frozenset(word.lower() for name in lists for word in word_list(name))


class Forms(msgspec.Struct, frozen=True):
    """Derived forms, as they are stored."""

    known: frozenset[str]
    crowded: dict[str, frozenset[str]]
    """The result of `crowded_forms` for each layout."""


@cache
def known_forms() -> frozenset[str]:
    """The listed words, and what WordNet knows or can inflect, in lower case; loaded once per process.

    In doubt, a form is included: WordNet's endings also allow "goed". `"geese" in known_forms()` is true and
    `"wnet" in known_forms()` is false; both need WordNet.
    """
    return _load_forms().known


@cache
def crowded_forms(layout: Layout) -> frozenset[str]:
    """Forms of up to `BRIEF` letters that are not words, and are one slip of the finger away from several known forms.

    `"bsts" in crowded_forms("qwerty")` is true, as it may be "bats" or "bets"; it needs WordNet.
    """
    return _load_forms().crowded[layout]


def forms_path() -> Path:
    """The file of the forms: its name depends on everything they are derived from, rules included."""
    key = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=8)
    for part in ("\n".join(sorted(listed_words())), repr((ENDINGS, ROWS)), load_resource_file("wordnet")[1]):
        key.update(hashlib.blake2b(part.encode()).digest())
    return resource_folder() / f"forms-{key.hexdigest()}.msgpack"


@cache
def _load_forms() -> Forms:
    path = forms_path()
    return _read_forms(path) or _derive_forms(path)


def _read_forms(path: Path) -> Forms | None:
    """The forms in a file; None if it is missing or damaged."""
    try:
        data = if_whole(path.read_bytes())
    except OSError:
        return None
    if data is None:
        return None
    with without_gc():
        return msgspec.msgpack.decode(data, type=Forms)


def _derive_forms(path: Path) -> Forms:
    known = frozenset(listed_words().union(_in_wordnet(load_resource("wordnet", WordNetData)[0])))
    brief = [form for form in known if len(form) <= BRIEF]
    forms = Forms(known, {layout: frozenset(_find_crowded(brief, layout) - known) for layout in LAYOUTS})
    data = msgspec.msgpack.encode(forms, order="deterministic")
    with suppress(ExternalError):  # a folder that can't be written to only costs time
        write_whole(path, with_digest(data))
    return forms


def _find_crowded(words: Iterable[str], layout: Layout) -> set[str]:
    """Forms that are one slip away from two words or more."""
    keys = keys_beside(layout)
    once: set[str] = set()
    twice: set[str] = set()
    for word in words:
        around = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
        around |= {word[:i] + key + word[i + 1 :] for i, letter in enumerate(word) for key in keys.get(letter, "")}
        twice |= once & around
        once |= around
    return twice


def _in_wordnet(data: WordNetData) -> Iterator[str]:
    """Lemmas, inflections and irregular forms from WordNet; those of a short lemma only if it is a listed word."""
    for lemma, parts in data.index.items():
        if not lemma.isalpha():
            continue
        if len(lemma) > SHORT:
            yield lemma
        elif lemma not in listed_words():
            continue
        for pos in parts:
            for ending, instead in ENDINGS[pos]:
                stem = len(lemma) - len(instead)
                if stem + len(ending) > SHORT and lemma.endswith(instead):
                    yield lemma[:stem] + ending
    for pos, irregular in data.exceptions.items():
        for form, lemmas in irregular.items():
            if len(form) > SHORT and form.isalpha() and any(_is_counted(lemma, pos, data) for lemma in lemmas):
                yield form


def _is_counted(lemma: str, pos: str, data: WordNetData) -> bool:
    return pos in data.index.get(lemma, ()) and (len(lemma) > SHORT or lemma in listed_words())


_POSSESSIVE = re.compile(r"(?<=.)['\u2019](?:s|S)?$")


@lru_cache(maxsize=1 << 17)
def is_word(form: str) -> bool:
    """True if a form is a word of English, inflected or not, whatever its capitals.

    In doubt, the answer is yes: WordNet's endings also allow "goed", and a typo that is taken for a word is
    only left out.

    >>> is_word("From"), is_word("don't"), is_word("teh"), is_word("th"), is_word("3")
    (True, True, False, False, False)

    `is_word("children")` is true and `is_word("wnet")` is false; both need WordNet.
    """
    folded = form.lower().replace("\u2019", "'")
    if folded in listed_words():
        return True
    if folded.isalpha():  # as nearly always
        return len(folded) > SHORT and folded in known_forms()
    if "'" in folded and (bare := _POSSESSIVE.sub("", folded)):
        folded = bare
    if "-" in folded:
        return all(is_word(part) for part in folded.split("-"))
    if len(folded) <= SHORT or not folded.isalpha():
        return folded in listed_words()
    return folded in listed_words() or folded in known_forms()


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
"""A corpus whose mean score is below this is taken to be non-English. Short captions in English have 7."""

FEWEST_FOREIGN = 4
"""The number of different words against English before a corpus is judged; one may be just a rare form."""

REMEMBERED = 1 << 16

_WORD = re.compile(r"(?<![\w@#/\\.-])[^\W\d_]++(?:['\u2019][^\W\d_]++)*+(?![\w@/\\-]|[.:][\w/])")
"""A word that is not part of a compound, which may be a name, nor of a number or an address."""
_ALPHABET = "_abcdefghijklmnopqrstuvwxyz"


def looks_english(text: str, *, in_foreign: bool = False) -> bool:
    """False if a text is clearly not English: in another script or language, or random letters.

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
    """True if the texts of a corpus together are clearly not English; single texts may be too short to tell.

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
    """The evidence, in bits, that the words of a text are English."""
    if not text.isascii() and not _is_latin(text):
        return -START - 1
    tokens = (text.lower() if text.isupper() else text).split()
    return sum(map(_gather_evidence().__getitem__, tokens))


class _Evidence(dict[str, int]):
    """Caches the score of each token, since most tokens occur often."""

    def __missing__(self, token: str) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        score = self[token] = sum(map(_word_score, _WORD.findall(token)))
        return score


@cache
def _gather_evidence() -> _Evidence:
    return _Evidence()


def _word_score(word: str) -> int:
    """The evidence, in bits, that a word is English."""
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
    """The cost of coding a word's letters and its end with the English letter model, without accents."""
    if not letters.isascii():
        letters = "".join(char for char in unicodedata.normalize("NFD", letters) if not unicodedata.combining(char))
    padded = f"_{letters}_"
    return sum(map(_load_costs().__getitem__, zip(padded, padded[1:], padded[2:], strict=False)))


class _LetterCosts(dict[tuple[str, ...], int]):
    """The cost of each letter after two others, by the three letters."""

    def __missing__(self, letters: tuple[str, ...]) -> int:
        return OTHER_LETTER


@cache
def _load_costs() -> _LetterCosts:
    return _LetterCosts(
        ((*two, letter), int(digit, 16))
        for two, (digits,) in table("letters").items()
        for letter, digit in zip(_ALPHABET, digits, strict=True)
    )


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(char.isascii() or "LATIN" in unicodedata.name(char, "") for char in letters)
    return latin >= 0.5 * len(letters)
