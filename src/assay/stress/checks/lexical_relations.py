"""What two words are to each other, looked up by other means than the builder's lists: WordNet's paths, and values."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from assay.core.edit import Skip
from assay.language.numbers.words import SCALES, value_of
from assay.language.resources.data import word_list
from assay.language.resources.loaded import wordnet
from assay.language.resources.wordnet import ANTONYM, HYPERNYM, INSTANCE_HYPERNYM, ORDER, SIMILAR, Synset
from assay.language.words.categories import Relation, arrows, categories

UNRELATED = Skip("not proven: no other source relates the two words in this category")
ROOTS: dict[str, tuple[str, ...]] = {
    "colors": ("color.n.01", "person_of_color.n.01", "brunet.n.01", "blond.n.01"),
    "countries": (
        "country.n.02",
        "state.n.04",
        "district.n.01",
        "country.n.04",
        "island.n.01",
        "region.n.03",
        "peninsula.n.01",
    ),
    "drinks": ("beverage.n.01", "juice.n.01", "water.n.06", "food.n.01"),
    "instruments": ("musical_instrument.n.01", "device.n.01"),
    "materials": ("substance.n.01", "solid.n.01", "artifact.n.01", "fabric.n.01", "fiber.n.01", "plant_material.n.01"),
    "nationalities": ("inhabitant.n.01", "nation.n.02", "country.n.02", "state.n.04", "person.n.01", "location.n.01"),
    "planets": ("celestial_body.n.01",),
    "rooms": ("structure.n.01", "workplace.n.01", "way.n.06", "facility.n.01"),
    "vegetables": ("vegetable.n.01", "edible_fruit.n.01", "food.n.02", "food.n.01"),
}
"""Under which synsets the words of a category stand; two of them exclude each other, unless one is above the other."""

DERIVED = ("\\", "+")
"""WordNet's symbols for what an adjective is made from: "Italian" from Italy."""

FAR = 8
"""Edges of the longest path to a hypernym."""
COMMON = 4
"""Senses of a word that are common enough to be meant."""
ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ORDINAL_DIGITS = re.compile(r"(\d+)(?:st|nd|rd|th)")


def related(old: str, new: str, *, category: str, verb: bool = False, own: str = "") -> tuple[Relation, ...]:
    """What the new word may be to the old one in a category; empty if nothing shows it.

    A category that only a user's own text has is taken at its word.
    """
    return _related(old.lower(), new.lower(), category, verb, own)


@lru_cache(maxsize=1 << 15)
def _related(old: str, new: str, category: str, verb: bool, own: str) -> tuple[Relation, ...]:
    if category not in categories():
        return _stated(old, new, category, own)
    if value := VALUES.get(category):
        one, other = value(old), value(new)
        return () if one is None or other is None else ("same" if one == other else "exclusive",)
    if category in ROOTS:
        found = _compound(old, new) or _under_root(old, new, category)
        return (found,) if found and not (found == "exclusive" and _listed(old, new, "overlapping")) else ()
    if category == "synonyms":
        return ("same",) if _same(old, new) or _listed(old, new, "equivalents") else _order(old, new)
    if category == "hypernyms":
        return _order(old, new)
    listed = _listed(old, new, "contraries_of_verbs" if verb else "contraries")
    opposed = listed or (category == "antonyms" and _opposed(old, new))
    return ("exclusive",) if opposed and not _same(old, new, most=1) else ()


@cache
def is_kind_of(noun: str, roots: tuple[str, ...]) -> bool:
    """Whether one of the two first senses of a noun stands under one of some synsets."""
    lookup = wordnet()
    senses = (sense for lemma in lookup.morphy(noun, "n") for sense in lookup.synsets(lemma, "n")[:2])
    return any(root in _above(sense.name) for sense in senses for root in roots)


def _stated(old: str, new: str, category: str, own: str) -> tuple[Relation, ...]:
    found = categories(own).get(category)
    return tuple(
        arrow.relation
        for words in (found.sets if found else ())
        for entry in words.entries
        for arrow in arrows(entry)
        if lemmas_of(arrow.old.lower()) & lemmas_of(old) and lemmas_of(arrow.new.lower()) & lemmas_of(new)
    )


