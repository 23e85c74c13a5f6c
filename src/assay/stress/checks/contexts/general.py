"""Statements about a kind of things: "dogs have tails", "a cell divides", "the heart has four chambers"."""

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.words import ADVERBS, BE, BEFORE_NOUN, FINITE, HAS, INDEFINITE, NOUNS, PLURALS

GENERAL = "of a kind in general"
PRESENT = {"VBZ", "VBP"}
EACH = {"each", "every", "all", "most"}
BODY, CREATION, SUBSTANCE, PLANT, SHAPES = 8, 17, 27, 20, 25
NATURE = {BODY, CREATION, SUBSTANCE, PLANT, SHAPES}
"""WordNet's files of natural things that "the" names as a kind: "the heart", "the sun"."""
HEAVENS = {"earth", "moon", "sun", "mercury", "venus", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto"}


def general(place: Place) -> str:
    """Why the clause may be about a kind of things, of which some may differ; empty if it is about known ones."""
    verb = next((j for j in place.clause if place.tag_at(j) in FINITE), -1)
    if place.tag_at(verb) not in PRESENT or _goes_on(place, verb):
        return ""
    if place.at(verb - 1) == "there":
        return "" if _names_something(place) else GENERAL
    return GENERAL if _is_kind(place, verb) else ""


def _goes_on(place: Place, verb: int) -> bool:
    """Whether something is happening or was done: "are running", "has seen"."""
    j = verb + 1
    while place.tag_at(j) in ADVERBS:
        j += 1
    return (place.at(verb) in BE and place.tag_at(j) == "VBG") or (place.at(verb) in HAS and place.tag_at(j) == "VBN")


def _names_something(place: Place) -> bool:
    """Whether what there is has a known place: "there are 40 houses in the village", "in Rome"."""
    return any(place.defines(j) or place.tag_at(j) == "NNP" for j in range(len(place.low)))


def _is_kind(place: Place, verb: int) -> bool:
    """Whether the subject is a kind: "dogs", "a dog", "water", "each cell", "the heart", "Mars"."""
    head = place.over_adverbs(verb - 1)
    of = next((j for j in range(place.clause.start, head) if place.at(j) == "of"), head + 1)
    if of < head and place.tag_at(of - 1) in NOUNS:
        head = of - 1  # "the heart of a whale"
    if place.tag_at(head) not in NOUNS:
        return False
    if place.tag_at(head) in ("NNP", "NNPS"):
        return place.at(head) in HEAVENS
    j = head
    while place.tag_at(j) in BEFORE_NOUN - {"CD"} and j >= place.clause.start:
        j -= 1
    if j < place.clause.start or place.at(j) in EACH | INDEFINITE:
        return True
    natural = place.file(head) in NATURE and place.tag_at(head) not in PLURALS
    return natural and place.at(j) == "the"
