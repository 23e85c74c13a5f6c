"""Every form of letters that is an English word, derived from the word lists and WordNet once and kept beside it."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from assay.core.errors import ExternalError
from assay.core.files import write_whole
from assay.language.data import word_list
from assay.language.names import first_names
from assay.language.resources import home, load, stored
from assay.language.wordnet import ENDINGS, WordNetData

SHORT = 3
"""Up to this length a list decides alone: WordNet holds hundreds of abbreviations, symbols and letter names of one to
three letters, so that nearly any slip in a short word would count as a word."""

BRIEF = 5
"""Letters of a brief form at most."""


@cache
def listed() -> frozenset[str]:
    """The words of our own lists in small letters; some are no single form of letters, such as "o'clock".

    >>> "from" in listed(), "o'clock" in listed(), "maria" in listed(), "teh" in listed()
    (True, True, True, False)
    """
    lists = ("function_words", "short_words", "more_words")
    return frozenset(word.lower() for name in lists for word in word_list(name)) | {
        name.lower() for name in first_names()
    }


@cache
def known_forms() -> frozenset[str]:
    """The listed words, and what WordNet knows or can inflect, in small letters; loaded once a process.

    In doubt a form is in: WordNet's endings also allow "goed". `"geese" in known_forms()` is true and
    `"wnet" in known_forms()` is false; both need WordNet.
    """
    return _kept_or_made(forms_path())


@cache
def brief_forms() -> frozenset[str]:
    """The known forms of up to `BRIEF` letters: few enough that many questions at once stay quick."""
    return frozenset([form for form in known_forms() if len(form) <= BRIEF])


def forms_path() -> Path:
    """Where the forms are kept: the name tells what they were derived from, rules included."""
    key = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=8)
    for part in ("\n".join(sorted(listed())).encode(), repr(ENDINGS).encode(), stored("wordnet")):
        key.update(hashlib.blake2b(part).digest())
    return home() / f"forms-{key.hexdigest()}.txt"


def keep_forms() -> Path:
    """Make the file now, so that nobody waits for it later."""
    path = forms_path()
    _kept_or_made(path)
    return path


def _kept_or_made(path: Path) -> frozenset[str]:
    kept = _read(path)
    return _make(path) if kept is None else kept


def _read(path: Path) -> frozenset[str] | None:
    """The forms of a file; None if it is not there or not whole."""
    try:
        digest, _, text = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return frozenset(text.decode().split("\n")) if digest == _digest(text) else None


def _make(path: Path) -> frozenset[str]:
    forms = frozenset(listed().union(_in_wordnet(load("wordnet", WordNetData))))
    text = "\n".join(sorted(forms)).encode()
    with suppress(ExternalError):  # a folder that can't be written to costs time, nothing else
        write_whole(path, _digest(text) + b"\n" + text)
    return forms


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).hexdigest().encode()


def _in_wordnet(data: WordNetData) -> Iterator[str]:
    """Lemmas, their inflections and irregular forms; those of a short lemma only if it is a listed word."""
    for lemma, parts in data.index.items():
        if not lemma.isalpha():
            continue
        if len(lemma) > SHORT:
            yield lemma
        elif lemma not in listed():
            continue
        for pos in parts:
            for ending, instead in ENDINGS[pos]:
                stem = len(lemma) - len(instead)
                if stem + len(ending) > SHORT and lemma.endswith(instead):
                    yield lemma[:stem] + ending
    for pos, irregular in data.exceptions.items():
        for form, lemmas in irregular.items():
            if len(form) > SHORT and form.isalpha() and any(_counts(lemma, pos, data) for lemma in lemmas):
                yield form


def _counts(lemma: str, pos: str, data: WordNetData) -> bool:
    return pos in data.index.get(lemma, ()) and (len(lemma) > SHORT or lemma in listed())
