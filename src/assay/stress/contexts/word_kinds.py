"""Kinds of nouns, by WordNet."""

from collections.abc import Iterator
from functools import cache

from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import HYPERNYM, INSTANCE_HYPERNYM, Synset


@cache
def synsets_over(name: str) -> dict[str, int]:
    """The names of all synsets above one, and its own, with how many edges they are away."""
    distances = {name: 0}
    waiting = [_by_name()[name]]
    for synset in waiting:
        for parent in _parents(synset):
            if parent.name not in distances:
                distances[parent.name] = distances[synset.name] + 1
                waiting.append(parent)
    return distances


def _parents(synset: Synset) -> Iterator[Synset]:
    for symbol in (HYPERNYM, INSTANCE_HYPERNYM):
        yield from wordnet().related(synset, symbol)


@cache
def _by_name() -> dict[str, Synset]:
    return {synset.name: synset for synset in wordnet().data.synsets}


@cache
def is_kind_of(noun: str, roots: tuple[str, ...]) -> bool:
    """True if one of the two first senses of a noun is below one of some synsets."""
    lookup = wordnet()
    senses = (sense for lemma in lookup.morphy(noun, "n") for sense in lookup.synsets(lemma, "n")[:2])
    return any(root in synsets_over(sense.name) for sense in senses for root in roots)
