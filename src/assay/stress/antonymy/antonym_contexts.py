"""Contexts in which a word excludes its antonym, and contexts in which both may be true."""

from collections.abc import Collection
from itertools import pairwise

from assay.language.resources.data import load_words, table
from assay.language.resources.installed import wordnet
from assay.language.words.wordnet_relations import is_kind_of
from assay.stress.contexts.claims import (
    ANIMALS,
    BODY,
    GENERAL,
    GRADED,
    PERSONS,
    PICKS_OUT,
    doubt_of_picking,
    doubt_of_scope,
    doubt_of_sentence,
)
from assay.stress.contexts.token_context import (
    DESCRIBING,
    FINITE,
    INDEFINITE,
    LIES,
    NEGATIONS,
    NOUNS,
    PLURALS,
    THE,
    WISHED,
    TokenContext,
    noun_lemma,
)

WORDS = load_words(__file__)

NEAR = 10
"""A word this far away is a matter of its own, if it is in another clause."""
FIXED = "part of a fixed phrase"


def doubt_of_phrase(place: TokenContext) -> str:
    """The reason why the word can't be changed without its neighbours; empty if it can."""
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


def _is_repeated(place: TokenContext) -> bool:
    """True if the word or its antonym occurs again so near that the two mentions may belong together."""
    words = place.contrast.words
    if place.is_predicate:
        near = range(min(place.clause.start, place.i - NEAR), max(place.clause.stop, place.i + NEAR + 1))
        return any(place.at(j) in words for j in near if j != place.i)
    beside = place.word in (place.at(place.i - 1), place.at(place.i + 1))
    repeated = beside or (place.kind != "amount" and sum(each in words for each in place.low) > 1)
    return repeated or not place.in_text.isdisjoint(words - {place.word})


def _is_aside(place: TokenContext) -> bool:
    """True if "I'm sure" or "I'm afraid" is a mere aside, not at the start and without "of" or "that" after it."""
    following = place.at(place.i + 1)
    if place.word == "afraid":
        return following not in ("of", "to")
    verb = place.predicate
    starts = 0 <= verb <= 1 or (verb > 1 and place.at(verb - 2) in ("and", "but", "well"))
    return not starts and following not in ("of", "that", "about")


def _is_fixed(place: TokenContext) -> bool:
    i, word = place.i, place.word
    following = place.at(i + 1)
    if following in table("opposites_misfits", __file__).get(word, ()) or (
        place.at(i - 1) == "too" and word in ("bad", "good")
    ):
        return True
    if word == "good" and following == "for" and (place.tag_at(i + 2) in ("CD", "$") or place.at(i + 2) == "it"):
        return True  # able to pay it
    if place.kind == "amount":
        return False
    if word in ("early", "late") and following[:1].isdigit():
        return True  # what was so in the late 1990s may have been so before
    if word == "pretty" and place.tag_at(i + 1)[:2] in ("JJ", "RB", "VB"):
        return True
    if word in ("sure", "certain", "afraid") and _is_aside(place):
        return True
    index = wordnet().data.index
    plain = table("opposites_plain_phrases", __file__)
    return any(
        one
        and other
        and (f"{one}_{other}" in index or f"{one}-{other}" in index)
        and (other not in plain.get(one, ()) or place.tag_at(i + 2) in NOUNS)  # but "a long time friend"
        for one, other in ((place.at(i - 1), word), (word, following), (word, noun_lemma(following)))
    )


UNKNOWN = "not about one known thing"
MALE = WORDS["male"]
FEMALE = WORDS["female"]


def doubt_of_noun(place: TokenContext) -> str:
    """The reason why a noun may leave room for its opposite; empty if it does not."""
    i, det = place.i, place.determiner
    if place.tag_at(i + 1) in NOUNS | {"CD"} or (place.tag_at(i + 1) == "POS" and not place.is_person):
        return "part of a compound"
    if place.at(i - 1) in ("and", ",") or place.low[i + 1 : i + 4] == ["as", "well", "as"]:
        return "one of several"
    if place.before({"there"}):
        return "existence"
    if place.before(WISHED) and not place.is_predicate:
        return "only wished"
    if {place.at(det), place.at(det - 1)} & {"as", "like"}:
        return "a comparison or a degree"
    if place.is_predicate and place.word in WORDS["kin"] and place.at(place.predicate - 1) in MALE | FEMALE:
        return "another word states the sex"  # "he was a father to them"
    return _doubt_of_person(place) if place.is_person else _doubt_of_thing(place)


