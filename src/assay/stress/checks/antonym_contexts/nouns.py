"""Where a noun excludes its opposite: said of a subject, somebody who is known, or what happened."""

from assay.stress.checks.contexts.place import Place, singular
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import FINITE, INDEFINITE, NOUNS, PLURALS, WISHED

UNKNOWN = "not a known thing"
MALE = {"he", "him", "his", "himself", "mr", "mr.", "sir"}
FEMALE = {"she", "her", "hers", "herself", "mrs", "mrs.", "ms", "ms.", "miss", "pregnant"}
MALE_NOUNS = {"man", "boy", "husband", "king", "male"}
THINKS = {"think", "thinks", "thought", "believe", "believes", "believed", "say", "says", "said"} | {
    *("know", "knows", "knew"),
}
"""Verbs that a clause may follow, of which the noun is the subject."""
PLACES = {"front", "rear", "inside", "outside"}
"""Nouns whose contrast also holds after a preposition."""


def noun(place: Place) -> str:
    """Why a noun may leave room for its opposite; empty if it does not."""
    i, det = place.i, place.determiner
    if place.tag_at(i + 1) in NOUNS | {"CD"} or (place.tag_at(i + 1) == "POS" and not place.is_person):
        return "part of a compound"
    if place.at(i - 1) in ("and", ","):
        return "one of several"
    if place.before({"there"}):
        return "existence"
    if place.before(WISHED) and not said(place):
        return "only wished"
    if {place.at(det), place.at(det - 1)} & {"as", "like"}:
        return "compared or graded"
    return _person(place) if place.is_person else _thing(place)


def _person(place: Place) -> str:
    if said(place) and place.tag_at(place.i + 1) != "POS":
        return ""
    if clash := _clash(place):
        return clash
    article = place.at(place.determiner)
    if place.kind == "spouse":
        owned = place.tag_at(place.determiner) in ("PRP$", "POS") and place.tag not in PLURALS
        named = any(place.at(j) == "," for j in range(place.determiner - 3, place.determiner))
        return "" if owned and not named else UNKNOWN
    known = place.tag_at(place.i - 1) == "CD" or place.defines(place.determiner)
    if place.tag in PLURALS:
        known = known and place.is_event
    return "" if known or (article in INDEFINITE and place.is_event) else UNKNOWN


def _thing(place: Place) -> str:
    article = place.at(place.determiner)
    if not (article in INDEFINITE or place.defines(place.determiner)):
        return "" if said(place) and place.tag in PLURALS else UNKNOWN
    if said(place):
        return ""
    if place.word in ("majority", "minority"):
        share = place.at(place.i + 1) == "of" and place.determiner == place.i - 1  # not "the vast majority"
        return "" if share else "what is spoken about, not what is so"
    if place.word in PLACES:
        known = place.determiner == place.i - 1 and place.defines(place.determiner)
        return "" if known else "part of a compound"  # not "the eastern front"
    if place.kind != "happening" or not _is_claimed(place, place.determiner - 1):
        return "what is spoken about, not what is so"
    return ""


def _is_claimed(place: Place, j: int) -> bool:
    """Whether a noun phrase after a place is the subject of what happened, or the object of a finite verb."""
    j = place.over_adverbs(j)
    subject = j < place.clause.start and place.happened
    return subject or (place.tag_at(j) in FINITE and place.at(j) not in THINKS) or place.at(j) == "been"


def _clash(place: Place) -> str:
    wrong = MALE if singular(place.word) in MALE_NOUNS else FEMALE
    if not place.in_text.isdisjoint(wrong):
        return "another word tells the sex"
    named = place.at(place.i + 1) in (",", "named") and place.tag_at(place.i + 2) == "NNP"
    return "a name tells the sex" if named or place.tag_at(place.i - 1) == "NNP" else ""
