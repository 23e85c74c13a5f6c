"""How two words or phrases are related: one covers the other, they mean the same, or they exclude each other."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from assay.language.resources.loaded import wordnet
from assay.language.resources.wordnet import HYPERNYM, INSTANCE_HYPERNYM, Synset

Relation = Literal["broader", "narrower", "same", "exclusive"]
"""What the second is to the first."""

RANKS = 6
"""Senses that are looked at: how rare both may be together."""
SAME_RANKS = 2
"""The same for synonyms, which rare senses have too many of."""
SURE = 2
"""By how much the senses of one relation must be more frequent than those of another."""
FARTHEST = 12
"""The most steps between a noun and one that covers it."""

POS = {"N": "n", "V": "v", "J": "a", "R": "r"}
"""WordNet's parts of speech by the first letter of a tag."""

TURNED: dict[Relation, Relation] = {
    "broader": "narrower",
    "narrower": "broader",
    "same": "same",
    "exclusive": "exclusive",
}


@lru_cache(maxsize=1 << 14)
def word_relation(first: str, second: str, pos: str) -> Relation | None:
    """How two words or compounds are related in their most frequent senses that are related at all.

    `word_relation("dog", "animal", "n")` is `broader`.
    """
    ranks: dict[Relation, int] = {}
    ours, theirs = _senses(first, pos), _senses(second, pos)
    for a, one in enumerate(ours):
        for b, other in enumerate(theirs):
            found = _between(one, other)
            if found and a + b < (SAME_RANKS if found == "same" else RANKS):
                ranks[found] = min(ranks.get(found, RANKS), a + b)
    if not ranks:
        return None
    best, *others = sorted(ranks, key=ranks.__getitem__)
    if others and ranks[others[0]] - ranks[best] < SURE:
        return None
    return best


def _between(one: Synset, other: Synset) -> Relation | None:
    if one.name == other.name:
        return "same"
    if other.name in above(one):
        return "broader"
    if one.name in above(other):
        return "narrower"
    return None


@cache
def above(synset: Synset) -> frozenset[str]:
    """The names of all synsets that cover one."""
    lookup = wordnet()
    found: set[str] = set()
    level = [synset]
    for _ in range(FARTHEST):
        level = [
            each
            for below in level
            for symbol in (HYPERNYM, INSTANCE_HYPERNYM)
            for each in lookup.related(below, symbol)
            if each.name not in found
        ]
        found.update(each.name for each in level)
    return frozenset(found)


def _senses(words: str, pos: str) -> Sequence[Synset]:
    """The senses of a word or a compound; of a compound that WordNet does not know, none."""
    form = words.lower().replace(" ", "_")
    found = wordnet().synsets(form, pos)
    if not found and ("_" in form or "-" in form):
        found = wordnet().synsets(form.replace("-", "_"), pos) or wordnet().synsets(form.replace("_", ""), pos)
    return found


@cache
def are_antonyms(first: str, second: str, pos: str) -> bool:
    """Whether WordNet calls two words antonyms in frequent senses: `are_antonyms("known", "unknown", "a")`."""
    lookup = wordnet()
    lemmas = {*lookup.morphy(second.lower(), pos), second.lower()}
    return any(
        antonym.word.lower() in lemmas
        for sense in lookup.synsets(first.lower(), pos)[:3]
        for antonym in (*lookup.antonyms(sense), *lookup.indirect_antonyms(sense))
    )
