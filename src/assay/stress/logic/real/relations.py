"""How two words or phrases are related: one covers the other, they mean the same, or they exclude each other."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from assay.language.resources.loaded import wordnet
from assay.language.resources.wordnet import HYPERNYM, HYPONYM, Synset

Relation = Literal["broader", "narrower", "same", "exclusive"]
"""What the second is to the first."""

RANKS = 6
"""How rare the senses of two nouns for things may be together, if one covers many kinds."""
FEWER_RANKS = 1
"""The same for all other words, whose rare senses are related to too many."""
SURE = 2
"""By how much the senses of one relation must be more frequent than those of another."""
FARTHEST = 12
"""The most steps between a noun and one that covers it."""
KINDS = 25
"""How many kinds a noun for things must cover, so that a text with it is surely about more than one of them."""
MORE_KINDS = 100
"""The same for other words: people take a wish and a desire for the same."""
THINGS = frozenset({3, 5, 6, 8, 13, 15, 17, 18, 20, 25, 27})
"""WordNet's files of what can be seen: from animals to shapes and substances, and the most general words."""
TIMES = 28
"""WordNet's file of times: what lasts all day lasts all afternoon, and what happens at noon happens by day."""

POS = {"N": "n", "V": "v", "J": "a", "R": "r"}
"""WordNet's parts of speech by the first letter of a tag."""

TURNED: dict[Relation, Relation] = {
    "broader": "narrower",
    "narrower": "broader",
    "same": "same",
    "exclusive": "exclusive",
}


class Related(NamedTuple):
    """How two words are related."""

    relation: Relation
    near: bool
    """Whether one covers little more than the other, so that people may take them for the same."""


@lru_cache(maxsize=1 << 14)
def word_relation(first: str, second: str, pos: str) -> Related | None:
    """How two words or compounds are related in their most frequent senses that are related at all.

    `word_relation("dog", "animal", "n")` is `broader`, `word_relation("guest", "visitor", "n")` too, but they are near.
    """
    ranks: dict[Relation, int] = {}
    near: dict[Relation, bool] = {}
    for a, one in enumerate(_senses(first, pos)):
        for b, other in enumerate(_senses(second, pos)):
            found = _between(one, other)
            if found and a + b < min(ranks.get(found.relation, RANKS), _most_ranks(found, one, other)):
                ranks[found.relation], near[found.relation] = a + b, found.near
    if not ranks:
        return None
    best, *others = sorted(ranks, key=ranks.__getitem__)
    if others and ranks[others[0]] - ranks[best] < SURE:
        return None
    return Related(best, near[best])


def _most_ranks(found: Related, one: Synset, other: Synset) -> int:
    return RANKS if {one.file, other.file} <= THINGS and not found.near else FEWER_RANKS


def _between(one: Synset, other: Synset) -> Related | None:
    if TIMES in (one.file, other.file):
        return None
    if one.name == other.name:
        return Related("same", near=True)
    if other.name in above(one):
        return Related("broader", near=_is_near(one, other))
    if one.name in above(other):
        return Related("narrower", near=_is_near(other, one))
    return None


def _is_near(narrow: Synset, wide: Synset) -> bool:
    kinds = _kinds(wide)
    return kinds < (KINDS if wide.file in THINGS else MORE_KINDS) or 2 * _kinds(narrow) > kinds


@cache
def _kinds(synset: Synset) -> int:
    """How many synsets another covers."""
    found: set[str] = set()
    level = [synset]
    while level:
        level = [each for wide in level for each in wordnet().related(wide, HYPONYM) if each.name not in found]
        found.update(each.name for each in level)
    return len(found)


@cache
def above(synset: Synset) -> frozenset[str]:
    """The names of all synsets that cover one."""
    lookup = wordnet()
    found: set[str] = set()
    level = [synset]
    for _ in range(FARTHEST):
        level = [each for below in level for each in lookup.related(below, HYPERNYM) if each.name not in found]
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
