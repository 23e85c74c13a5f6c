"""Contexts in which replacing a word does not give the label that the relation of the two words suggests."""

from itertools import pairwise

from assay.language.resources.data import load_words, word_list
from assay.language.resources.installed import wordnet
from assay.language.words.categories import Relation
from assay.stress.contexts.token_context import BEFORE_NOUN, NOUNS
from assay.stress.lexical.lexical_relations import ChangedWord
from assay.stress.lexical.word_senses import (
    PEOPLE,
    another_sense,
    doubt_of_word_sense,
    graded_kinds,
    other_kinds,
    tells_kind,
)

WORDS = load_words(__file__)

NEGATING = {("anything", "but"), ("far", "from"), ("used", "to")}
"""Pairs of words that tell what is not so, or no longer."""
AS_BOUNDS = {("many", "as"), ("minimum", "of"), ("maximum", "of")}
LISTS = ("such as", "for example", "for instance", "including", "e.g.")
"""Words before one of several, however long the list is."""
QUOTES = {'"', "``", "''", "\u201c", "\u201d"}
SPELT = {"gray": "grey", "grey": "gray"}
NAMES = {"countries", "nationalities", "planets"}
"""Categories whose words have capitals of their own."""


def doubt_of_context(spot: ChangedWord, relation: Relation) -> str:
    """The reason why the label might not hold in this context; empty if there is none."""
    return (
        _doubt_of_sentence(spot)
        or _in_name(spot)
        or _doubt_of_fixed_phrase(spot)
        or doubt_of_word_sense(spot)
        or (
            ""
            if relation == "same"
            else _doubt_of_scope(spot, relation) or _doubt_of_elsewhere(spot) or another_sense(spot)
        )
        or (other_kinds(spot) if relation in ("broader", "narrower") else "")
    )


def doubt_of_sense(spot: ChangedWord) -> str:
    """The reason why one noun might not cover the other in this context, whatever the polarity."""
    beside = not WORDS["beside"].isdisjoint(spot.low[max(0, spot.first - 3) : spot.first])
    reason = doubt_of_place(spot) or _doubt_of_fixed_phrase(spot) or another_sense(spot) or graded_kinds(spot)
    return reason or ("a comparison with others of its kind" if beside else "")


def doubt_of_kind(spot: ChangedWord) -> str:
    """The reason why the broader noun may be equivalent: the rest of the text already implies the narrower one."""
    return "the rest of the text gives the kind" if tells_kind(spot) else ""


def doubt_of_place(spot: ChangedWord) -> str:
    """The reason why the sentence may not assert anything about the thing."""
    compared = not WORDS["comparing"].isdisjoint(spot.low[max(0, spot.first - 5) : spot.first])
    return _doubt_of_sentence(spot) or _in_name(spot) or _doubt_of_truth(spot) or ("compared" if compared else "")


def _doubt_of_sentence(spot: ChangedWord) -> str:
    if spot.low[-1] == "?" or (spot.low[0] in WORDS["questions"] and spot.tag_at(0) != "NNP"):
        return "in a question"
    if sum(word in QUOTES for word in spot.low[: spot.first]) % 2 or spot.before(WORDS["saying"]):
        return "in a quotation"
    return ""


def _in_name(spot: ChangedWord) -> str:
    """The reason `in a name` if the word is part of a longer name ("Red Sox"), or a related one."""
    before, after = spot.first - 1, spot.last + 1
    named = any(j > 0 and spot.is_capital(j) and spot.tag_at(j) in ("NNP", "NNPS") for j in (before, after))
    title = spot.is_capital(spot.first) and spot.is_capital(after) and spot.category not in NAMES
    of_name = spot.at(before) == "of" and spot.tag_at(before - 1) in ("NNP", "NNPS")
    inside = spot.first > 0 and spot.is_capital(spot.first) and spot.category not in NAMES
    plain = spot.at(before) in word_list("function_words") or spot.tag_at(before) == "RB"
    numbered = spot.category == "cardinals" and spot.is_capital(before) and not plain
    surname = spot.category == "colors" and spot.first == 0 and not spot.head
    if named or title or of_name or inside or numbered or surname:
        return "in a name"
    if spot.category in NAMES:
        return _as_name(spot)
    return ""


def _as_name(spot: ChangedWord) -> str:
    """The reason why the name of a country, a people or a planet is not used as such, or implies more."""
    before = spot.at(spot.first - 1)
    if not spot.is_capital(spot.first) and spot.old.lower() in WORDS["common_too"]:
        return "not a name"
    if before in WORDS["name_starts"] or (
        before in ("in", "of") and spot.is_capital(spot.first - 2) and spot.first > 2
    ):
        return "in a name"  # "the Funniest Man in America"
    if spot.category == "nationalities":
        return "in a name" if spot.at(spot.last + 1) in WORDS["named_by_nation"] else ""
    following = spot.tag_at(spot.last + 1)
    if following in NOUNS or (following == "POS" and spot.category == "countries"):
        return "before a noun"
    if spot.category == "countries" and before == ",":
        return "a named place lies there"
    if following in ("VBZ", "MD"):
        return "what is true of one may be true of both"
    return ""


