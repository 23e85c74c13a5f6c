"""Predicates, and modifiers that pick out one of several things."""

from typing import NamedTuple

from assay.language.resources.data import load_words
from assay.stress.contexts.token_context import (
    APPEARS,
    BASE_LINKS,
    BE,
    BECOMES,
    DESCRIBING,
    FINITE,
    HAS,
    HELPERS,
    INDEFINITE,
    LIES,
    MAKES,
    NOT,
    NOUNS,
    PLURALS,
    POINTING,
    SERVES,
    THE,
    WISHED,
    TokenContext,
)

WORDS = load_words(__file__)

IN_OBJECT = NOUNS | DESCRIBING | {"DT", "PRP", "PRP$", "POS", "CD"}
LONGEST_OBJECT = 5
PARTICLES = WORDS["particles"]


class PredicateVerb(NamedTuple):
    """The verb of a predicate."""

    verb: int
    """The position of the finite verb."""
    denied: bool
    """True if "not" comes between the verb and the word."""


def predicate_verb(place: TokenContext) -> PredicateVerb | None:
    """The verb that predicates the word, or the noun phrase around it, of a subject; None if there is none."""
    verb = _find_verb(place, _before_phrase(place)) if place.kind != "event" else -1
    if verb < 0:
        return None
    return PredicateVerb(verb, any(place.at(j) in NOT for j in range(verb, place.i)))


def _before_phrase(place: TokenContext) -> int:
    """The position before the adjective with its adverbs, or before the noun phrase with its article."""
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


def _find_verb(place: TokenContext, j: int) -> int:
    """The finite verb whose predicate begins after token `j`, or -1."""
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
    return _find_making_verb(place, j) if place.is_alone else -1


def _find_making_verb(place: TokenContext, j: int) -> int:
    """The verb of "made the road safe", searched from the end of its object."""
    start = j
    while start - j < LONGEST_OBJECT and place.tag_at(j) in IN_OBJECT and place.at(j) not in MAKES:
        j -= 1
    return j if j < start and place.at(j) in MAKES and place.tag_at(j) in FINITE else -1


PICKS_OUT = "picks out one of several"
UNKNOWN = "not about one known thing"
GRADED = "a comparison or a degree"

ANIMALS, BODY, PERSONS = 5, 8, 18
"""WordNet's files."""
CONCRETE = {ANIMALS, 6, BODY, 13, 15, 17, PERSONS, 20, 27}
"""WordNet's files of animals, artefacts, body parts, food, places, natural things, persons, plants and substances."""
QUANTITIES = WORDS["quantities"]
SUPPOSING_MORE = WORDS["supposing_more"]
ORDINALS = WORDS["ordinals"]


def doubt_of_picking(place: TokenContext) -> str:
    """The reason why an adjective may describe one of several things; empty if both texts are about the same one."""
    if place.kind == "after be" or ORDINALS.intersection(place.low[max(0, place.determiner) : place.i]):
        return PICKS_OUT
    if place.tag == "JJR" and place.defines(place.determiner):
        return PICKS_OUT  # "in the smaller chapel", and in the larger one
    if place.before({"there"}):
        return "existence"
    if place.before({"like", "as"}):
        return GRADED
    if place.before(WISHED):
        return "only wished"
    if place.at(place.determiner) in INDEFINITE:
        return _of_unknown_thing(place)
    if place.defines(place.determiner):
        return _doubt_of_superlative(place) if place.tag == "JJS" else _of_known_thing(place)
    if place.tag_at(place.first) == "CD" and place.tag_at(place.head) in PLURALS:
        seen = place.is_event and place.kind == "descriptive" and place.file(place.head) in CONCRETE
        return "" if seen else UNKNOWN  # "two young men are singing"
    # "has dark eyes": somebody's eyes are known, although no word says so
    has_part = place.at(place.determiner) in HAS and place.file(place.head) == BODY
    return "" if has_part and place.kind == "descriptive" else UNKNOWN


def _of_known_thing(place: TokenContext) -> str:
    if place.kind == "predicate":
        return PICKS_OUT
    if place.is_compound:
        return "part of a compound"
    concrete = place.file(place.head) in CONCRETE
    # "her dark eyes" are all of her eyes; "her old friends" are not all of her friends.
    owned = place.tag_at(place.determiner) == "PRP$" and place.file(place.head) == BODY
    all_of_them = owned or (place.at(place.determiner) in POINTING and concrete)
    if place.tag_at(place.head) in PLURALS and not all_of_them:
        return PICKS_OUT
    return "" if concrete else "not said of a visible thing"


def _doubt_of_superlative(place: TokenContext) -> str:
    """Empty if the sentence says what a superlative subject refers to ("the best place is the park"); else a reason."""
    if place.tag_at(place.head) in PLURALS:
        return PICKS_OUT
    if place.has_verb(place.clause.start, place.i):
        return ""
    if place.tag_at(place.determiner - 1) in ("IN", "TO"):
        return PICKS_OUT  # "for the highest class, it is the best"
    verb = next((j for j in range(place.i, place.clause.stop) if place.at(j) in BE), -1)
    where = place.tag_at(verb + 1) == "IN" and place.word in ("best", "worst")
    says_which = verb > 0 and (where or place.at(verb + 1) in THE or place.tag_at(verb + 1) in ("NNP", "TO"))
    return "" if says_which and not place.has_verb(place.i, verb) else PICKS_OUT


def _of_unknown_thing(place: TokenContext) -> str:
    """Empty if somebody had the thing or did something with it; otherwise "a large garden" may be another one."""
    before = place.over_adverbs(place.determiner - 1)
    if place.at(place.head) in QUANTITIES and place.kind == "descriptive":
        claimed = before < place.clause.start or place.tag_at(before) in FINITE
        return "" if claimed else UNKNOWN
    if place.at(before) in SERVES and place.tag_at(before) in FINITE:
        return ""
    housed = place.at(before) in ("in", "on", "at") and place.at(before - 1) in LIES
    if housed and place.kind == "descriptive" and place.file(place.head) in CONCRETE:
        return ""
    if place.at(before) in HAS:
        person = place.file(place.head) in (ANIMALS, PERSONS)
        return UNKNOWN if person or place.word in SUPPOSING_MORE else ""
    if place.is_compound:
        return "part of a compound"
    done = place.tag_at(before) in ("VBD", "VBN", "VBG") or before < place.clause.start
    one = done or place.file(place.head) in CONCRETE or place.at(place.head) in ("time", "distance")
    return "" if place.is_event and one and place.kind == "descriptive" else UNKNOWN
