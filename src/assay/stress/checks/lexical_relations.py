"""What two words are to each other, looked up by other means than lists of categories: WordNet's paths, and values."""

from collections.abc import Iterator
from functools import cache, lru_cache

from assay.language.categories import Relation
from assay.language.resources import wordnet
from assay.language.wordnet import HYPERNYM, INSTANCE_HYPERNYM, Synset

ROOTS: dict[str, tuple[str, ...]] = {
    "colors": ("color.n.01",),
    "drinks": ("beverage.n.01", "juice.n.01", "water.n.06"),
}
"""Under which synsets the words of a category stand; two of them exclude each other, unless one is above the other."""


def related(old: str, new: str, *, category: str) -> tuple[Relation, ...]:
    """What the new word may be to the old one in a category; empty if nothing shows it."""
    return _related(old.lower(), new.lower(), category)


@lru_cache(maxsize=1 << 15)
def _related(old: str, new: str, category: str) -> tuple[Relation, ...]:
    if category in ROOTS:
        found = _under_root(old, new, ROOTS[category])
        return (found,) if found else ()
    return ()


def _under_root(old: str, new: str, roots: tuple[str, ...]) -> Relation | None:
    mine, theirs = _senses(old, roots), _senses(new, roots)
    if not mine or not theirs:
        return None
    if set(mine) & set(theirs):
        return "same"
    if any(one in _above(other) for other in theirs for one in mine):
        return "narrower"
    if any(other in _above(one) for other in theirs for one in mine):
        return "broader"
    return "exclusive"


@cache
def _senses(word: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a noun's senses that stand under one of the roots."""
    senses = wordnet().synsets(word.replace(" ", "_"), "n")
    return tuple(sense.name for sense in senses if any(root in _above(sense.name) for root in roots))


@cache
def _above(name: str) -> frozenset[str]:
    """The names of all synsets above one, and its own."""
    found: set[str] = set()
    waiting = [_by_name()[name]]
    while waiting:
        synset = waiting.pop()
        if synset.name not in found:
            found.add(synset.name)
            waiting += _parents(synset)
    return frozenset(found)


def _parents(synset: Synset) -> Iterator[Synset]:
    for symbol in (HYPERNYM, INSTANCE_HYPERNYM):
        yield from wordnet().related(synset, symbol)


@cache
def _by_name() -> dict[str, Synset]:
    return {synset.name: synset for synset in wordnet().data.synsets}
