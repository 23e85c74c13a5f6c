"""Proof for typos: the words that differ are found again, and each must be one slip away from a word that it tells."""

import re
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from assay.core.case import Case, Option, text_digest
from assay.core.edit import Replacement, Skip
from assay.language.analysis import analyse
from assay.language.data import word_list
from assay.language.forms import known_forms
from assay.language.keyboards import ROWS, Layout
from assay.language.names import first_names, named
from assay.language.resources import wordnet
from assay.language.tokens import Token
from assay.language.vocabulary import brief_words_near
from assay.language.wordnet import ADJECTIVE, NOUN
from assay.stress.checks.source import CHANGED, source_of

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
LONG = 6
"""From this length on, a typo that is as near to another word is too rare to look for."""

_ALONE = re.compile(r"(?<![^\s\"(\[\u201c`])[A-Za-z]++(?=[.,;:!?)\]\"'\u201d\u2019]*+(?:\s|\Z))")
"""Nothing but letters, and nothing but quotes, brackets and punctuation touches them."""

COUNT = Skip("not proven: another number of words differs than was asked for")
ELSEWHERE = Skip("not proven: something else than the hypothesis was changed")
PART = Skip("not proven: the change is not of one whole word")
NAME = Skip("not proven: the word may be a name")
SHORT = Skip("not proven: the word is too short to be told with a typo")
NO_SLIP = Skip("not proven: the word is not one slip of the finger away")
CAPITALS = Skip("not proven: capitals were changed")
UNKNOWN = Skip("not proven: the word is not known to be English")
WORD = Skip("not proven: the result is an English word")
UNCLEAR = Skip("not proven: the result is as near to another word")
WRONG_KIND = Skip("not proven: the word is not of the kind that was asked for")


class Key(NamedTuple):
    """Where a letter lies."""

    row: int
    """From the top."""
    column: int
    """From the left."""


class SpellingCheck:
    """For the family spelling, in all variants."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, count, and look at each word that differs."""
        provenance = case.provenance
        edit, options, source = provenance.edit, provenance.recipe.options, source_of(case)
        if source is None or text_digest(*source) != provenance.source or edit.label is not None:
            return CHANGED
        if edit.premise:
            return ELSEWHERE
        if len(edit.hypothesis) != options.get("typos", 1):
            return COUNT
        variant = options.get("variant", "content-word")
        layout: Any = options.get("layout", "qwerty")
        for change in edit.hypothesis:
            found = _check_change(source[1], change, variant, layout)
            if found is not None:
                return found
        return None


def _check_change(text: str, change: Replacement, variant: Option, layout: Layout) -> Skip | None:
    word, start = change.old, change.start
    alone = _ALONE.match(text, start)
    if alone is None or alone.end() != start + len(word):
        return PART
    if not word.islower() and not _is_no_name(text, change):
        return NAME
    if change.new not in _telling(word, variant, layout):
        return _why_not(word, change.new, variant, layout)
    return _check_kind(text, change, variant) if variant in TAGGED else None


def _is_no_name(text: str, change: Replacement) -> bool:
    """Whether a word with a capital begins the text, and is a function word or nobody's name."""
    if not change.old.istitle() or change.old in first_names():
        return False
    if change.start and any(char.isalnum() for char in text[: change.start]):
        return False
    if change.old.lower() in word_list("function_words"):
        return True
    if text[change.start + len(change.old) :].lstrip()[:1].isupper():
        return False  # "Red Sea"
    sentence = [token for token in analyse(text) if token.sentence == 0]
    found = named([Token(*token[:3]) for token in sentence], [token.tag for token in sentence])
    return not any(name.start <= change.start < name.end for name in found)


@lru_cache(maxsize=1 << 16)
def _telling(word: str, variant: Option, layout: Layout) -> frozenset[str]:
    """The typos that tell a word: all at once, because most words are met again with another one."""
    if not word.islower():
        return frozenset([_cased(typo, word) for typo in _telling(word.lower(), variant, layout)])
    known = known_forms()
    if len(word) < SHORTEST or word not in known:
        return frozenset()
    made = _around(word, layout, SLIPS[variant]).difference(known)
    if len(word) >= LONG:
        return frozenset(made)
    return frozenset([typo for typo in made if brief_words_near(typo, layout) <= {word}])


def _cased(typo: str, word: str) -> str:
    return "".join([new.upper() if old.isupper() else new for new, old in zip(typo, word, strict=True)])


def _why_not(word: str, typo: str, variant: Option, layout: Layout) -> Skip:
    """What is wrong with a typo that does not tell a word."""
    if len(word) < SHORTEST:
        return SHORT
    if not (word.islower() and typo.islower()):
        if [letter.isupper() for letter in word] != [letter.isupper() for letter in typo]:
            return CAPITALS
        word, typo = word.lower(), typo.lower()
    if slip_between(word, typo, layout) not in SLIPS[variant]:
        return NO_SLIP
    if word not in known_forms():
        return UNKNOWN
    return WORD if typo in known_forms() else UNCLEAR


def slip_between(word: str, typo: str, layout: Layout = "qwerty") -> Slip:
    """Which slip of the finger tells two words apart, if one does: Damerau's distance of 1, and keys side by side.

    >>> slip_between("from", "form"), slip_between("dog", "dig"), slip_between("dog", "dug"), slip_between("dog", "do")
    ('swap', 'key', '', '')
    """
    if len(word) != len(typo):
        return ""
    first = 0
    for letter, other in zip(word, typo, strict=True):
        if letter != other:
            break
        first += 1
    rest, changed = word[first:], typo[first:]
    if rest[1:] == changed[1:]:
        return "key" if changed and changed[0] in _beside(layout).get(rest[0], "") else ""
    return "swap" if changed == rest[1] + rest[0] + rest[2:] else ""


@cache
def _beside(layout: Layout) -> dict[str, str]:
    """The keys beside each key, from where they lie."""
    places = {letter: Key(row, column) for row, line in enumerate(ROWS[layout]) for column, letter in enumerate(line)}
    return {
        letter: "".join(other for other, key in places.items() if key in (Key(row, column - 1), Key(row, column + 1)))
        for letter, (row, column) in places.items()
    }


def _around(word: str, layout: Layout, slips: set[Slip]) -> set[str]:
    """All that one of the slips makes of a word."""
    found: set[str] = set()
    if "key" in slips:
        beside = _beside(layout)
        for i, letter in enumerate(word):
            head, tail = word[:i], word[i + 1 :]
            for key in beside.get(letter, ""):
                found.add(f"{head}{key}{tail}")
    if "swap" in slips:
        found.update([word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)])
    return found


def _check_kind(text: str, change: Replacement, variant: Option) -> Skip | None:
    """Whether a content word is a noun or an adjective, and a function word one of a closed class."""
    tag = next((token.tag for token in analyse(text) if token.start == change.start), "")
    folded = change.old.lower()
    in_closed_class = folded in word_list("function_words")
    if variant == "function-word":
        return None if tag in FUNCTION and in_closed_class else WRONG_KIND
    is_content = tag in CONTENT and any(wordnet().morphy(folded, pos) for pos in (NOUN, ADJECTIVE))
    return None if is_content and not in_closed_class else WRONG_KIND
