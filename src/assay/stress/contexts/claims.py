"""Shared rules of the checks: whether a sentence asserts a word, and about one known thing.

Each rule takes a `TokenContext`, and returns a reason to doubt, or nothing:

- `doubt_of_claim`: the word is in the scope of a question, order, negation, condition, possibility or quantifier;
- `picks_out`: the word is an adjective before a noun, and may describe one of several things;
- `doubt_of_generality`: the sentence is about a kind of things, not about known ones.

`may_undo` decides the same for whole sentences with numbers, where any such word may undo a comparison.
"""

from collections.abc import Sequence
from itertools import pairwise

from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.stress.contexts.token_context import (
    ADVERBS,
    BE,
    BEFORE_NOUN,
    BREAKS,
    FINITE,
    HAS,
    INDEFINITE,
    LIES,
    NEGATIONS,
    NOT,
    NOUNS,
    PLURALS,
    POINTING,
    THE,
    WHERE,
    WISHED,
    TokenContext,
)

WORDS = load_words(__file__)

ORDERS = WORDS["orders"]


def doubt_of_sentence(place: TokenContext) -> str:
    """The reason why the sentence asserts nothing, such as a question; empty if it does."""
    if place.low[-1] == "?" or _is_question(place):
        return "in a question"
    if place.tokens[place.i].text[:1].isupper() and place.i:
        return "in a name"
    if not (place.is_caption or any(token.tag in FINITE for token in place.tokens)):
        return "no finite verb"
    first = next((j for j, word in enumerate(place.low) if word not in WORDS["steps"]), 0)
    if place.tokens[first].tag == "VB" or place.low[first] in ORDERS:
        return "in an order"
    return ""


def _is_question(place: TokenContext) -> bool:
    """True if the sentence begins as a question does, or "what" replaces the subject of the word's clause."""
    first = next((j for j, word in enumerate(place.low) if word not in WORDS["fillers"]), 0)
    if place.low[0] in WORDS["questions"] or place.low[first] in WORDS["asking"]:
        return True
    return any(place.at(j) == "what" and place.tag_at(j + 1) in FINITE for j in range(place.clause.start, place.i))


SOME_OF_THEM = {"some", "others", "many", "several", "certain", "various", "numerous"}
DENIALS = NEGATIONS | WORDS["exceptions"]
REACHING = NEGATIONS | WORDS["conditions"] | WORDS["times"]
"""Words that take scope over every clause joined by "and"."""


def doubt_of_scope(place: TokenContext) -> str:
    """The reason why the word is not simply asserted; empty if it is."""
    # What follows "it is easy" or "many people" is not part of what is claimed of them; and a known person or thing is
    # who it is, whatever is denied of it.
    reaches_back = not (place.is_alone or place.kind == "amount" or place.is_known)
    return (
        _doubt_of_reach(place)
        or _doubt_of_choice(place, reaches_back=reaches_back)
        or _doubt_of_denial(place, reaches_back=reaches_back)
        or _doubt_of_possibility(place, reaches_back=reaches_back)
        or _doubt_of_elsewhere(place)
    )


def _doubt_of_reach(place: TokenContext) -> str:
    """The doubt if the scope of an earlier word extends over a comma or "and": "when it rained and it was cold"."""
    first = place.clause.start
    reaching = [j for j in range(first - 1) if place.at(j) in REACHING and not _is_answer(place, j)]
    if not reaching or place.at(first - 1) not in (",", "and", "or"):
        return ""
    j = reaching[-1]
    if any(place.at(k) in BREAKS - {",", "and"} for k in range(j, first - 1)):
        return ""
    begins_telling = any(place.at(k) == "that" and place.tag_at(k) == "IN" for k in range(j, place.i))
    if place.at(j) in NEGATIONS and begins_telling:
        return "in the scope of an earlier clause"  # "the point was not, as he says, that the soup was hot"
    # "When he came, the soup was hot": a comma after a whole clause ends what the word reaches.
    start = j - 2 if place.at(j) in NEGATIONS else j  # the verb comes before "not"
    ends = [k for k in range(j, first) if place.at(k) == ","]
    return "" if any(place.has_verb(max(0, start), k) for k in ends) else "in the scope of an earlier clause"


def _doubt_of_choice(place: TokenContext, *, reaches_back: bool) -> str:
    if _is_conditional(place) or {"perhaps", "maybe"}.intersection(place.low):
        return "a condition or a choice"
    if place.before(WORDS["conditions"] | {"or"}) or "or" in place.low[place.i : place.i + 4]:
        return "a condition or a choice"
    after = reaches_back and not place.is_predicate and place.after(WORDS["conditions"])
    return "a condition or a choice" if after else ""


def _is_conditional(place: TokenContext) -> bool:
    """True if the word is inside a condition; the main clause of "it is easy if you try" does not count."""
    conditions = [j for j, word in enumerate(place.low) if word in ("if", "unless")]
    if not place.is_predicate:
        return bool(conditions)
    before = [j for j in conditions if j < place.i]
    return bool(before) and not (before[-1] < place.clause.start and place.at(place.clause.start - 1) == ",")


