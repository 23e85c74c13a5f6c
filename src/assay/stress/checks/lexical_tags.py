"""The part of speech of a changed word, from more than one source."""

from assay.core.edit import Replacement, replace
from assay.language.text.analysis import Tagged, analyse, second_tag, token_at

OTHER_PART = "perhaps another part of speech"
ALIKE = {"N": "NJ", "V": "V", "J": "JVN", "R": "RIJ", "I": "IRTJ", "T": "IT", "C": "CN"}
"""Which parts of speech a tagger may give to words that can stand in one place, by the tags' first letters."""


def retagged(text: str, token: Tagged, changes: tuple[Replacement, ...]) -> str:
    """Why the word may be of another part of speech; empty if all sources agree.

    The first source is the tagger's reading of the text. The second is its reading of the changed text: where "little"
    is an adverb, "small" is read as an adjective. With spaCy, the third is our own tagger's reading of the text.
    """
    change = changes[-1]
    shift = sum(len(each.new) - len(each.old) for each in changes[:-1])
    changed = analyse(replace(text, changes))
    j = token_at(changed, change.start + shift)
    if j < 0:
        return OTHER_PART
    one_word = " " not in change.old + change.new
    if one_word and changed[j].tag[:1] not in ALIKE.get(token.tag[:1], token.tag[:1]):
        return OTHER_PART
    other = second_tag(text, token)
    return OTHER_PART if other and other[:1] not in ALIKE.get(token.tag[:1], token.tag[:1]) else ""
