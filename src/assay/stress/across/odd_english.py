"""Words that nobody would write in place of others in a claim: the label holds, but the English is odd."""

import re
from collections.abc import Sequence

from assay.core.edit import Replacement, Skip
from assay.language.numbers.quantities import Quantity, find_numbers
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import ENDS, Tagged, analyse

WORDS = load_words(__file__)

DOUBLE = Skip("odd English: the new word is negated by its prefix, and stands behind a negation or a degree")
AGREEMENT = Skip("odd English: a pronoun of the claim refers to the old word")
PHRASE = Skip("odd English: the old word is part of a phrase")
REPEATED = Skip("odd English: the new word repeats its neighbour")
NAME = Skip("odd English: the old word is part of a name")
NOUN = Skip("odd English: the new word does not fit the noun behind it")
COMPLEMENT = Skip("odd English: the new word does not fit the clause behind it")
DEFINITION = Skip("odd English: the number is part of a definition")
CENTS = Skip("odd English: a hundred cents and more are written in dollars")
DIGITS = Skip("odd English: the new sentence begins with digits")
COURSE = Skip("odd English: something would rise to its lowest or fall to its highest")
SENSE = Skip("odd English: the old word has another sense than the new one more often than not")
ALREADY = Skip("odd English: the claim is wrong English before the edit")
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non")
OPEN = (" of", " to", " from", " by")
NEAR = 3
"""The number of words before a new word among which a degree or a negation matters."""
COURSE_LENGTH = 6
"""The number of words before "highest" among which a verb such as "fell" matters."""
PERSONS = 18
"""The number of WordNet's file of persons."""
_DEFINING = re.compile(
    r"\b(?:is|are)\s(?:\w+\s){0,3}?(?:called|known\sas|termed|named|defined\sas|referred\sto\sas)\b"
    r"|\bis\sthe\s(?:distance|difference|angle|space|interval)\sbetween\b"
    r"|^(?:an?\s\w+(?:\s\w+)?\sis\san?|\w+s\sare)\s(?:\w+\s){1,3}(?:that|which|whose|with|composed|consisting)\b",
    re.IGNORECASE,
)
"""Words of a definition: "is known as", "A triangle is a shape that"."""
_MANY_CENTS = re.compile(r"(?:\bhundred\b.*|[0-9]{3,})\s*(?:cents?\b)?$")
_WRONG_NUMBER = re.compile(r"\ban?\s(?:women|men|children)\b(?!['\u2019])", re.IGNORECASE)


def doubt_of_english(claim: str, changes: Sequence[Replacement]) -> Skip | None:
    """The reason why the changed words may sound odd in a claim; None if there is none.

    >>> doubt_of_english("It is not likely.", [Replacement(10, "likely", "unlikely")]).reason
    'odd English: the new word is negated by its prefix, and stands behind a negation or a degree'
    """
    if _WRONG_NUMBER.search(claim):
        return ALREADY
    tokens = analyse(claim)
    exchanged = not {change.old for change in changes}.isdisjoint(change.new for change in changes)
    for change in changes:
        if doubt := _doubt_of_number(claim, change):
            return doubt
        before = [token for token in tokens if token.end <= change.start]
        after = [token for token in tokens if token.start >= change.start + len(change.old)]
        changed = tokens[len(before) : len(tokens) - len(after)]
        doubt = _doubt_of_change(change.old.lower(), change.new.lower(), before, after)
        if doubt is None and not exchanged:  # what changes places with another name fits its neighbours
            doubt = _doubt_of_neighbours(changed, change.new.lower(), before, after)
        if doubt:
            return doubt
    return None


def _doubt_of_number(claim: str, change: Replacement) -> Skip | None:
    """The reason why nobody would write another number here."""
    if not any(isinstance(number, Quantity) for number in find_numbers(change.old)):
        return None
    start = max((claim.rfind(end, 0, change.start) + 1 for end in (". ", "; ")), default=0)
    if _DEFINING.search(re.split(r"[.;]\s", claim[start:].lstrip())[0]):
        return DEFINITION
    cents = re.match(r"\s*cents?\b", claim[change.start + len(change.old) :]) or change.new.rstrip().endswith("cents")
    return CENTS if cents and _MANY_CENTS.search(change.new) else None


def _doubt_of_neighbours(
    changed: Sequence[Tagged], new: str, before: Sequence[Tagged], after: Sequence[Tagged]
) -> Skip | None:
    """The reason why a new word does not fit the name, the compound, the noun or the clause around it."""
    if not changed or changed[0].text.lower() in ("a", "an"):
        return None
    following = after[0] if after else None
    if _is_in_name(changed, before, following):
        return NAME
    sides = [(before[-1:], changed[:1]), (changed[-1:], after[:1])]
    if any(_is_compound(*left, *right) for left, right in sides if left and right):
        return PHRASE
    adjective, noun = changed[0].tag.startswith("JJ"), following is not None and following.tag.startswith("NN")
    if adjective and noun and following is not None:
        if new in WORDS["predicative"] or (_is_person(following) and new in WORDS["not_of_persons"]):
            return NOUN
        if before and before[-1].text.lower() in WORDS["classifying"]:
            return NOUN
    if new == "well" and before and (before[-1].tag == "RB" or before[-1].text.lower() in WORDS["degrees"]):
        return NOUN
    words = [token.text.lower() for token in after[:2]]
    if words[:1] == ["whether"] or (words[:1] == ["if"] and new in WORDS["closed"]):
        return COMPLEMENT
    personal = adjective and not _has_subject_it(before)
    likely = changed[0].text.lower() == "likely" and not _has_subject_it(before)
    if likely and following is not None and following.tag == "DT" and words[0] != "that":
        return COMPLEMENT
    if personal and len(changed) == 1 and words[:1] == ["that"] and new not in WORDS["before_that"]:
        return COMPLEMENT
    infinitive = words[:1] == ["to"] and len(words) > 1 and after[1].tag.startswith("VB")
    if personal and infinitive and new not in WORDS["before_infinitives"]:
        return COMPLEMENT
    objects = following is not None and following.tag.startswith(("NN", "PRP", "DT", "JJ", "WP"))
    return COMPLEMENT if new in WORDS["intransitive"] and objects else None


