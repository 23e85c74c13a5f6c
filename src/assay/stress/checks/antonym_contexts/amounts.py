"""Where an amount excludes its opposite: "many people", "much of the city", "more than ten"."""

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.words import DEGREES, FINITE, INDEFINITE, NOUNS, PLURALS, THE, WISHED

GRADED = "compared or graded"
COUNTED = {"hundred", "thousand", "million", "dozen", "century", "decade", "year", "month", "week", "day", "hour"} | {
    *("minute", "mile", "third", "quarter", "half"),
}
NUMBERS = {
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty"),
    *("forty", "fifty", "sixty", "seventy", "eighty", "ninety", "half"),
}
GRADING = {"great", "good", "quite", "last", "past", "next", "first", "very", "pretty"}
WANTED = WISHED - {"would", "'d", "\u2019d"}
MEASURES = {
    *("years", "months", "weeks", "days", "hours", "minutes", "seconds", "decades", "centuries", "generations"),
    *("miles", "kilometers", "kilometres", "feet", "inches", "yards", "meters", "metres", "times", "nights", "others"),
    *("hundreds", "thousands", "millions", "dozens", "piles", "moments", "more"),
}
"""Before these English says "a few", not "few"."""


def amount(place: Place) -> str:
    """Why an amount may leave room for its opposite; empty if it does not."""
    if place.before(WANTED) or (place.tag_at(place.i - 1) == "VB" and place.at(place.i - 2) == "to"):
        return "only wished"
    if place.word in ("more", "less", "fewer"):
        return _comparison(place)
    if place.tag_at(place.i - 1) == "POS" or place.tag_at(place.left) == "VBG":
        return GRADED
    if place.at(place.i - 1) in DEGREES | THE | INDEFINITE | GRADING:
        return GRADED
    return _mass(place) if place.word == "much" else _count(place)


def _comparison(place: Place) -> str:
    i = place.i
    if place.at(i - 1) in DEGREES | THE | INDEFINITE | {"much", "or", "far", "even", "to", "from"}:
        return GRADED
    if place.at(i + 1) == "than":
        return "" if _is_number(place, i + 2) else GRADED
    tag = "NNS" if place.word == "fewer" else "NN"
    counted = place.tag_at(i + 1) == tag and place.tag_at(i + 2) not in NOUNS
    return "" if counted and place.tag_at(i - 1) in FINITE | {"VB", "VBN", "VBG"} else GRADED


def _count(place: Place) -> str:
    i = place.i
    head = i + 1
    while place.tag_at(head) in ("JJ", "JJR", "VBG", "VBN", "NN"):
        head += 1
    if place.at(i + 1) != "of" and place.tag_at(head) not in PLURALS:
        return "not before a noun"
    return "a measure" if place.at(head) in MEASURES else ""


def _mass(place: Place) -> str:
    i = place.i
    mass = place.tag_at(i + 1) == "NN" and place.tag_at(i + 2) not in NOUNS
    return "" if mass or (place.at(i + 1) == "of" and place.at(i + 2) in THE) else "not before a noun"


def _is_number(place: Place, j: int) -> bool:
    """Whether there is a number above one, or a part or a multiple of something counted."""
    if place.at(j) in INDEFINITE:
        return place.at(j + 1) in COUNTED
    return (place.tag_at(j) in ("CD", "$") and place.at(j) not in ("one", "1")) or place.at(j) in NUMBERS
