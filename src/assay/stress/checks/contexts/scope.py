"""What reaches over a word from elsewhere in its clause: negation, conditions, possibility, quantity, other clauses."""

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import (
    BREAKS,
    CLAIMS,
    CONDITIONS,
    EXCEPTIONS,
    MOSTLY,
    NEGATIONS,
    NOT,
    NOUNS,
    POSSIBLE,
    SOME,
    TIMES,
)

OPEN = {"perhaps", "maybe"}
DENIALS = NEGATIONS | EXCEPTIONS
REACHING = NEGATIONS | CONDITIONS | TIMES
"""Words that reach over all clauses that "and" joins."""
ALL = {"all", "every", "everyone", "everybody", "everything", "each", "both", "always", "any", "anyone", "everywhere"}
"""What is denied of all may be true of some."""


def scope(place: Place) -> str:
    """Why the word is not simply claimed; empty if it is."""
    # What follows "it is easy" or "many people" is not part of what is claimed of them; and a known person or thing is
    # who it is, whatever is denied of it.
    reaches_back = not (place.is_alone or place.kind == "amount" or place.is_known)
    return (
        _hidden(place)
        or _choice(place, reaches_back=reaches_back)
        or _denial(place, reaches_back=reaches_back)
        or _possibility(place, reaches_back=reaches_back)
        or _elsewhere(place)
    )


def _hidden(place: Place) -> str:
    """Whether an earlier word still reaches over a comma or "and": "when it rained and it was cold"."""
    first = place.clause.start
    found = [j for j in range(first - 1) if place.at(j) in REACHING and not _is_answer(place, j)]
    if not found or place.at(first - 1) not in (",", "and", "or"):
        return ""
    j = found[-1]
    if any(place.at(k) in BREAKS - {",", "and"} for k in range(j, first - 1)):
        return ""
    begins_telling = any(place.at(k) == "that" and place.tag_at(k) == "IN" for k in range(j, place.i))
    if place.at(j) in NEGATIONS and begins_telling:
        return "in the scope of an earlier clause"  # "the point was not, as he says, that the soup was hot"
    # "When he came, the soup was hot": a comma after a whole clause ends what the word reaches.
    start = j - 2 if place.at(j) in NEGATIONS else j  # the verb comes before "not"
    ends = [k for k in range(j, first) if place.at(k) == ","]
    return "" if any(place.has_verb(max(0, start), k) for k in ends) else "in the scope of an earlier clause"


def _choice(place: Place, *, reaches_back: bool) -> str:
    if _is_conditional(place) or OPEN.intersection(place.low):
        return "a condition or a choice"
    if place.before(CONDITIONS | {"or"}) or "or" in place.low[place.i : place.i + 4]:
        return "a condition or a choice"
    return "a condition or a choice" if reaches_back and not said(place) and place.after(CONDITIONS) else ""


def _is_conditional(place: Place) -> bool:
    """Whether the word is under a condition; "it is easy if you try" and "if you try, it is easy" still say it."""
    found = [j for j, word in enumerate(place.low) if word in ("if", "unless")]
    if not said(place):
        return bool(found)
    before = [j for j in found if j < place.i]
    return bool(before) and not (before[-1] < place.clause.start and place.at(place.clause.start - 1) == ",")


def _denial(place: Place, *, reaches_back: bool) -> str:
    denied = any(_denies(place, j) for j in range(place.clause.start, place.i))
    if denied and not _is_mere_denial(place):
        return "negated"
    return "negated" if reaches_back and place.after(NEGATIONS) else ""


def _is_mere_denial(place: Place) -> bool:
    """Whether "not" is directly before one of two words between which there is nothing: "not able"."""
    found = said(place)
    if not (found and found.denied and place.contrast.exhaustive and place.is_alone):
        return False
    near = place.i - 2 if place.at(place.i - 1) in ("be", "been") else place.i - 1
    others = any(_denies(place, j) for j in range(place.clause.start, place.i) if j != near)
    return place.at(near) in NOT and not others and not place.after(ALL) and not place.before(ALL)


def _denies(place: Place, j: int) -> bool:
    """Whether a word turns what follows it; the "no" of "no, it is hot" does not."""
    return place.at(j) in DENIALS and not _is_answer(place, j)


def _is_answer(place: Place, j: int) -> bool:
    return place.at(j) == "no" and place.tag_at(j + 1) in (",", "PRP", "DT", "EX", "UH")


def _possibility(place: Place, *, reaches_back: bool) -> str:
    possible = POSSIBLE - {"can", "could"} if place.word in ("many", "few") else POSSIBLE
    found = place.before(possible | CLAIMS) or (reaches_back and place.after(possible))
    return "only possible" if found else ""


def _elsewhere(place: Place) -> str:
    if place.before(SOME if said(place) else SOME | MOSTLY) or _for_some(place):
        return "of some, or at some time"
    if place.before(TIMES):
        return "on one occasion of several"
    if _in_relative_clause(place):
        return "in a relative clause"
    first = place.clause.start
    if place.tag_at(first) == "VBG" and not place.has_verb(first, _told_from(place)):
        return "in what is done, not in what is so"
    return ""


def _told_from(place: Place) -> int:
    """The place of the "that" that begins what somebody tells, or of the word: "trying to show that it is hot"."""
    begins = (j for j in range(place.clause.start, place.i) if place.at(j) == "that" and place.tag_at(j) == "IN")
    return next(begins, place.i)


def _for_some(place: Place) -> bool:
    """Whether it is said for some only: "it is useful for some", "by some accounts, he was happy"."""
    places = (0, *range(place.i + 1, place.clause.stop))
    return any(place.tag_at(j) in ("IN", "TO") and place.at(j + 1) in ("some", "others") for j in places)


def _in_relative_clause(place: Place) -> bool:
    return any(
        place.at(j) in ("that", "which", "who", "whose", "whom")
        and place.tag_at(j) != "DT"
        and place.tag_at(j - 1) in NOUNS | {"DT", "CD", "IN", ")"}
        for j in range(max(1, place.clause.start), place.i)
    )
