"""An index of the categories, and the positions of their words in a text."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged
from assay.language.text.tokens import tokens
from assay.language.words.categories import Part, Relation, WordSet, load_categories, read_arrows, set_members
from assay.language.words.inflection import (
    CONJUGATION_TAGS,
    article_repair,
    capitals_of,
    conjugate,
    make_plural,
    with_degree,
)

WORDS = load_words(__file__)

Shape = str
"""A tag that says which form of a word it is; empty where a word has one form only."""

SHAPES: dict[Part, tuple[Shape, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": CONJUGATION_TAGS,
    "adjective": ("", "JJR", "JJS"),
}
"""The forms of each kind of word; others have one."""

FITS: dict[Part, frozenset[str]] = {
    "noun": frozenset({"NN", "NNS", "NNP", "NNPS"}),
    "adjective": frozenset({"JJ", "JJR", "JJS", "NN", "NNP", "VBN", "VBD", "VBG"}),
    "verb": frozenset({"VB", "VBP", "VBZ", "VBG", "VBD", "VBN"}),
    "adverb": frozenset({"RB", "RBR", "RP", "IN", "JJ", "NN", "NNS"}),
    "preposition": frozenset({"IN", "RB", "TO", "RP", "JJ", "VBG", "NN", "CC"}),
    "name": frozenset({"NNP", "NNPS", "JJ", "NN", "NNS"}),
    "number": frozenset({"CD", "JJ", "NN", "NNP"}),
    "ordinal": frozenset({"JJ", "CD"}),
}
"""Tags that a word of each kind may have, as taggers see it."""


class ReplacementWord(NamedTuple):
    """A possible replacement of a word."""

    word: str
    """As the category lists it."""
    relation: Relation
    """Its relation to the word that it replaces."""


class CategoryEntry(NamedTuple):
    """A word of a category in one of its forms."""

    texts: tuple[str, ...]
    """The form's tokens in lower case."""
    word: str
    """As the category lists it."""
    shape: Shape
    category: str
    words: WordSet
    """The set that it belongs to."""
    targets: tuple[ReplacementWord, ...]


class CategoryLexicon:
    """Finds the entries that begin with a token."""

    def __init__(self, text: str) -> None:
        self._by_first: defaultdict[str, list[CategoryEntry]] = defaultdict(list)
        for name, category in load_categories(text).items():
            for words in category.sets:
                for entry in _find_entries(name, words):
                    self._by_first[entry.texts[0]].append(entry)
        for entries in self._by_first.values():
            entries.sort(key=lambda each: -len(each.texts))

    def at(self, low: list[str], i: int) -> Iterator[CategoryEntry]:
        """The entries whose tokens begin at position `i`, longest first."""
        for entry in self._by_first.get(low[i], ()):
            if len(entry.texts) == 1 or tuple(low[i : i + len(entry.texts)]) == entry.texts:
                yield entry


def _find_entries(category: str, words: WordSet) -> Iterator[CategoryEntry]:
    targets: defaultdict[str, dict[ReplacementWord, None]] = defaultdict(dict)
    for entry in words.entries:
        for old, new, relation in read_arrows(entry):
            targets[old][ReplacementWord(new, relation)] = None
    for word in sorted(set_members([words])):
        if word in targets:
            for shape in SHAPES.get(words.part, ("",)):
                form = form_of(word, shape)
                if form is not None:
                    low = tuple(token.text.lower() for token in tokens(form))
                    yield CategoryEntry(low, word, shape, category, words, tuple(targets[word]))


@cache
def form_of(word: str, shape: Shape) -> str | None:
    """A form of a word, or None if it has no such form. In a phrase, the verb or the last noun is inflected.

    >>> form_of("electric guitar", "NNS"), form_of("sit", "VBG"), form_of("happy", "JJR"), form_of("milk", "NNS")
    ('electric guitars', 'sitting', 'happier', None)
    >>> form_of("body of water", "NNS")
    'bodies of water'
    """
    if shape in ("", "NN"):
        return word
    if shape == "NNS" and " of " in word:
        noun, _, rest = word.partition(" of ")
        return f"{make_plural(noun)} of {rest}"
    if shape == "NNS":
        before, blank, noun = word.rpartition(" ")
        many = make_plural(noun)
        return None if many is None or many == noun else before + blank + many
    if shape in ("JJR", "JJS"):
        return None if " " in word else with_degree(word, shape)
    return conjugate(word, shape)