def _doubt_of_fixed_phrase(spot: ChangedWord) -> str:
    if spot.at(spot.first - 1) in {"/", "-", "&", "#"} or spot.at(spot.last + 1) in {"/", "-", "&"}:
        return "part of a compound"
    if spot.is_in_compound or (spot.at(spot.last + 1)[:1] in ("'", "\u2019") and len(spot.at(spot.last + 1)) > 3):
        return "part of a compound"  # "the garment'fronts" of a careless writer
    if spot.is_verb and spot.at(spot.last + 1) == "to":
        return "a cause of what follows"  # "stops to eat" is not "stops eating"
    if spot.is_verb and (spot.tag_at(spot.last + 1) == "RP" or spot.at(spot.last + 1) in WORDS["particles"]):
        return "part of a phrasal verb"
    if spot.old.lower() in ("up", "down") and not WORDS["along"].isdisjoint(spot.low[spot.last + 1 : spot.last + 5]):
        return "part of a fixed phrase"  # "down the street" says along it, which may lead up
    index = wordnet().data.index
    before, following = spot.at(spot.first - 1), spot.at(spot.last + 1)
    if spot.tag_at(spot.last + 1) in NOUNS:
        after = {following, *(wordnet().morphy(following, "n"))}
        old = any(f"{spot.old.lower()}{joint}{each}" in index for each in after for joint in "_-")
        new = any(f"{spot.new}_{each}" in index for each in after)
        if old and not new and spot.head not in PEOPLE:
            return "part of a fixed phrase"
    if " of " in spot.new and spot.tag_at(spot.first - 1) in NOUNS:
        return "part of a compound"
    if spot.old.lower() in ("table", "tables") and spot.at(spot.first - 2) == "in":
        return "part of a fixed phrase"  # "third in the table" is no furniture
    if (before, spot.old.lower()) in (("close", "together"), ("all", "together"), ("upside", "down")):
        return "part of a fixed phrase"
    names = [f"{before}_{each}" for each in (spot.old.lower(), *wordnet().morphy(spot.old.lower(), "n"))]
    if spot.tag_at(spot.first - 1) in BEFORE_NOUN and any(name in index for name in names):
        return "" if f"{before}_{spot.new}" in index else "part of a fixed phrase"
    return ""


def _doubt_of_scope(spot: ChangedWord, relation: Relation) -> str:
    if _is_negated(spot):
        return "negated"
    near = {*spot.low[max(0, spot.first - 4) : spot.first], *spot.low[spot.last + 1 : spot.last + 5]}
    if spot.before(WORDS["conditions"]) or "or" in near or (spot.low[0] == "when" and spot.first):
        return "a condition or a choice"
    if reason := _doubt_of_truth(spot):
        return reason
    if spot.category == "cardinals" and (reason := _doubt_of_number(spot)):
        return reason
    if not _share_words(spot).isdisjoint(
        WORDS["shares"] if relation == "exclusive" else WORDS["shares"] - {"some", "several"}
    ):
        return "may hold for some or for all"
    if spot.is_generic:
        return "a general statement about a kind"
    if spot.tag_at(spot.first)[:2] in ("JJ", "RB") and spot.category.startswith("antonyms"):
        if spot.at(spot.first - 1) in WORDS["compares"] or "than" in spot.low[spot.last + 1 : spot.last + 4]:
            return "a comparison or a degree"
        if spot.tag_at(spot.first - 1) in ("CD", "NNS"):
            return "a measure"
    return ""


def _doubt_of_truth(spot: ChangedWord) -> str:
    """The reason why the sentence may not be true, or not of this thing."""
    if (
        spot.before(WORDS["possible"])
        or not WORDS["hedges"].isdisjoint(spot.low)
        or spot.says(WORDS.ordered("hedging"))
        or spot.after_verb(WORDS["thoughts"])
    ):
        return "only possible"
    if spot.before(WORDS["habits"]) or spot.after_verb(WORDS["tastes"]):
        return "may hold for only some things or times"
    lists = spot.says(LISTS, until=spot.first) or spot.says(LISTS, since=spot.last + 1, until=spot.last + 4)
    return "one of several examples" if spot.at(spot.first - 1) in WORDS["examples"] or lists else ""


def _is_negated(spot: ChangedWord) -> bool:
    """True if the word is negated."""
    if spot.before(WORDS["negations"]) or not WORDS["denials"].isdisjoint(spot.verbs_before):
        return True
    if not NEGATING.isdisjoint(pairwise(spot.low[: spot.first])):
        return True
    doing = (j for j in range(spot.first) if spot.tag_at(j + 1) == "VBG")
    return any(not WORDS["ending"].isdisjoint(wordnet().morphy(spot.low[j], "v")) for j in doing)


def _doubt_of_number(spot: ChangedWord) -> str:
    """The reason why two different numbers may both be true: "at least three", "three of the five"."""
    if spot.at(spot.last + 2) in ("a", "per", "each", "every"):
        return "a rate, such as days a week"  # "five days a week"
    if spot.says(WORDS.ordered("late_bounds"), since=spot.last + 1):
        return "a bound, not a number"
    if spot.at(spot.first - 1) in WORDS["bounds"] or (spot.at(spot.first - 2), spot.at(spot.first - 1)) in AS_BOUNDS:
        return "a bound, not a number"
    if spot.at(spot.last + 1) == "of" or (spot.at(spot.first - 2), spot.at(spot.first - 1)) == ("of", "the"):
        return "some of a number"
    return ""


def _share_words(spot: ChangedWord) -> set[str]:
    """Words of the subject before the changed word, and of its own phrase, without the "all" of "in all black"."""
    phrase = set(spot.phrase) - {"some", "several"}
    words = {*spot.subject[: spot.first], *phrase}
    return words - {"all"} if ("in", "all") in pairwise(spot.low) else words


def _doubt_of_elsewhere(spot: ChangedWord) -> str:
    words = {spot.old.lower(), spot.new, SPELT.get(spot.new, "")}
    text = f" {' '.join(spot.others)} "
    forms = {lemma for word in words for lemma in wordnet().morphy(word, "n")}
    others = {lemma for word in spot.others for lemma in wordnet().morphy(word, "n")}
    if any(f" {word} " in text for word in words if word) or not forms.isdisjoint(others):
        return "the old or the new word is elsewhere in the sentence"
    return ""