def _doubt_of_person(place: TokenContext) -> str:
    if place.is_predicate and place.tag_at(place.i + 1) != "POS":
        subject = {place.at(place.predicate - 1), place.tag_at(place.predicate - 1)}
        return "another word states the sex" if subject & (MALE | FEMALE | {"NNP"}) else ""
    if place.tag_at(place.i - 1) == "NN":
        return "part of a compound"
    if clash := _doubt_of_clash(place):
        return clash
    article = place.at(place.determiner)
    if place.kind == "spouse":
        if not place.in_text.isdisjoint({"mr", "mr.", "mrs", "mrs.", "ms", "ms."}):
            return "another word states the sex"
        owned = place.tag_at(place.determiner) in ("PRP$", "POS") and place.tag not in PLURALS
        named = any(place.at(j) == "," for j in range(place.determiner - 3, place.determiner))
        return "" if owned and not named else UNKNOWN
    known = place.tag_at(place.i - 1) == "CD" or place.defines(place.determiner)
    if place.tag in PLURALS:
        known = known and place.is_event
    return "" if known or (article in INDEFINITE and place.is_event) else UNKNOWN


def _doubt_of_thing(place: TokenContext) -> str:
    article = place.at(place.determiner)
    if not (article in INDEFINITE or place.defines(place.determiner)):
        return "" if place.is_predicate and place.tag in PLURALS else UNKNOWN
    if place.is_predicate:
        return ""
    if place.word in ("majority", "minority"):
        a_share = place.at(place.i - 1) in INDEFINITE  # not "the minority of them"
        share = place.at(place.i + 1) == "of" and a_share
        return "" if share else "mentioned, but not asserted"
    if place.word in WORDS["where"]:
        known = place.determiner == place.i - 1 and place.defines(place.determiner)
        where = place.tag_at(place.determiner - 1) == "IN"  # as a subject, "the front is wide", both may be so
        return "" if known and where else "part of a compound"  # not "the eastern front"
    if place.kind != "happening" or not _is_claimed(place, place.determiner - 1):
        return "mentioned, but not asserted"
    return ""


def _is_claimed(place: TokenContext, j: int) -> bool:
    """True if the noun phrase after token `j` is the subject of a past event, or the object of a finite verb."""
    j = place.over_adverbs(j)
    subject = j < place.clause.start and place.happened
    return subject or (place.tag_at(j) in FINITE and place.at(j) not in WORDS["thinks"]) or place.at(j) == "been"


def _doubt_of_clash(place: TokenContext) -> str:
    wrong = MALE if noun_lemma(place.word) in WORDS["male_nouns"] else FEMALE
    if not place.in_text.isdisjoint(wrong):
        return "another word states the sex"
    named = place.at(place.i + 1) in (",", "named") and place.tag_at(place.i + 2) == "NNP"
    apposed = place.at(place.determiner - 1) == "," and place.tag_at(place.determiner - 2) == "NNP"
    return "a name indicates the sex" if named or apposed or place.tag_at(place.i - 1) == "NNP" else ""


PEOPLE = WORDS["people"]
NEGATIVE = ("un", "in", "im", "non")
PARTS = WORDS["parts"]


def doubt_of_adjective(place: TokenContext) -> str:
    """The reason why an adjective may leave room for its opposite; empty if it does not."""
    if reason := _doubt_of_order(place) or _doubt_of_degree(place) or _doubt_of_misfit(place):
        return reason
    if place.kind == "place" or (place.word in ("early", "late") and not place.is_alone):
        return _doubt_of_direction(place)
    if place.is_predicate and (place.is_alone or place.kind != "after be"):
        return _doubt_of_subject(place)
    if place.is_alone:
        return "not said of a subject"
    if place.at(place.determiner) in THE and place.file(place.head) == BODY and not place.is_event:
        return GENERAL  # "the large liver" of anybody
    return doubt_of_picking(place)


def _doubt_of_order(place: TokenContext) -> str:
    """The reason why "first" and "last" may both be true: whoever was first may also be last."""
    if place.word not in ("first", "last"):
        return ""
    fits = place.at(place.i + 1) in WORDS["in_order"] and place.at(place.i + 2) not in WORDS["since"]
    return "" if fits and place.tag_at(place.i - 1) == "DT" else "the first one may also be the last one"