WORDNET_PARTS: dict[str, Part] = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
SENSES = 3
"""Senses of a word whose antonyms are taken: rarer ones are not meant."""


@cache
def find_opposite(form: str, tag: str) -> CategoryEntry | None:
    """An entry of a word with its WordNet antonyms of the same part of speech; None if it has none."""
    pos = _POS.get(tag[:2])
    if pos is None:
        return None
    lookup = wordnet()
    part = WORDNET_PARTS[pos]
    for lemma in lookup.morphy(form, pos):
        antonyms = {
            ReplacementWord(antonym.word, "exclusive"): None
            for sense in lookup.synsets(lemma, pos)[:SENSES]
            for antonym in lookup.antonyms(sense)
            if antonym.of.lower() == lemma and "_" not in antonym.word
        }
        for shape in SHAPES.get(part, ("",)) if antonyms else ():
            if form_of(lemma, shape) == form and (shape == tag or shape not in CONJUGATION_TAGS or tag == "VBP"):
                words = WordSet(part=part, entries=(), bare=True, modifies=True)
                return CategoryEntry((form,), lemma, shape, "antonyms_wordnet", words, tuple(antonyms))
    return None


_POS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}


@cache
def load_lexicon(text: str = "") -> CategoryLexicon:
    """The index of our categories and those of a user's text; made once per process."""
    return CategoryLexicon(text)


NOUNS = {"NN", "NNS", "NNP", "NNPS"}
MODIFIERS = NOUNS | {"JJ", "JJR", "JJS", "VBN", "VBG", "CD"}
"""Tags that come between an article and its noun."""
STARTS = MODIFIERS - {"VBN"} | {"DT", "PRP$", "PRP", "PDT"}
"""Tags of what an object begins with."""


class FoundWord(NamedTuple):
    """A word of a category in a text."""

    entry: CategoryEntry
    first: int
    last: int


def found_in(
    tokens: Sequence[Tagged], lexicon: CategoryLexicon, categories: Collection[str] | None = None
) -> Iterator[FoundWord]:
    """The words in a text that belong to a (given) category; a word inside a longer one does not count."""
    low = [token.text.lower() for token in tokens]
    i = 0
    while i < len(low):
        length = 1
        for entry in lexicon.at(low, i):
            if len(entry.texts) < length:
                break
            last = i + len(entry.texts) - 1
            if _is_entry_at(tokens, entry, i, last):
                length = len(entry.texts)
                if categories is None or entry.category in categories:
                    yield FoundWord(entry, i, last)
        if categories is None and length == 1 and (other := find_opposite(low[i], tokens[i].tag)):
            yield FoundWord(other, i, i)
        i += length


def _is_entry_at(tokens: Sequence[Tagged], entry: CategoryEntry, first: int, last: int) -> bool:
    """True if the tokens from `first` to `last` are the entry's word, in its form and part of speech."""
    part, shape = entry.words.part, entry.shape
    tag = tokens[first if part == "verb" else last].tag
    if tag not in FITS[part]:
        return False
    if part == "noun":
        return (tag in ("NNS", "NNPS")) == (shape == "NNS")
    if part == "verb":
        return tag == shape or (tag, shape) == ("VBP", "VB") or {tag, shape} == {"VBD", "VBN"}
    return True


