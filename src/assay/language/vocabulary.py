"""Whether a form is an English word, so that a typo is not one by accident."""

import re
from functools import cache, lru_cache

from assay.language.data import word_list
from assay.language.names import first_names
from assay.language.resources import wordnet
from assay.language.wordnet import ENDINGS, ORDER

SHORT = 3
"""Up to this length a list decides alone: WordNet holds hundreds of abbreviations, symbols and letter names of one to
three letters, so that nearly any slip in a short word would count as a word."""

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


def _in_wordnet(folded: str) -> bool:
    """Whether WordNet has the form, or what it is an inflection of; a short lemma must be a listed word.

    The same as asking for its lemmas in each part of speech, without keeping what is no word.
    """
    index = wordnet().data.index
    if folded in index or folded in _irregular():
        return True
    for old, new, pos in _ENDINGS.get(folded[-1], ()):
        if folded.endswith(old):
            lemma = folded[: -len(old)] + new
            if pos in index.get(lemma, ()) and (len(lemma) > SHORT or lemma in _listed()):
                return True
    return False


_ENDINGS = {
    last: tuple((old, new, pos) for pos in ORDER for old, new in ENDINGS[pos] if old[-1] == last) for last in "sdgrtn"
}
"""WordNet's endings by their last letter."""


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
def _listed() -> frozenset[str]:
    lists = ("function_words", "short_words", "more_words")
    return frozenset(word.lower() for name in lists for word in word_list(name)) | {
        name.lower() for name in first_names()
    }
