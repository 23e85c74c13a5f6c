"""The part of speech of a changed word, from more than one source."""

from assay.core.edit import Replacement, replace
from assay.language.text.analysis import Tagged, analyse, second_tag, token_at

OTHER_PART = "perhaps another part of speech"
ALIKE = {"N": "NJ", "V": "V", "J": "JVN", "R": "RIJ", "I": "IRTJ", "T": "IT", "C": "CN"}
"""Which parts of speech a tagger may give to words that can stand in one place, by the tags' first letters."""


def disputed(text: str, token: Tagged) -> str:
    """Why a word's part of speech is in doubt: spaCy's and our own tagger differ. Empty if not, or without spaCy."""
    other = second_tag(text, token)
    return OTHER_PART if other and not _alike(token.tag, other) else ""


def retagged(text: str, token: Tagged, changes: tuple[Replacement, ...]) -> str:
    """Why the word may be of another part of speech in the changed text; empty if the tagger reads both alike.

    Where "little" is an adverb, "small" is read as an adjective.
    """
    change = changes[-1]
    shift = sum(len(each.new) - len(each.old) for each in changes[:-1])
    changed = analyse(replace(text, changes))
    j = token_at(changed, change.start + shift)
    if j < 0:
        return OTHER_PART
    one_word = " " not in change.old + change.new
    return OTHER_PART if one_word and not _alike(token.tag, changed[j].tag) else ""


def _alike(tag: str, other: str) -> bool:
    return other[:1] in ALIKE.get(tag[:1], tag[:1])
