"""Statements about a kind of things: "dogs have tails", "a cell divides", "water boils at 100 degrees"."""

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.words import ADVERBS, BEFORE_NOUN, FINITE, INDEFINITE, NOUNS, PLURALS

GENERAL = "of a kind in general"
PRESENT = {"VBZ", "VBP"}


def general(place: Place) -> str:
    """Why the clause may speak of a kind of things, which not all need be alike; empty if it speaks of known ones."""
    verb = next((j for j in place.clause if place.tag_at(j) in FINITE), -1)
    if place.tag_at(verb) not in PRESENT or _goes_on(place, verb):
        return ""
    return GENERAL if _is_kind(place, verb) else ""


def _goes_on(place: Place, verb: int) -> bool:
    """Whether something is going on, or was done: "are running", "has seen", "is seen running"."""
    j = verb + 1
    while place.tag_at(j) in ADVERBS:
        j += 1
    return place.tag_at(j) in ("VBG", "VBN") and place.tag_at(verb) in PRESENT


def _is_kind(place: Place, verb: int) -> bool:
    """Whether the subject is nouns without a word that says which: "dogs", "a dog", "water"."""
    j = place.over_adverbs(verb - 1)
    if place.tag_at(j) not in NOUNS - {"NNP", "NNPS"}:
        return False
    plural = place.tag_at(j) in PLURALS
    while place.tag_at(j) in BEFORE_NOUN - {"CD", "NNP", "NNPS"} and j >= place.clause.start:
        j -= 1
    if j < place.clause.start:
        return True
    return not plural and place.at(j) in INDEFINITE