def _doubt_of_denial(place: TokenContext, *, reaches_back: bool) -> str:
    denied = any(_denies(place, j) for j in range(place.clause.start, place.i))
    if denied and not _is_mere_denial(place):
        return "negated"
    return "negated" if reaches_back and place.after(NEGATIONS) else ""


def _is_mere_denial(place: TokenContext) -> bool:
    """True if "not" only denies a word that has no middle ground with its opposite: "not able"."""
    if not (place.is_predicate and place.contrast.exhaustive and place.is_alone):
        return False
    if NOT.isdisjoint(place.low[place.predicate : place.i]):
        return False
    near = place.i - 2 if place.at(place.i - 1) in ("be", "been") else place.i - 1
    others = any(_denies(place, j) for j in range(place.clause.start, place.i) if j != near)
    return place.at(near) in NOT and not others and not place.after(WORDS["all"]) and not place.before(WORDS["all"])


def _denies(place: TokenContext, j: int) -> bool:
    """True if token `j` negates the words after it; the "no" of "no, it is hot" does not."""
    return place.at(j) in DENIALS and not _is_answer(place, j)


def _is_answer(place: TokenContext, j: int) -> bool:
    return place.at(j) == "no" and place.tag_at(j + 1) in (",", "PRP", "DT", "EX", "UH")


def _doubt_of_possibility(place: TokenContext, *, reaches_back: bool) -> str:
    if place.is_noun and not place.is_predicate and place.before(WORDS["examines"]):
        return "studied, but not asserted"
    is_possible = place.before(WORDS["possible"] | WORDS["claims"]) or (reaches_back and place.after(WORDS["possible"]))
    return "only possible" if is_possible else ""


def _doubt_of_elsewhere(place: TokenContext) -> str:
    if place.before(WORDS["some"] if place.is_predicate else WORDS["some"] | WORDS["mostly"]) or _for_some(place):
        return "may hold for only some things or times"
    before = pairwise(place.low[max(0, place.clause.start - 1) : place.i + 1])
    if place.before(WORDS["times"]) or ("the", "time") in before:  # "by the time he arrived"
        return "may hold on only one of several occasions"
    if _in_relative_clause(place):
        return "in a relative clause"
    first = place.clause.start
    if place.tag_at(first) == "VBG" and not place.has_verb(first, _told_from(place)):
        return "inside a participle clause"
    return ""


def _told_from(place: TokenContext) -> int:
    """The position of a "that" before the word ("trying to show that it is hot"); else the word's own."""
    begins = (j for j in range(place.clause.start, place.i) if place.at(j) == "that" and place.tag_at(j) == "IN")
    return next(begins, place.i)


def _for_some(place: TokenContext) -> bool:
    """True if the sentence holds only for some: "it is useful for some", "by some accounts, he was happy"."""
    places = (0, *range(place.i + 1, place.clause.stop))
    some = SOME_OF_THEM if place.kind != "amount" else {"some", "others"}
    return any(place.tag_at(j) in ("IN", "TO") and place.at(j + 1) in some for j in places)


def _in_relative_clause(place: TokenContext) -> bool:
    return any(
        place.at(j) in ("that", "which", "who", "whose", "whom")
        and place.tag_at(j) != "DT"
        and place.tag_at(j - 1) in NOUNS | {"DT", "CD", "IN", ")"}
        for j in range(max(1, place.clause.start), place.i)
    )


def doubt_of_claim(place: TokenContext) -> str:
    """The reason why the sentence may not assert the word; empty if it does."""
    return doubt_of_sentence(place) or doubt_of_scope(place)


PICKS_OUT = "picks out one of several"
UNKNOWN = "not about one known thing"
GRADED = "a comparison or a degree"

ANIMALS, BODY, PERSONS = 5, 8, 18
"""WordNet's files."""
CONCRETE = {ANIMALS, 6, BODY, 13, 15, 17, PERSONS, 20, 27}
"""WordNet's files of animals, artefacts, body parts, food, places, natural things, persons, plants and substances."""


def doubt_of_picking(place: TokenContext) -> str:
    """The reason why an adjective may describe one of several things; empty if both texts are about the same one."""
    if place.kind == "after be" or WORDS["ordinals"].intersection(place.low[max(0, place.determiner) : place.i]):
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
    if place.at(place.head) in WORDS["quantities"] and place.kind == "descriptive":
        claimed = before < place.clause.start or place.tag_at(before) in FINITE
        return "" if claimed else UNKNOWN
    if place.at(before) in WORDS["serves"] and place.tag_at(before) in FINITE:
        return ""
    housed = place.at(before) in ("in", "on", "at") and place.at(before - 1) in LIES
    if housed and place.kind == "descriptive" and place.file(place.head) in CONCRETE:
        return ""
    if place.at(before) in HAS:
        person = place.file(place.head) in (ANIMALS, PERSONS)
        return UNKNOWN if person or place.word in WORDS["supposing_more"] else ""
    if place.is_compound:
        return "part of a compound"
    done = place.tag_at(before) in ("VBD", "VBN", "VBG") or before < place.clause.start
    one = done or place.file(place.head) in CONCRETE or place.at(place.head) in ("time", "distance")
    return "" if place.is_event and one and place.kind == "descriptive" else UNKNOWN


