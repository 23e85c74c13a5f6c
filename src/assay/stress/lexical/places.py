"""Where a word of a category stands in a text, and what English lets stand there instead."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.text.analysis import Tagged
from assay.language.words.inflection import article_repair, capitals_of
from assay.stress.lexical.lexicon import FITS, Entry, Lexicon, opposite, shaped

NOUNS = {"NN", "NNS", "NNP", "NNPS"}
MODIFIERS = NOUNS | {"JJ", "JJR", "JJS", "VBN", "VBG", "CD"}
"""Tags of what stands between an article and its noun."""
STARTS = MODIFIERS - {"VBN"} | {"DT", "PRP$", "PRP", "PDT"}
"""Tags of what an object begins with."""
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


def found_in(tokens: Sequence[Tagged], lexicon: Lexicon, categories: Collection[str] | None = None) -> Iterator[Found]:
    """The words of categories in a text, or of some categories; a word inside of a longer one is none."""
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
                if categories is None or entry.category in categories:
                    yield Found(entry, i, last)
        if categories is None and length == 1 and (other := opposite(low[i], tokens[i].tag)):
            yield Found(other, i, i)
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
    if form is None or not _fits(tokens, found, new):
        return ()
    start = tokens[found.first].start
    old = text[start : tokens[found.last].end]
    change = Replacement(start, old, _capitals(tokens, found, old, form))
    if "\n" in old or change.new == old:
        return ()
    where = _preposition(tokens, found, new)
    article = article_repair(text, start, change.new)
    return tuple(each for each in (where, article, change) if each)


def _capitals(tokens: Sequence[Tagged], found: Found, old: str, form: str) -> str:
    """The new word with the old one's capitals; a name has capitals of its own."""
    if found.entry.words.part != "name" and form.islower():
        return capitals_of(old, form)
    if len(old) > 3 and old.isupper():
        return form.upper()
    begins = found.first == 0 or tokens[found.first - 1].sentence != tokens[found.first].sentence
    return form[:1].upper() + form[1:] if begins else form


def _preposition(tokens: Sequence[Tagged], found: Found, new: str) -> Replacement | None:
    """How "in" and "on" change where one is on the one place and in the other."""
    on = found.entry.words.on
    if (found.entry.word in on) == (new in on):
        return None
    j = found.first - 1
    while j > 0 and (tokens[j].tag in MODIFIERS or tokens[j].tag in ("DT", "PRP$")):
        j -= 1
    was, now = ("on", "in") if found.entry.word in on else ("in", "on")
    place = tokens[j]
    return Replacement(place.start, place.text, capitals_of(place.text, now)) if place.text.lower() == was else None


def _shape(tokens: Sequence[Tagged], found: Found) -> str:
    """The form that the new word takes; the tag tells past from participle where they look alike."""
    tag = tokens[found.first].tag
    return tag if found.entry.words.part == "verb" and tag in ("VBD", "VBN") else found.entry.shape


def _fits(tokens: Sequence[Tagged], found: Found, new: str) -> bool:
    """Whether English lets a word stand there, by what stands before and after it."""
    words = found.entry.words
    before = [token.text.lower() for token in tokens[max(0, found.first - 3) : found.first]]
    if words.after and not any(before[-len(each.split()) :] == each.split() for each in words.after):
        return False
    following = tokens[found.last + 1] if found.last + 1 < len(tokens) else None
    if words.before and not (following and following.text.lower() in words.before):
        return False
    if words.part == "noun":
        return _counts_alike(tokens, found, new) and _place_fits(tokens, found, new)
    if words.part == "adjective" and words.modifies:
        return _tag(tokens, found.last + 1) in NOUNS | {"JJ"}
    if words.part == "name" and before[-1:] in (["a"], ["an"]):
        return _tag(tokens, found.last + 1) in MODIFIERS  # "an Italian" would be "a Chinese"
    begins_object = _tag(tokens, found.last + 1) in STARTS
    if words.part == "adverb" and tokens[found.last].tag == "IN" and begins_object:
        return False  # "inside a bar"
    if words.part == "preposition":
        return begins_object
    if words.part == "verb":
        return words.takes is None or begins_object == (words.takes == "object")
    return True


def _place_fits(tokens: Sequence[Tagged], found: Found, new: str) -> bool:
    """Whether "in" or "on" stands before a place where it would have to change."""
    on = found.entry.words.on
    return (found.entry.word in on) == (new in on) or _preposition(tokens, found, new) is not None


def _counts_alike(tokens: Sequence[Tagged], found: Found, new: str) -> bool:
    """Whether the new noun may stand where the old one does: counted, or without an article."""
    words = found.entry.words
    if _tag(tokens, found.last + 1) in NOUNS:
        return words.modifies and found.entry.shape == "NN"
    if found.entry.shape == "NNS":
        owner = _tag(tokens, found.last + 1) == "POS"  # "children's" has another ending than "boys'"
        return new not in words.mass and not owner
    j = found.first - 1
    while j >= 0 and tokens[j].tag in MODIFIERS and tokens[j].text.lower() not in COUNTS:
        j -= 1
    before = tokens[j].text.lower() if j >= 0 else ""
    if before in COUNTS:
        return new not in words.mass
    free = words.bare or new in words.mass or new in words.both
    return free or (before in OWNS and found.entry.word not in words.mass)


def _tag(tokens: Sequence[Tagged], j: int) -> str:
    return tokens[j].tag if j < len(tokens) else ""
