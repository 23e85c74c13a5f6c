"""Words that are part of a fixed phrase, or that are in the text twice."""

from assay.language.resources.data import table
from assay.language.resources.loaded import wordnet
from assay.stress.checks.contexts.place import Place, singular
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import NOUNS

NEAR = 10
"""A word this far away is a matter of its own, if it is in another clause."""
FIXED = "part of a fixed phrase"


def phrase(place: Place) -> str:
    """Why the word can't be changed for itself alone; empty if it can."""
    i = place.i
    if _is_repeated(place):
        return "the word or its antonym is elsewhere in the text"
    if _is_fixed(place):
        return FIXED
    if place.at(i - 1) in {"/", "-"} or place.at(i + 1) in {"/", "-"}:
        return "part of a compound"
    if not place.is_noun and (place.tag_at(i + 1) == "POS" or place.at(i + 1) in ("\u2019", "'")):
        return "part of a compound"  # "a patient's blood"
    return ""


def _is_repeated(place: Place) -> bool:
    """Whether a second mention is so near that the two may belong together."""
    words = place.contrast.words
    if said(place):
        near = range(min(place.clause.start, place.i - NEAR), max(place.clause.stop, place.i + NEAR + 1))
        return any(place.at(j) in words for j in near if j != place.i)
    beside = place.word in (place.at(place.i - 1), place.at(place.i + 1))
    repeated = beside or (place.kind != "amount" and sum(each in words for each in place.low) > 1)
    return repeated or not place.in_text.isdisjoint(words - {place.word})


def _is_aside(place: Place) -> bool:
    """Whether "I'm sure" is a remark on the side: it is none at the start, or with "of" or "that" after it."""
    following = place.at(place.i + 1)
    if place.word == "afraid":
        return following not in ("of", "to")
    found = said(place)
    starts = found is not None and (found.verb <= 1 or place.at(found.verb - 2) in ("and", "but", "well"))
    return not starts and following not in ("of", "that", "about")


def _is_fixed(place: Place) -> bool:
    i, word = place.i, place.word
    following = place.at(i + 1)
    if following in table("opposites_misfits").get(word, ()) or (place.at(i - 1) == "too" and word in ("bad", "good")):
        return True
    if word == "good" and following == "for" and (place.tag_at(i + 2) in ("CD", "$") or place.at(i + 2) == "it"):
        return True  # able to pay it
    if place.kind == "amount":
        return False
    if word in ("sure", "certain", "afraid") and _is_aside(place):
        return True
    index = wordnet().data.index
    plain = table("opposites_plain_phrases")
    return any(
        one
        and other
        and (f"{one}_{other}" in index or f"{one}-{other}" in index)
        and (other not in plain.get(one, ()) or place.tag_at(i + 2) in NOUNS)  # but "a long time friend"
        for one, other in ((place.at(i - 1), word), (word, following), (word, singular(following)))
    )