def _is_in_name(changed: Sequence[Tagged], before: Sequence[Tagged], following: Tagged | None) -> bool:
    """True of a capitalised word with a capitalised neighbour: "Indian Ocean", "Cowboys and Indians"."""
    if not changed[0].text[:1].isupper() or not changed[0].tag.startswith(("NN", "JJ")):
        return False
    if following is not None and following.text[:1].isupper() and following.tag.startswith("NNP"):
        return True
    linked = bool(before) and before[-1].text in ("and", "of", "&", "the")
    left = before[:-1] if linked else before
    inside = len(left) > 1 and left[-2].text not in ENDS
    neighbour = left[-1] if left and (inside or linked) else None
    listed = linked and before[-1].text == "and" and changed[-1].tag != "NNPS"
    return neighbour is not None and neighbour.text[:1].isupper() and neighbour.tag.startswith("NN") and not listed


def _is_compound(left: Tagged, right: Tagged) -> bool:
    """True of two words that dictionaries have as one noun, unless an adjective describes a person: "young woman"."""
    if not left.tag.startswith(("NN", "JJ")) or not right.tag.startswith(("NN", "JJ")):
        return False
    if left.tag != "NN" and (right.text.lower() in WORDS["free"] or _is_person(right)):
        return False
    return bool(wordnet().morphy(f"{left.text}_{right.text}".lower(), "n"))


def _is_person(noun: Tagged) -> bool:
    """True if the first sense of a noun is a person."""
    senses = wordnet().synsets(noun.text, "n")
    return bool(senses) and senses[0].file == PERSONS


def _has_subject_it(before: Sequence[Tagged]) -> bool:
    """True if a clause begins with "it": "it is unwise to go"."""
    return any(token.text.lower() in ("it", "'s", "\u2019s") for token in before[-4:])


def _doubt_of_change(old: str, new: str, before: Sequence[Tagged], after: Sequence[Tagged]) -> Skip | None:
    left, right = [token.text.lower() for token in before], [token.text.lower() for token in after]
    if new[:1].isdigit() and old[:1].isalpha() and (not before or before[-1].text in ENDS):
        return DIGITS
    if old in WORDS["ambiguous"]:
        return SENSE
    course = {*left[-COURSE_LENGTH:]}
    if (new in WORDS["tops"] and course & WORDS["falls"]) or (new in WORDS["bottoms"] and course & WORDS["rises"]):
        return COURSE
    if new in (*left[-1:], *right[:1]) or _is_coordinated(new, left[::-1]) or _is_coordinated(new, right):
        return REPEATED
    graded = not WORDS["negations"].isdisjoint(left[-NEAR:]) or not WORDS["degrees"].isdisjoint(left[-1:])
    if graded and is_negated(new):
        return DOUBLE
    if new in WORDS["rare"]:
        return PHRASE
    if new.endswith(OPEN) and not (after and after[0].tag.startswith(("DT", "NN", "PRP", "CD", "JJ", "PDT"))):
        return PHRASE
    for gender, other, own in (("male", "female", "male_pronouns"), ("female", "male", "female_pronouns")):
        changes = not WORDS[gender].isdisjoint(old.split()) and WORDS[gender].isdisjoint(new.split())
        if changes and not WORDS[other].isdisjoint(new.split()) and not WORDS[own].isdisjoint([*left, *right]):
            return AGREEMENT
    phrase = f" {' '.join([*left[-2:], old, *right[:2]])} "
    fixed = any(f" {known} " in phrase for known in WORDS["phrases"] if f" {old} " in f" {known} ")
    ends = not right or right[0] in (".", ",", ";", "and", "or")
    attributive = new in WORDS["before_nouns"] and not (after and after[0].tag.startswith(("NN", "JJ")))
    return PHRASE if fixed or attributive or (new in WORDS["at_ends"] and not ends) else None


def _is_coordinated(new: str, words: Sequence[str]) -> bool:
    """True if the next words are "and" and another form of the new word: "the woman and women"."""
    if len(words) < 2 or words[0] not in ("and", "or"):
        return False
    return not {*wordnet().morphy(new, "n")}.isdisjoint(wordnet().morphy(words[1], "n"))


def is_negated(word: str) -> bool:
    """True of an adjective that a prefix makes of another one: "unsure"."""
    stems = [word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix)]
    return any(wordnet().morphy(stem, "a") for stem in stems)
