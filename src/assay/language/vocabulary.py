"""Whether a form is an English word, so that a typo is not one by accident."""

import re
from collections.abc import Collection
from functools import cache, lru_cache

from assay.language.data import word_list
from assay.language.names import first_names
from assay.language.resources import wordnet
from assay.language.wordnet import ENDINGS, ORDER

SHORT = 3
"""Up to this length a list decides alone: WordNet holds hundreds of abbreviations, symbols and letter names of one to
three letters, so that nearly any slip in a short word would count as a word."""

BRIEF = 5
"""Up to this length all words are known in advance."""

_POSSESSIVE = re.compile(r"(?<=.)['\u2019](?:s|S)?$")


@lru_cache(maxsize=1 << 17)
def is_word(form: str) -> bool:
    """Whether a form is a word of English, inflected or not, whatever its capitals.

    In doubt the answer is yes: WordNet's endings also allow "goed", and a typo that is taken for a word is
    only left out.

    >>> is_word("From"), is_word("don't"), is_word("teh"), is_word("th"), is_word("3")
    (True, True, False, False, False)

    `is_word("children")` is true and `is_word("wnet")` is false; both need WordNet.
    """
    folded = form.lower().replace("\u2019", "'")
    if folded in _listed():
        return True
    if folded.isalpha():  # as nearly always
        return len(folded) > SHORT and _in_wordnet(folded)
    if "'" in folded and (bare := _POSSESSIVE.sub("", folded)):
        folded = bare
    if "-" in folded:
        return all(is_word(part) for part in folded.split("-"))
    if len(folded) <= SHORT or not folded.isalpha():
        return folded in _listed()
    return folded in _listed() or _in_wordnet(folded)


def any_word(forms: Collection[str]) -> bool:
    """Whether one of several forms of small letters, `BRIEF` at most, is a word; faster than to ask for each.

    `any_word({"teh", "hte", "the"})` is true and `any_word({"teh", "hte"})` is false; both need WordNet.
    """
    return not _brief_forms().isdisjoint(forms)


def _in_wordnet(folded: str) -> bool:
    """Whether WordNet has the form, or what it is an inflection of; a short lemma must be a listed word.

    The same as asking for its lemmas in each part of speech, without keeping what is no word.
    """
    index, irregular = wordnet().data.index, _irregular()
    if folded in index or folded in irregular:
        return True
    if folded[-1] not in _LAST:
        return False
    for length in _LENGTHS:
        for new, pos in _ENDINGS.get(folded[-length:], ()):
            lemma = folded[:-length] + new
            if pos in index.get(lemma, ()) and (len(lemma) > SHORT or lemma in _listed()):
                return True
    return False


_ENDINGS = {
    ending: tuple((new, pos) for pos in ORDER for old, new in ENDINGS[pos] if old == ending)
    for ending in {old for pos in ORDER for old, _ in ENDINGS[pos]}
}
"""What WordNet's endings stand for, and in which parts of speech."""
_LAST = {ending[-1] for ending in _ENDINGS}
_LENGTHS = sorted({len(ending) for ending in _ENDINGS})


@cache
def _irregular() -> frozenset[str]:
    data = wordnet().data
    return frozenset(
        form
        for pos, forms in data.exceptions.items()
        for form, lemmas in forms.items()
        if any(pos in data.index.get(lemma, ()) and (len(lemma) > SHORT or lemma in _listed()) for lemma in lemmas)
    )


@cache
def _brief_forms() -> frozenset[str]:
    """Every word of up to `BRIEF` small letters, inflected or not."""
    longest = BRIEF + max(len(new) - len(old) for old, endings in _ENDINGS.items() for new, _ in endings)
    by_part = {pos: [(old, new, len(new)) for old, new in ENDINGS[pos]] for pos in ORDER}
    found = {form for form in _listed() if len(form) <= BRIEF}
    found.update(form for form in _irregular() if SHORT < len(form) <= BRIEF)
    for lemma, parts in wordnet().data.index.items():
        if len(lemma) > longest:
            continue
        if SHORT < len(lemma) <= BRIEF:
            found.add(lemma)
        if len(lemma) > SHORT or lemma in _listed():
            for pos in parts:
                for old, new, length in by_part[pos]:
                    if lemma.endswith(new) and SHORT < len(lemma) - length + len(old) <= BRIEF:
                        found.add(lemma[: len(lemma) - length] + old)
    return frozenset(found)


@cache
def _listed() -> frozenset[str]:
    lists = ("function_words", "short_words", "more_words")
    return frozenset(word.lower() for name in lists for word in word_list(name)) | {
        name.lower() for name in first_names()
    }
