"""WordNet in memory; `tools/english_sources.py` compiles it from its database files."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

NOUN, VERB, ADJECTIVE, SATELLITE, ADVERB = "n", "v", "a", "s", "r"
ORDER = (NOUN, VERB, ADJECTIVE, ADVERB)
"""Parts of speech in the order in which senses are listed; satellites are filed under adjectives."""

ENDINGS = {
    NOUN: (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    VERB: (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    ADVERB: (),
}
"""Endings that inflection adds, and the lemma's ending instead."""

ANTONYM, HYPERNYM, INSTANCE_HYPERNYM, HYPONYM, SIMILAR = "!", "@", "@i", "~", "&"
"""Symbols of the relations, as in WordNet's files."""


class Pointer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A relation to another synset."""

    symbol: str
    target: int
    source_word: int
    """The word of this synset that has the relation, counted from 1; 0 if all have it."""
    target_word: int
    """The word of the other synset, counted from 1; 0 for all."""


class Synset(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A set of words that share a sense."""

    name: str
    """The first word, the part of speech and the number of the sense: `dog.n.01`."""
    pos: str
    words: tuple[str, ...]
    """As written, with `_` for blanks."""
    pointers: tuple[Pointer, ...]
    definition: str
    """The gloss without its examples."""
    file: int
    """The number of its lexicographer file: 15 is places, 18 is persons."""


class WordNetData(msgspec.Struct, frozen=True):
    """WordNet as it is stored."""

    synsets: list[Synset]
    index: dict[str, dict[str, list[int]]]
    """Lemma -> part of speech -> synset numbers, most frequent sense first."""
    exceptions: dict[str, dict[str, list[str]]]
    """Part of speech -> irregular form -> lemmas."""
    variant: str


class Antonym(NamedTuple):
    """A word and its antonym."""

    of: str
    word: str


class WordNet:
    """Looks up words and relations."""

    def __init__(self, data: WordNetData, *, digest: str = "") -> None:
        self.data = data
        self.digest = digest
        """The SHA-256 of the file that it was read from."""
        self.synsets = cache(self._synsets)
        self.morphy = cache(self._morphy)

    def _morphy(self, form: str, pos: str) -> tuple[str, ...]:
        """The lemmas that a form can have, the form itself first.

        Irregular forms are looked up; for others, endings are removed until something is found.
        """
        irregular = self.data.exceptions.get(pos, {}).get(form)
        if irregular is not None:
            return self._known([form, *irregular], pos)
        forms = self._strip_endings([form], pos)
        if found := self._known([form, *forms], pos):
            return found
        while forms:
            forms = self._strip_endings(forms, pos)
            if found := self._known(forms, pos):
                return found
        return ()

    def _synsets(self, form: str, pos: str | None = None) -> tuple[Synset, ...]:
        """The senses of a form, most frequent first within each part of speech."""
        form = form.lower()
        synsets = self.data.synsets
        senses: list[Synset] = []
        for each in ORDER if pos is None else (pos,):
            for lemma in self.morphy(form, each):
                senses += (synsets[number] for number in self.data.index[lemma][each])
        return tuple(senses)

    def antonyms(self, synset: Synset) -> Iterator[Antonym]:
        """The antonyms of each of a synset's words, in the words' order."""
        for position, word in enumerate(synset.words, 1):
            for pointer in synset.pointers:
                if pointer.symbol == ANTONYM and pointer.source_word == position:
                    yield Antonym(word, self.data.synsets[pointer.target].words[pointer.target_word - 1])

    def indirect_antonyms(self, synset: Synset) -> Iterator[Antonym]:
        """The antonyms of the adjectives that a satellite is similar to: "small" for "huge", a kind of "large"."""
        for head in self.related(synset, SIMILAR) if synset.pos == SATELLITE else ():
            yield from self.antonyms(head)

    def related(self, synset: Synset, symbol: str) -> list[Synset]:
        """The synsets to which a synset has a relation."""
        return [self.data.synsets[p.target] for p in synset.pointers if p.symbol == symbol]

    def has(self, word: str) -> bool:
        """True if the word or its lemma is in WordNet."""
        folded = word.lower()
        return any(self.morphy(folded, pos) for pos in ORDER)

    def _strip_endings(self, forms: list[str], pos: str) -> list[str]:
        return [form[: -len(old)] + new for form in forms for old, new in ENDINGS[pos] if form.endswith(old)]

    def _known(self, forms: list[str], pos: str) -> tuple[str, ...]:
        index = self.data.index
        return tuple(dict.fromkeys(form for form in forms if pos in index.get(form, ())))