def _doubt_of_degree(place: TokenContext) -> str:
    i, left = place.i, place.left
    if WORDS["picking"].intersection(place.low[max(0, place.determiner) : i]) or place.at(i + 2) == "only":
        return PICKS_OUT  # "the last normal contact", "the largest and only one"
    if place.at(i + 1) == "only" or (place.at(i - 1).endswith("ly") and place.contrast.new.startswith(NEGATIVE)):
        return GRADED  # "highly controversial"
    if WORDS["degrees"].intersection(place.low[left + 1 : i]) or place.at(left) in WORDS["degrees"] - {"that"}:
        return GRADED
    if place.at(i + 1) == "enough" or {place.word, place.contrast.new} & WORDS["little"]:
        return GRADED
    if place.is_alone and place.tag_at(i + 1) in DESCRIBING - {"VBG"}:
        return GRADED  # "real good", "soft hearted"
    if {"more", "most"}.intersection(place.low[left + 1 : i]) and not _compares_alike(place):
        return GRADED
    counted = not place.is_alone and place.tag_at(left) == "CD"  # "two old men", but not "two feet tall"
    if not counted and (place.tag_at(left) in ("CD", "NNS") or place.tag_at(left - 1) == "CD"):
        return "a measure"
    return ""


def _compares_alike(place: TokenContext) -> bool:
    """True if "more" or "the most" can also precede the opposite: "more popular", "more unpopular"."""
    word, new = place.word, place.contrast.new
    prefixed = word != "likely" and (word.endswith(new) or new.endswith(word))
    most = "most" in place.low[place.left + 1 : place.i]
    return prefixed and place.is_predicate and (not most or place.defines(place.left))


def is_opposed_of(one: str, other: str, nouns: Collection[str]) -> bool:
    """True if the two words are opposites when they describe one of the nouns.

    >>> is_opposed_of("fat", "thin", ["man"]), is_opposed_of("thin", "fat", ["evidence"])
    (True, False)
    """
    said_of = table("opposites_said_of", __file__)
    roots = said_of.get(f"{one}/{other}") or said_of.get(f"{other}/{one}")
    if roots is None:
        return True
    return any(
        noun in PEOPLE if "person.n.01" in roots and noun in PEOPLE else is_kind_of(noun, roots) for noun in nouns
    )


def _doubt_of_misfit(place: TokenContext) -> str:
    noun = _said_of(place)
    if not any(is_opposed_of(place.word, each, [place.at(noun)]) for each in place.contrast.words - {place.word}):
        return "the word may have another sense here"
    person = place.file(place.head) in (ANIMALS, PERSONS)
    if place.word == "poor" and not place.is_alone and person:
        return "the word may have another sense here"  # who is pitied
    if place.word in WORDS["ages"] and place.at(place.head) in WORDS["young_ones"]:
        return "another word states the age"
    if place.word == "little" and not place.is_known:
        return "an amount or a size"
    if place.contrast.new == "little" and place.file(place.head) not in (ANIMALS, PERSONS):
        return "an amount or a size"
    if place.word == "pretty" and place.tag_at(place.i + 1)[:2] in ("JJ", "RB", "VB"):
        return GRADED
    if place.word in WORDS["of_people"] and not _of_person(place):
        return "not said of a person"
    if place.word in WORDS["of_things"] and place.is_alone and _of_person(place):
        return "said of a person"
    return ""


def _of_person(place: TokenContext) -> bool:
    """True if an adjective describes a person or an animal."""
    noun = _said_of(place)
    return place.at(noun) in PEOPLE or place.file(noun) in (ANIMALS, PERSONS)


def _said_of(place: TokenContext) -> int:
    """The position of the noun that an adjective describes, or of the word before its verb."""
    return place.predicate - 1 if place.is_alone and place.is_predicate else place.head


def _doubt_of_direction(place: TokenContext) -> str:
    """Empty if one time or place excludes the other ("in the late 1980s", "is north of the river"); else a reason."""
    if place.at(place.i + 1) == "of" and place.word in ("north", "south", "east", "west"):
        j = place.left
        while place.tag_at(j) in ("NNS", "NN", "CD") and place.at(j) not in LIES:
            j -= 1  # "two miles"
        return "" if place.links(j) or place.at(j) in LIES else PICKS_OUT
    det = place.determiner
    where = place.at(det) == "the" and place.at(det - 1) in ("in", "on", "at", "near", "along")
    whole = place.kind == "place" or (place.at(place.i + 1)[:1].isdigit() and place.happened)
    if place.word in ("left", "right"):
        whole = place.at(place.i + 1) in WORDS["sides"]
    return "" if where and whole and det == place.left and place.tag_at(place.head) not in PLURALS else PICKS_OUT