def _cardinal(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    return SCALES.get(word.removesuffix("s"), value_of(word)) if re.fullmatch(r"[a-z -]+", word) else None


def _ordinal(word: str) -> int | None:
    if digits := _ORDINAL_DIGITS.fullmatch(word):
        return int(digits[1])
    if word in ORDINALS:
        return ORDINALS[word]
    stem = word.removesuffix("th")
    return value_of(stem.removesuffix("ie") + "y" if stem.endswith("ie") else stem) if stem != word else None


VALUES = {"cardinals": _cardinal, "ordinals": _ordinal}
"""How the words of categories of numbers are read."""


def _compound(old: str, new: str) -> Relation | None:
    """An electric guitar is a guitar."""
    if old.endswith(f" {new}"):
        return "broader"
    return "narrower" if new.endswith(f" {old}") else None


def _under_root(old: str, new: str, category: str) -> Relation | None:
    mine, theirs = _senses(old, category), _senses(new, category)
    if not mine or not theirs:
        return None
    if set(mine) & set(theirs) or _listed(old, new, "equivalents"):
        return "same"
    if any(one in _above(other) for one in mine for other in theirs):
        return "narrower"
    if any(other in _above(one) for one in mine for other in theirs):
        return "broader"
    return "exclusive"


@cache
def _senses(word: str, category: str) -> tuple[str, ...]:
    """The names of the senses under the first root that has any, of the word or of what it is made from."""
    lookup = wordnet()
    lemma = word.removeprefix("the ").replace(" ", "_")
    senses = [*lookup.synsets(lemma, "n"), *lookup.synsets(lemma.removesuffix("en"), "n")]  # "wooden"
    adjectives = lookup.synsets(lemma, "a")
    senses += [each for sense in adjectives for symbol in DERIVED for each in lookup.related(sense, symbol)]
    most = 1 if category in ("countries", "nationalities") else COMMON  # America is also two continents
    for root in ROOTS[category]:
        if found := [sense.name for sense in senses if root in _above(sense.name)]:
            return tuple(found[:most])
    return ()


@cache
def _above(name: str) -> dict[str, int]:
    """The names of all synsets above one, and its own, with how many edges they are away."""
    found = {name: 0}
    waiting = [_by_name()[name]]
    for synset in waiting:
        for parent in _parents(synset):
            if parent.name not in found:
                found[parent.name] = found[synset.name] + 1
                waiting.append(parent)
    return found


def _parents(synset: Synset) -> Iterator[Synset]:
    for symbol in (HYPERNYM, INSTANCE_HYPERNYM):
        yield from wordnet().related(synset, symbol)


@cache
def _by_name() -> dict[str, Synset]:
    return {synset.name: synset for synset in wordnet().data.synsets}


@cache
def lemmas_of(word: str) -> frozenset[str]:
    """What a form may be a form of; of a phrase, the first or the last word is taken to be shaped."""
    lookup = wordnet()
    found = {word}
    first, _, rest = word.partition(" ")
    start, _, last = word.rpartition(" ")
    for pos in ORDER:
        found.update(lookup.morphy(word.replace(" ", "_"), pos))
        found.update(f"{lemma} {rest}" for lemma in (lookup.morphy(first, pos) if rest else ()))
        found.update(f"{start} {lemma}" for lemma in (lookup.morphy(last, pos) if start else ()))
    return frozenset(each.replace("_", " ") for each in found)


def _listed(old: str, new: str, name: str) -> bool:
    pairs = _pairs(name)
    return any((one, other) in pairs for one in lemmas_of(old) for other in lemmas_of(new))


@cache
def _pairs(name: str) -> frozenset[tuple[str, str]]:
    found = set()
    for pair in word_list(name):
        one, _, other = pair.replace("_", " ").partition("/")
        found |= {(one, other), (other, one)}
    return frozenset(found)


def _common(word: str, most: int = COMMON) -> list[Synset]:
    """The common senses of a word, of every part of speech."""
    lemma = word.replace(" ", "_")
    return [sense for pos in ORDER for sense in wordnet().synsets(lemma, pos)[:most]]


def _same(old: str, new: str, most: int = COMMON) -> bool:
    """Whether the two share a common sense."""
    return bool({sense.name for sense in _common(old, most)} & {sense.name for sense in _common(new, most)})


def _order(old: str, new: str) -> tuple[Relation, ...]:
    """Whether one is above the other in a common sense."""
    mine, theirs = _common(old), _common(new)
    if any(0 < _above(one.name).get(other.name, 0) <= FAR for one in mine for other in theirs):
        return ("broader",)
    if any(0 < _above(other.name).get(one.name, 0) <= FAR for one in mine for other in theirs):
        return ("narrower",)
    return ()


def _opposed(old: str, new: str) -> bool:
    """Whether WordNet has the two, or words close to them, as antonyms."""
    lookup = wordnet()
    theirs = {each.name for sense in _common(new) for each in (sense, *_close(sense))}
    for sense in _common(old):
        for each in (sense, *_close(sense)):
            if any(target.name in theirs for target in lookup.related(each, ANTONYM)):
                return True
    return False


def _close(sense: Synset) -> list[Synset]:
    """The adjective that one is like, or what a verb or noun is directly a kind of."""
    return wordnet().related(sense, SIMILAR) + wordnet().related(sense, HYPERNYM)
