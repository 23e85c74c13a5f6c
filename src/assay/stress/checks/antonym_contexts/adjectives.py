"""Where an adjective excludes its opposite: said of a subject, or in the description of a thing that both speak of."""

from itertools import pairwise

from assay.stress.checks.contexts.picking import ANIMALS, GRADED, PERSONS, PICKS_OUT, QUANTITIES, picks_out
from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import (
    COMPARED,
    DEGREES,
    DESCRIBING,
    INDEFINITE,
    LIES,
    PLURALS,
    THE,
)

PEOPLE = {"i", "he", "she", "we", "you", "who", "they"}
OF_PEOPLE = {"old", "young", "sad"}
OF_THINGS = {"fine", "ok", "okay", "alright", "new"}
SIDES = {"side", "hand", "bank", "wing", "arm", "leg", "eye", "ear", "foot", "shoulder", "corner", "lane", "knee"}
"""What has a left and a right."""
UNGRADABLE = {"less", "least", "lesser", "littler", "littlest"}
"""Degrees of "little" that speak of an amount."""
PARTS = {"pieces", "parts", "aspects", "elements", "sections", "portions", "bits", "areas"}
VAGUE = {"variety", "number", "range", "couple", "group", "handful", "series"}
"""After "a", things that may be others elsewhere."""
EXAMPLES = {"example", "examples", "option", "options", "alternative", "exception"}


def adjective(place: Place) -> str:
    """Why an adjective may leave room for its opposite; empty if it does not."""
    if reason := _degree(place) or _misfit(place):
        return reason
    if place.kind == "place" or (place.word in ("early", "late") and not place.is_alone):
        return _direction(place)
    if (predicate := said(place)) and (place.is_alone or place.kind != "after be"):
        return _subject(place, predicate.verb)
    return "not said of a subject" if place.is_alone else picks_out(place)


def _degree(place: Place) -> str:
    i, left = place.i, place.left
    if any(place.at(j) in DEGREES for j in range(left + 1, i)) or place.at(left) in DEGREES - {"that"}:
        return GRADED
    if place.at(i + 1) == "enough" or {place.word, place.contrast.new} & UNGRADABLE:
        return GRADED
    if place.is_alone and place.tag_at(i + 1) in DESCRIBING - {"VBG"}:
        return GRADED  # "real good", "soft hearted"
    if COMPARED.intersection(place.low[left + 1 : i]) and not _compares_alike(place):
        return GRADED
    counted = not place.is_alone and place.tag_at(left) == "CD"  # "two old men", but not "two feet tall"
    if not counted and (place.tag_at(left) in ("CD", "NNS") or place.tag_at(left - 1) == "CD"):
        return "a measure"
    return ""


def _compares_alike(place: Place) -> bool:
    """Whether "more" or "the most" may come before the opposite, too: "more popular", "more unpopular"."""
    word, new = place.word, place.contrast.new
    prefixed = word != "likely" and (word.endswith(new) or new.endswith(word))
    most = "most" in place.low[place.left + 1 : place.i]
    return prefixed and said(place) is not None and (not most or place.defines(place.left))


def _misfit(place: Place) -> str:
    if place.word == "little" and not place.is_known:
        return "an amount or a size"
    if place.contrast.new == "little" and place.at(place.head) in QUANTITIES:
        return "an amount or a size"
    if place.word == "pretty" and place.tag_at(place.i + 1)[:2] in ("JJ", "RB", "VB"):
        return GRADED
    if place.word in OF_PEOPLE and not _of_person(place):
        return "not said of a person"
    if place.word in OF_THINGS and place.is_alone and _of_person(place):
        return "said of a person"
    return ""


def _of_person(place: Place) -> bool:
    """Whether an adjective is said of a person or an animal."""
    predicate = said(place) if place.is_alone else None
    noun = predicate.verb - 1 if predicate else place.head
    return place.at(noun) in PEOPLE or place.file(noun) in (ANIMALS, PERSONS)


def _direction(place: Place) -> str:
    """One time and place excludes the other: "in the late 1980s", "on the left bank", "is north of the river"."""
    if place.at(place.i + 1) == "of" and place.word in ("north", "south", "east", "west"):
        j = place.left
        while place.tag_at(j) in ("NNS", "NN", "CD") and place.at(j) not in LIES:
            j -= 1  # "two miles"
        return "" if place.links(j) or place.at(j) in LIES else PICKS_OUT
    det = place.determiner
    where = place.at(det) == "the" and place.at(det - 1) in ("in", "on", "at", "near", "along")
    whole = place.kind == "place" or (place.at(place.i + 1)[:1].isdigit() and place.happened)
    if place.word in ("left", "right"):
        whole = place.at(place.i + 1) in SIDES
    return "" if where and whole and det == place.left and place.tag_at(place.head) not in PLURALS else PICKS_OUT


def _subject(place: Place, verb: int) -> str:
    """Something that both sentences speak of, not one of several examples."""
    if place.at(verb - 1) == "there":
        return "existence"
    subject = place.low[place.clause.start : verb]
    inverted = not place.is_alone and place.tag_at(place.clause.start) in ("IN", "RB")
    if inverted and not place.defines(place.determiner):
        return "existence"  # "next to the station is a good shop"
    if "as" in (place.at(place.clause.start), place.at(verb - 2)):
        return GRADED
    if place.word == "cool" and subject[-1:] in (["that"], ["this"], ["it"]):
        return "part of a fixed phrase"
    pairs = list(pairwise(subject))
    one_of = ("one", "of") in pairs
    vague = any(one in INDEFINITE and other in VAGUE for one, other in pairs)
    if vague or (PARTS.intersection(subject) and not THE.intersection(subject[:2])):
        return "of some, or at some time"
    return PICKS_OUT if (one_of or EXAMPLES.intersection(subject)) and not place.is_alone else ""