def _doubt_of_subject(place: TokenContext) -> str:
    """Empty if both sentences are about the same subject, not one of several examples; else a reason."""
    verb = place.predicate
    if place.at(verb - 1) == "there":
        return "existence"
    if place.i == verb + 1 and place.at(place.i + 1) == "and" and place.tag_at(place.i + 2) == "JJ":
        return "one of several"  # "correct and verifiable"
    if "because" in place.low[place.i :] or not {"although", "though", "yes"}.isdisjoint(place.low):
        return "the stated reason or contrast would not fit"
    if place.word == "able" and place.before(NEGATIONS):
        return "a double negation"
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
    vague = any(one in INDEFINITE and other in WORDS["vague"] for one, other in pairs)
    if vague or (PARTS.intersection(subject) and not THE.intersection(subject[:2])):
        return "may hold for only some things or times"
    return PICKS_OUT if (one_of or WORDS["examples"].intersection(subject)) and not place.is_alone else ""


WANTED = WISHED - {"would", "'d", "\u2019d"}


def doubt_of_amount(place: TokenContext) -> str:
    """The reason why an amount may leave room for its opposite; empty if it does not."""
    if place.before(WANTED) or (place.tag_at(place.i - 1) == "VB" and place.at(place.i - 2) == "to"):
        return "only wished"
    if place.word in ("more", "less", "fewer"):
        return _doubt_of_comparison(place)
    if place.tag_at(place.i - 1) == "POS" or place.tag_at(place.left) == "VBG":
        return GRADED
    if place.at(place.i - 1) in WORDS["degrees"] | THE | INDEFINITE | WORDS["grading"]:
        return GRADED
    return _doubt_of_mass(place) if place.word == "much" else _doubt_of_count(place)


def _doubt_of_comparison(place: TokenContext) -> str:
    i = place.i
    if place.at(i - 1) in WORDS["degrees"] | THE | INDEFINITE | WORDS["before_amount"]:
        return GRADED
    if place.at(i + 1) == "than":
        return "" if _is_number(place, i + 2) else GRADED
    tag = "NNS" if place.word == "fewer" else "NN"
    counted = place.tag_at(i + 1) == tag and place.tag_at(i + 2) not in NOUNS
    return "" if counted and place.tag_at(i - 1) in FINITE | {"VB", "VBN", "VBG"} else GRADED


def _doubt_of_count(place: TokenContext) -> str:
    i = place.i
    head = place.skip(i + 1, {"JJ", "JJR", "VBG", "VBN", "NN"})
    if place.at(i + 1) != "of" and place.tag_at(head) not in PLURALS:
        return "not before a noun"
    if place.at(i - 1) in ("and", "with") or place.at(i + 1) == "other" or (i < 2 and place.tag_at(0) in ("IN", "TO")):
        return "one of several"  # "and many other groups"
    return "a measure" if place.at(head) in WORDS["measures"] else ""


def _doubt_of_mass(place: TokenContext) -> str:
    i = place.i
    mass = place.tag_at(i + 1) == "NN" and place.tag_at(i + 2) not in NOUNS
    return "" if mass or (place.at(i + 1) == "of" and place.at(i + 2) in THE) else "not before a noun"


def _is_number(place: TokenContext, j: int) -> bool:
    """True if token `j` is a number above one, or begins a fraction or a multiple of something counted."""
    if place.at(j) in INDEFINITE:
        return place.at(j + 1) in WORDS["counted"]
    return (place.tag_at(j) in ("CD", "$") and place.at(j) not in ("one", "1")) or place.at(j) in WORDS["numbers"]


def doubt_of_antonym(place: TokenContext) -> str:
    """The reason why both sentences might be true; empty if the context makes them exclude each other."""
    return doubt_of_sentence(place) or doubt_of_phrase(place) or doubt_of_scope(place) or _doubt_of_position(place)


def _doubt_of_position(place: TokenContext) -> str:
    if place.kind == "amount":
        return doubt_of_amount(place)
    return doubt_of_noun(place) if place.is_noun else doubt_of_adjective(place)
