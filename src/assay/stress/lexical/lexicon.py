"""The categories made ready for finding: every form of every word, and what may stand in its place."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from assay.language.resources.loaded import wordnet
from assay.language.text.tokens import tokens
from assay.language.words.categories import Part, Relation, WordSet, arrows, categories, members
from assay.language.words.inflection import compared, plural
from assay.language.words.verbs import VERB_TAGS, conjugated

Shape = str
"""A tag that says which form of a word it is; empty where a word has one form only."""

SHAPES: dict[Part, tuple[Shape, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": VERB_TAGS,
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


class Target(NamedTuple):
    """What may stand in the place of a word."""

    word: str
    """As the category lists it."""
    relation: Relation
    """What it is to the word that it replaces."""


class Entry(NamedTuple):
    """A word of a category in one of its forms."""

    texts: tuple[str, ...]
    """The form's tokens in lower case."""
    word: str
    """As the category lists it."""
    shape: Shape
    """Which form it is."""
    category: str
    """The category's name."""
    words: WordSet
    """The set that it belongs to."""
    targets: tuple[Target, ...]
    """What may stand in its place."""


class Lexicon:
    """Finds the entries that begin with a token."""

    def __init__(self, text: str) -> None:
        self._by_first: defaultdict[str, list[Entry]] = defaultdict(list)
        for name, category in categories(text).items():
            for words in category.sets:
                for entry in _entries(name, words):
                    self._by_first[entry.texts[0]].append(entry)
        for entries in self._by_first.values():
            entries.sort(key=lambda each: -len(each.texts))

    def at(self, low: list[str], i: int) -> Iterator[Entry]:
        """The entries whose tokens stand at a place, the longest first."""
        for entry in self._by_first.get(low[i], ()):
            if len(entry.texts) == 1 or tuple(low[i : i + len(entry.texts)]) == entry.texts:
                yield entry


def _entries(category: str, words: WordSet) -> Iterator[Entry]:
    targets: defaultdict[str, dict[Target, None]] = defaultdict(dict)
    for entry in words.entries:
        for old, new, relation in arrows(entry):
            targets[old][Target(new, relation)] = None
    for word in sorted(members([words])):
        if word in targets:
            for shape in SHAPES.get(words.part, ("",)):
                form = shaped(word, shape)
                if form is not None:
                    low = tuple(token.text.lower() for token in tokens(form))
                    yield Entry(low, word, shape, category, words, tuple(targets[word]))


@cache
def shaped(word: str, shape: Shape) -> str | None:
    """A form of a word; None if it has no such form. Of a phrase, the verb or the last noun is shaped.

    >>> shaped("electric guitar", "NNS"), shaped("sit", "VBG"), shaped("happy", "JJR"), shaped("milk", "NNS")
    ('electric guitars', 'sitting', 'happier', None)
    >>> shaped("body of water", "NNS")
    'bodies of water'
    """
    if shape in ("", "NN"):
        return word
    if shape == "NNS" and " of " in word:
        noun, _, rest = word.partition(" of ")
        return f"{plural(noun)} of {rest}"
    if shape == "NNS":
        before, blank, noun = word.rpartition(" ")
        many = plural(noun)
        return None if many is None or many == noun else before + blank + many
    if shape in ("JJR", "JJS"):
        return None if " " in word else compared(word, shape)
    return conjugated(word, shape)


WORDNET_PARTS: dict[str, Part] = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
SENSES = 3
"""Senses of a word whose antonyms are taken: rarer ones are not meant."""


@cache
def opposite(form: str, tag: str) -> Entry | None:
    """A word with its antonyms in WordNet, of the same part of speech; None if it has none."""
    pos = _POS.get(tag[:2])
    if pos is None:
        return None
    lookup = wordnet()
    part = WORDNET_PARTS[pos]
    for lemma in lookup.morphy(form, pos):
        found = {
            Target(antonym.word, "exclusive"): None
            for sense in lookup.synsets(lemma, pos)[:SENSES]
            for antonym in lookup.antonyms(sense)
            if antonym.of.lower() == lemma and "_" not in antonym.word
        }
        for shape in SHAPES.get(part, ("",)) if found else ():
            if shaped(lemma, shape) == form and (shape == tag or shape not in VERB_TAGS or tag == "VBP"):
                words = WordSet(part=part, entries=(), bare=True, modifies=True)
                return Entry((form,), lemma, shape, "antonyms_wordnet", words, tuple(found))
    return None


_POS = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}


@cache
def lexicon(text: str = "") -> Lexicon:
    """The categories of a user's text over ours, ready; made once a process."""
    return Lexicon(text)
