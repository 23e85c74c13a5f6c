"""What is said of a subject: "the soup is hot", "it would be a good idea", "that made the road safe"."""

from typing import NamedTuple

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.words import (
    APPEARS,
    BASE_LINKS,
    BE,
    BECOMES,
    DESCRIBING,
    FINITE,
    HELPERS,
    INDEFINITE,
    MAKES,
    NOT,
    NOUNS,
)

IN_OBJECT = NOUNS | DESCRIBING | {"DT", "PRP", "PRP$", "POS", "CD"}
LONGEST_OBJECT = 5
PARTICLES = {"about", "around", "down", "in", "near", "off", "on", "out", "over", "through", "up", "behind", "along"}
"""Adverbs to the tagger that may be prepositions."""


class Said(NamedTuple):
    """The verb of a predicate."""

    verb: int
    """The place of its finite part."""
    denied: bool
    """Whether "not" goes with it."""


def said(place: Place) -> Said | None:
    """The verb that says the word, or the noun phrase that it is in, of a subject; None if none does."""
    verb = _verb(place, _before_phrase(place)) if place.kind != "event" else -1
    if verb < 0:
        return None
    return Said(verb, any(place.at(j) in NOT for j in range(verb, place.i)))


def _before_phrase(place: Place) -> int:
    """The place before the adjective with its adverbs, or before the noun phrase with its article."""
    if place.is_alone:
        superlative = place.at(place.left) == "the" and place.tag == "JJS"
        return place.left - 1 if superlative else place.left
    j = place.determiner
    if place.at(j) in INDEFINITE or place.defines(j):
        owned = place.tag_at(j) == "POS"
        j -= 1
        while owned and place.tag_at(j) in NOUNS | {"DT", "JJ"}:
            j -= 1
    elif any(place.tag_at(k) in ("VBN", "VBG") for k in range(j + 1, place.i)):
        return -1  # "are asking for longer nights"
    if place.at(j) == "of" and place.at(j - 1) == "one":
        j -= 2
    elif place.at(j) == "among":
        j -= 1
    return j if place.at(j) in PARTICLES else place.over_adverbs(j)


def _verb(place: Place, j: int) -> int:
    """The finite verb that says of its subject what follows a place, or -1."""
    while place.at(j) in ("and", ",", "but", "yet") and place.is_alone:  # "large and empty": both are said
        j -= place.at(j - 1) == ","
        if place.tag_at(j - 1) not in DESCRIBING:
            return -1
        j = place.over_adverbs(j - 2)
    if place.at(j) in BECOMES and not place.is_alone:
        return -1
    if place.links(j) or (place.at(j) in BECOMES and place.tag_at(j) in FINITE):
        return j
    if place.at(j) in BASE_LINKS:
        helper = place.over_adverbs(j - 1)
        if place.at(helper) == "to":
            helper = place.over_adverbs(helper - 1)
            return helper if place.at(helper) in APPEARS else -1
        return helper if place.at(helper) in (BE if place.at(j) == "being" else HELPERS) else -1
    return _making(place, j) if place.is_alone else -1


def _making(place: Place, j: int) -> int:
    """The verb of "made the road safe", seen from the end of its object."""
    start = j
    while start - j < LONGEST_OBJECT and place.tag_at(j) in IN_OBJECT and place.at(j) not in MAKES:
        j -= 1
    return j if j < start and place.at(j) in MAKES and place.tag_at(j) in FINITE else -1
