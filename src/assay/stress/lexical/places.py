"""Where a word of a category stands in a text, and what English lets stand there instead."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.analysis import Tagged
from assay.language.inflection import article_repair, capitals_of
from assay.stress.lexical.lexicon import FITS, Entry, Lexicon, shaped

NOUNS = {"NN", "NNS", "NNP", "NNPS"}
MODIFIERS = NOUNS | {"JJ", "JJR", "JJS", "VBN", "VBG", "CD"}
"""Tags of what stands between an article and its noun."""
COUNTS = {"a", "an", "one", "each", "every", "another", "single"}
"""What stands before a counted noun in the singular."""
OWNS = {"the", "this", "that", "his", "her", "its", "their", "my", "your", "our", "'s", "\u2019s", "some", "any", "no"}
"""What stands before counted and uncounted nouns alike."""


class Found(NamedTuple):
    """A word of a category in a text."""

    entry: Entry
    """The word and its category."""
    first: int
    """Its first token."""
    last: int
    """Its last token."""


def found_in(tokens: Sequence[Tagged], lexicon: Lexicon) -> Iterator[Found]:
    """The words of categories in a text; a word inside of a longer one is none."""
    low = [token.text.lower() for token in tokens]
    i = 0
    while i < len(low):
        length = 1
        for entry in lexicon.at(low, i):
            if len(entry.texts) < length:
                break
            last = i + len(entry.texts) - 1
            if _stands(tokens, entry, i, last):
                length = len(entry.texts)
                yield Found(entry, i, last)
        i += length


def _stands(tokens: Sequence[Tagged], entry: Entry, first: int, last: int) -> bool:
    """Whether the tokens there are the entry's word, in its form and its part of speech."""
    part, shape = entry.words.part, entry.shape
    tag = tokens[first if part == "verb" else last].tag
    if tag not in FITS[part]:
        return False
    if part == "noun":
        return (tag in ("NNS", "NNPS")) == (shape == "NNS")
    if part == "verb":
        return tag == shape or (tag, shape) == ("VBP", "VB") or {tag, shape} == {"VBD", "VBN"}
    return True


def written(text: str, tokens: Sequence[Tagged], found: Found, new: str) -> tuple[Replacement, ...]:
    """What changes in the text if a word of the same set stands there; nothing if English does not let it."""
    form = shaped(new, _shape(tokens, found))
    if form is None or (found.entry.words.part == "noun" and not _counts_alike(tokens, found, new)):
        return ()
    start = tokens[found.first].start
    old = text[start : tokens[found.last].end]
    change = Replacement(start, old, capitals_of(old, form))
    article = article_repair(text, start, change.new)
    return (article, change) if article else (change,)


def _shape(tokens: Sequence[Tagged], found: Found) -> str:
    """The form that the new word takes; the tag tells past from participle where they look alike."""
    tag = tokens[found.first].tag
    return tag if found.entry.words.part == "verb" and tag in ("VBD", "VBN") else found.entry.shape


def _counts_alike(tokens: Sequence[Tagged], found: Found, new: str) -> bool:
    """Whether the new noun may stand where the old one does: counted, or without an article."""
    words = found.entry.words
    following = tokens[found.last + 1] if found.last + 1 < len(tokens) else None
    if following and following.tag in NOUNS and following.text != "'s":
        return words.modifies
    if found.entry.shape == "NNS":
        return new not in words.mass
    j = found.first - 1
    while j >= 0 and tokens[j].tag in MODIFIERS and tokens[j].text.lower() not in COUNTS:
        j -= 1
    before = tokens[j].text.lower() if j >= 0 else ""
    if before in COUNTS:
        return new not in words.mass
    if before in OWNS:
        return True
    return words.bare or new in words.mass or new in words.both