def write_replacement(text: str, tokens: Sequence[Tagged], found: FoundWord, new: str) -> tuple[Replacement, ...]:
    """The replacements in the text for another word of the same set; empty if English does not allow the word there."""
    form = form_of(new, _inflect_like(tokens, found))
    if form is None or not _fits_between(tokens, found, new):
        return ()
    start = tokens[found.first].start
    old = text[start : tokens[found.last].end]
    change = Replacement(start, old, _copy_capitals(tokens, found, old, form))
    if "\n" in old or change.new == old:
        return ()
    where = _mend_preposition(tokens, found, new)
    article = article_repair(text, start, change.new)
    return tuple(each for each in (where, article, change) if each)


def _copy_capitals(tokens: Sequence[Tagged], found: FoundWord, old: str, form: str) -> str:
    """The new word with the old one's capitals; a name has capitals of its own."""
    if found.entry.words.part != "name" and form.islower():
        return capitals_of(old, form)
    if len(old) > 3 and old.isupper():
        return form.upper()
    begins = found.first == 0 or tokens[found.first - 1].sentence != tokens[found.first].sentence
    return form[:1].upper() + form[1:] if begins else form


def _mend_preposition(tokens: Sequence[Tagged], found: FoundWord, new: str) -> Replacement | None:
    """The change from "in" to "on", or back, that the new location needs."""
    on = found.entry.words.on
    if (found.entry.word in on) == (new in on):
        return None
    j = found.first - 1
    while j > 0 and (tokens[j].tag in MODIFIERS or tokens[j].tag in ("DT", "PRP$")):
        j -= 1
    was, now = ("on", "in") if found.entry.word in on else ("in", "on")
    place = tokens[j]
    return Replacement(place.start, place.text, capitals_of(place.text, now)) if place.text.lower() == was else None


def _inflect_like(tokens: Sequence[Tagged], found: FoundWord) -> str:
    """The form that the new word takes; the tag distinguishes past tense and participle."""
    tag = tokens[found.first].tag
    return tag if found.entry.words.part == "verb" and tag in ("VBD", "VBN") else found.entry.shape


def _fits_between(tokens: Sequence[Tagged], found: FoundWord, new: str) -> bool:
    """True if a word fits the words before and after it in English."""
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
        return _tag_of(tokens, found.last + 1) in NOUNS | {"JJ"}
    if words.part == "name" and before[-1:] in (["a"], ["an"]):
        return _tag_of(tokens, found.last + 1) in MODIFIERS  # "an Italian" would be "a Chinese"
    begins_object = _tag_of(tokens, found.last + 1) in STARTS
    if words.part == "adverb" and tokens[found.last].tag == "IN" and begins_object:
        return False  # "inside a bar"
    if words.part == "preposition":
        return begins_object
    if words.part == "verb":
        return words.takes is None or begins_object == (words.takes == "object")
    return True


def _place_fits(tokens: Sequence[Tagged], found: FoundWord, new: str) -> bool:
    """True if the "in" or "on" before the location suits the new word, or can be changed."""
    on = found.entry.words.on
    return (found.entry.word in on) == (new in on) or _mend_preposition(tokens, found, new) is not None


def _counts_alike(tokens: Sequence[Tagged], found: FoundWord, new: str) -> bool:
    """True if the new noun can be counted, or used without an article, as the old one is."""
    words = found.entry.words
    if _tag_of(tokens, found.last + 1) in NOUNS:
        return words.modifies and found.entry.shape == "NN"
    if found.entry.shape == "NNS":
        after = tokens[found.last + 1].text if found.last + 1 < len(tokens) else ""
        owner = after in ("'s", "\u2019s", "'", "\u2019")  # "children's" has another ending than "boys'"
        return new not in words.mass and not owner
    j = found.first - 1
    while j >= 0 and tokens[j].tag in MODIFIERS and tokens[j].text.lower() not in WORDS["counts"]:
        j -= 1
    before = tokens[j].text.lower() if j >= 0 else ""
    if before in WORDS["counts"]:
        return new not in words.mass
    free = words.bare or new in words.mass or new in words.both
    return free or (before in WORDS["owns"] and found.entry.word not in words.mass)


def _tag_of(tokens: Sequence[Tagged], j: int) -> str:
    return tokens[j].tag if j < len(tokens) else ""
