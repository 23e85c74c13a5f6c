"""Proof for typos: the words that differ are found again, and each must be one slip away from a word that it tells."""

import re
from functools import cache, lru_cache
from typing import Any, Literal

from assay.core.case import Case, Option
from assay.core.edit import Replacement, Skip
from assay.language.resources.data import word_list
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ADJECTIVE, NOUN
from assay.language.text.analysis import analyse, sentence_around, token_at
from assay.language.text.tokens import Token
from assay.language.words.proper_names import find_names, first_names
from assay.language.words.word_forms import ROWS, Layout, crowded_forms, known_forms
from assay.stress.original import CHANGED, source_of

Slip = Literal["swap", "key", ""]

CONTENT = {"NN", "NNS", "JJ", "JJR", "JJS"}
FUNCTION = {"CC", "DT", "IN", "PRP", "PRP$", "WP", "WP$"}
SLIPS: dict[Option, set[Slip]] = {
    "adjacent-swap": {"swap"},
    "keyboard": {"key"},
    "content-word": {"swap", "key"},
    "function-word": {"swap", "key"},
}

TAGGED = ("content-word", "function-word")

SHORTEST = 3
"""Letters below which nobody can tell which word was meant."""

_ALONE = re.compile(r"(?<![^\s\"(\[\u201c`])[A-Za-z]++(?=[.,;:!?)\]\"'\u201d\u2019]*+(?:\s|\Z))")
"""Nothing but letters, and nothing but quotes, brackets and punctuation touches them."""

COUNT = Skip("not verified: the number of changed words is not the requested one")
ELSEWHERE = Skip("not verified: a text other than the hypothesis was changed")
PART = Skip("not verified: the change is not of one whole word")
NAME = Skip("not verified: the word may be a name")
SHORT = Skip("not verified: the word is too short to be recognised with a typo")
NO_SLIP = Skip("not verified: the word is not one slip of the finger away")
CAPITALS = Skip("not verified: capitals were changed")
UNKNOWN = Skip("not verified: the word is not known to be English")
WORD = Skip("not verified: the result is an English word")
UNCLEAR = Skip("not verified: the result is just as close to another word")
WRONG_KIND = Skip("not verified: the word is not of the requested kind")


class SpellingCheck:
    """For the family spelling, in all variants."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, count the changes, and look at each changed word."""
        provenance, source = case.provenance, source_of(case)
        edit, options = provenance.edit, provenance.recipe.options
        changes = edit.hypothesis
        if source is None or edit.label is not None:
            return CHANGED
        if edit.premise:
            return ELSEWHERE
        if len(changes) != options.get("typos", 1):
            return COUNT
        variant = options.get("variant", "content-word")
        layout: Any = options.get("layout", "qwerty")
        for change in changes:
            skip = _check_change(source[1], change, variant, layout)
            if skip is not None:
                return skip
        return None


def _check_change(text: str, change: Replacement, variant: Option, layout: Layout) -> Skip | None:
    """Check that a whole word of the wanted kind was changed that is not a name and that its typo still shows."""
    word, start = change.old, change.start
    alone = _ALONE.match(text, start)
    if alone is None or alone.end() != start + len(word):
        return PART
    if not word.islower() and not _is_no_name(text, change):
        return NAME
    skip = _check_typo(word, change.new, variant, layout)
    return _check_kind(text, change, variant) if skip is None and variant in TAGGED else skip


def _is_no_name(text: str, change: Replacement) -> bool:
    """True if a word with a capital begins the text, and is a function word or nobody's name."""
    if not change.old.istitle() or change.old in first_names():
        return False
    if change.start and any(char.isalnum() for char in text[: change.start]):
        return False
    if change.old.lower() in word_list("function_words"):
        return True
    if text[change.start + len(change.old) :].lstrip()[:1].isupper():
        return False  # "Red Sea"
    tokens = analyse(text)
    sentence = [tokens[i] for i in sentence_around(tokens, 0)]
    names = find_names([Token(*token[:3]) for token in sentence], [token.tag for token in sentence])
    return not any(name.start <= change.start < name.end for name in names)


@lru_cache(maxsize=1 << 16)  # common words come again and again, and have few typos
def _check_typo(word: str, typo: str, variant: Option, layout: Layout) -> Skip | None:
    """Check that a typo tells its word: one slip away from it, no word itself, and not as near to another word."""
    if len(word) < SHORTEST:
        return SHORT
    if not (word.islower() and typo.islower()):
        if [letter.isupper() for letter in word] != [letter.isupper() for letter in typo]:
            return CAPITALS
        word, typo = word.lower(), typo.lower()
    if slip_between(word, typo, layout) not in SLIPS[variant]:
        return NO_SLIP
    known = known_forms()
    if word not in known:
        return UNKNOWN
    if typo in known:
        return WORD
    return UNCLEAR if typo in crowded_forms(layout) else None


def slip_between(word: str, typo: str, layout: Layout = "qwerty") -> Slip:
    """The slip of the finger between two words, if one explains it: Damerau's distance of 1, and keys side by side.

    >>> slip_between("from", "form"), slip_between("dog", "dig"), slip_between("dog", "dug"), slip_between("dog", "do")
    ('swap', 'key', '', '')
    """
    if len(word) != len(typo):
        return ""
    for i, letter in enumerate(word):
        other = typo[i]
        if letter != other:
            rest, changed = word[i + 1 :], typo[i + 1 :]
            if rest == changed:
                return "key" if other in _keys_beside(layout).get(letter, "") else ""
            return "swap" if f"{letter}{rest}" == f"{changed[0]}{other}{changed[1:]}" else ""
    return ""


@cache
def _keys_beside(layout: Layout) -> dict[str, str]:
    """The neighbouring keys of each key, from the keyboard layout."""
    places = {(row, column): letter for row, line in enumerate(ROWS[layout]) for column, letter in enumerate(line)}
    return {
        letter: places.get((row, column - 1), "") + places.get((row, column + 1), "")
        for (row, column), letter in places.items()
    }


def _check_kind(text: str, change: Replacement, variant: Option) -> Skip | None:
    """Check that a content word is a noun or an adjective, and a function word one of a closed class."""
    tokens = analyse(text)
    i = token_at(tokens, change.start)
    tag = tokens[i].tag if i >= 0 else ""
    folded = change.old.lower()
    in_closed_class = folded in word_list("function_words")
    if variant == "function-word":
        return None if tag in FUNCTION and in_closed_class else WRONG_KIND
    is_content = tag in CONTENT and any(wordnet().morphy(folded, pos) for pos in (NOUN, ADJECTIVE))
    return None if is_content and not in_closed_class else WRONG_KIND
