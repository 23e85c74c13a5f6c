"""Statements about a kind of things: "dogs have tails", "a cell divides", "the liver has four lobes"."""

from assay.language.resources.loaded import wordnet
from assay.stress.checks.contexts.place import WHERE, Place
from assay.stress.checks.contexts.words import (
    ADVERBS,
    BE,
    BEFORE_NOUN,
    FINITE,
    HAS,
    INDEFINITE,
    NOUNS,
    POINTING,
)

GENERAL = "of a kind in general"
PRESENT = {"VBZ", "VBP"}
EACH = {"each", "every", "all", "most"}
BODY, SUBSTANCE, PLANT = 8, 27, 20
NATURE = {BODY, SUBSTANCE, PLANT}
"""WordNet's files of parts of bodies, of substances, and of plants."""
HEAVENS = {"earth", "moon", "sun", "mercury", "venus", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto"}
SHORTEST = 6
"""Tokens of a description without a verb, at least: fewer are a heading."""


def general(place: Place) -> str:
    """Why the clause may be about a kind of things, of which some may differ; empty if it is about known ones."""
    verb = next((j for j in place.clause if place.tag_at(j) in FINITE), -1)
    if verb < 0:
        described = place.tag_at(0) in ("DT", "CD") and len(place.low) >= SHORTEST
        return "" if described and not _is_natural(place, place.i) else GENERAL
    first = next(j for j in range(len(place.low)) if place.tag_at(j) in FINITE)
    return GENERAL if any(_tells_a_fact(place, j) for j in {verb, first}) else ""


def _tells_a_fact(place: Place, verb: int) -> bool:
    if place.tag_at(verb) not in PRESENT or _goes_on(place, verb):
        return False
    if not HEAVENS.isdisjoint(place.low) or place.at(0) in ("when", "whenever") or place.before({"when", "whenever"}):
        return True
    if place.at(verb - 1) == "there":
        return not _names_a_place(place)
    return _is_natural(place, verb) or _is_kind(place, verb)


def _goes_on(place: Place, verb: int) -> bool:
    """Whether something is happening or was done: "are running", "has seen"."""
    j = verb + 1
    while place.tag_at(j) in ADVERBS:
        j += 1
    return (place.at(verb) in BE and place.tag_at(j) == "VBG") or (place.at(verb) in HAS and place.tag_at(j) == "VBN")


def _names_a_place(place: Place) -> bool:
    """Whether what there is has a known place: "there are 40 houses in the village", "between Rome and Bonn"."""
    return any(
        place.at(j - 1) in WHERE | {"between"}
        and (place.defines(j) or place.at(j) in INDEFINITE or place.tag_at(j) == "NNP")
        for j in range(1, len(place.low))
    )


def _is_natural(place: Place, end: int) -> bool:
    """Whether something is spoken of, before a place, of which nature has one kind: "the liver", "water"."""
    known = any(place.tag_at(j) == "PRP$" or place.at(j) in POINTING for j in range(end))
    return not known and any(_is_common(place, j) and place.file(j) in NATURE for j in range(end))


def _is_kind(place: Place, verb: int) -> bool:
    """Whether the subject is a kind: "dogs", "a dog", "each cell", "the process of mitosis"."""
    head = place.over_adverbs(verb - 1)
    if not _is_common(place, head):
        return False
    j = head
    while place.tag_at(j) in BEFORE_NOUN - {"CD"} and j >= place.clause.start:
        j -= 1
    # "The process of mitosis": what follows "of" says which, and is a kind itself.
    return j < place.clause.start or place.at(j) in EACH | INDEFINITE or (place.at(j) == "of" and head == j + 1)


def _is_common(place: Place, j: int) -> bool:
    """Whether a noun is not a name; where a sentence begins, the tagger can't tell."""
    if place.tag_at(j) in ("NNP", "NNPS") and j == 0:
        senses = wordnet().synsets(place.at(j), "n")
        return bool(senses) and place.at(j) in senses[0].words
    return place.tag_at(j) in NOUNS - {"NNP", "NNPS"}