GENERAL = "a general statement about a kind"
PRESENT = {"VBZ", "VBP"}
NATURE = {BODY, 27, 20}
"""WordNet's files of parts of bodies, of substances, and of plants."""
HEAVENS = WORDS["heavens"]
SHORTEST = 6
"""Tokens of a description without a verb, at least: fewer are a heading."""


def doubt_of_generality(place: TokenContext) -> str:
    """The reason why the clause may be about a kind, whose members may differ; empty if it is about known things."""
    verb = next((j for j in place.clause if place.tag_at(j) in FINITE), -1)
    if verb < 0:
        described = place.tag_at(0) in ("DT", "CD") and len(place.low) >= SHORTEST
        return "" if described and not _is_natural(place, place.i) else GENERAL
    first = next(j for j in range(len(place.low)) if place.tag_at(j) in FINITE)
    return GENERAL if any(_tells_a_fact(place, j) for j in {verb, first}) else ""


def _tells_a_fact(place: TokenContext, verb: int) -> bool:
    if place.tag_at(verb) not in PRESENT or _goes_on(place, verb):
        return False
    if not HEAVENS.isdisjoint(place.low) or place.at(0) in ("when", "whenever") or place.before({"when", "whenever"}):
        return True
    if place.at(verb - 1) == "there":
        return not _names_a_place(place)
    return _is_natural(place, verb) or _is_kind(place, verb)


def _goes_on(place: TokenContext, verb: int) -> bool:
    """True if an event is going on or completed: "are running", "has seen"."""
    j = place.skip(verb + 1, ADVERBS)
    return (place.at(verb) in BE and place.tag_at(j) == "VBG") or (place.at(verb) in HAS and place.tag_at(j) == "VBN")


def _names_a_place(place: TokenContext) -> bool:
    """True if the sentence names a known location: "there are 40 houses in the village", "between Rome and Bonn"."""
    return any(
        place.at(j - 1) in WHERE | {"between"}
        and (place.defines(j) or place.at(j) in INDEFINITE or place.tag_at(j) == "NNP")
        for j in range(1, len(place.low))
    )


def _is_natural(place: TokenContext, end: int) -> bool:
    """True if a word before `end` names a natural kind: "the liver", "water"."""
    known = any(place.tag_at(j) == "PRP$" or place.at(j) in POINTING for j in range(end))
    return not known and any(_is_common(place, j) and place.file(j) in NATURE for j in range(end))


def _is_kind(place: TokenContext, verb: int) -> bool:
    """True if the subject is a kind: "dogs", "a dog", "each cell", "the process of mitosis"."""
    head = place.over_adverbs(verb - 1)
    if not _is_common(place, head):
        return False
    j = head
    while place.tag_at(j) in BEFORE_NOUN - {"CD"} and j >= place.clause.start:
        j -= 1
    # "The process of mitosis": what follows "of" says which, and is a kind itself.
    of_a_kind = place.at(j) in WORDS["each"] | INDEFINITE
    return j < place.clause.start or of_a_kind or (place.at(j) == "of" and head == j + 1)


def _is_common(place: TokenContext, j: int) -> bool:
    """True if token `j` is a common noun; at the start of a sentence, WordNet decides instead of the tagger."""
    if place.tag_at(j) in ("NNP", "NNPS") and j == 0:
        senses = wordnet().synsets(place.at(j), "n")
        return bool(senses) and place.at(j) in senses[0].words
    return place.tag_at(j) in NOUNS - {"NNP", "NNPS"}


NEAR = 6
"""The number of tokens that count as near."""


def may_undo(before: Sequence[str], after: Sequence[str]) -> bool:
    """True if a word before or after the quantity, in its sentence, may undo the effect of changing it.

    >>> may_undo(["ada", "sold"], ["hats"]), may_undo(["ada", "never", "sold"], ["hats"])
    (False, True)
    """
    return not (
        WORDS["operators"].isdisjoint([*before, *after])
        and WORDS["near_operators"].isdisjoint([*before[-NEAR:], *after[:NEAR]])
        and "before" not in before[-NEAR:]
        and WORDS["operators_before"].isdisjoint(before)
        and WORDS["operators_after"].isdisjoint(after)
        and not _compares([*before, *after])
    )


def _compares(words: Sequence[str]) -> bool:
    """True if "as" compares instead of starting a clause: "as many as", "as well as", but not "as the sun sets"."""
    return words.count("as") > 1 or any(one == "as" and other in WORDS["measured"] for one, other in pairwise(words))
