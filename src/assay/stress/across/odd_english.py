"""Words that nobody would write in place of others in a claim: the label holds, but the English is odd."""

from collections.abc import Sequence

from assay.core.edit import Replacement, Skip
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse

WORDS = load_words(__file__)

DOUBLE = Skip("odd English: the new word is negated by its prefix, and stands behind a negation or a degree")
AGREEMENT = Skip("odd English: a pronoun of the claim refers to the old word")
PHRASE = Skip("odd English: the old word is part of a phrase")
REPEATED = Skip("odd English: the new word repeats its neighbour")
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non")
OPEN = (" of", " to", " from", " by")
NEAR = 3
"""How many words before a new word may be a degree, or negate it."""


def doubt_of_english(claim: str, changes: Sequence[Replacement]) -> Skip | None:
    """The reason why the changed words may sound odd in a claim; None if there is none.

    >>> doubt_of_english("It is not likely.", [Replacement(10, "likely", "unlikely")]).reason
    'odd English: the new word is negated by its prefix, and stands behind a negation or a degree'
    """
    tokens = analyse(claim)
    for change in changes:
        before = [token for token in tokens if token.end <= change.start]
        after = [token for token in tokens if token.start >= change.start + len(change.old)]
        if doubt := _doubt_of_change(change.old.lower(), change.new.lower(), before, after):
            return doubt
    return None


def _doubt_of_change(old: str, new: str, before: Sequence[Tagged], after: Sequence[Tagged]) -> Skip | None:
    left, right = [token.text.lower() for token in before], [token.text.lower() for token in after]
    if new in (*left[-1:], *right[:1]):
        return REPEATED
    if _is_negated(new):
        if not WORDS["negations"].isdisjoint(left[-NEAR:]) or not WORDS["degrees"].isdisjoint(left[-1:]):
            return DOUBLE
        if new in WORDS["rare"]:
            return PHRASE
    if new.endswith(OPEN) and not (after and after[0].tag.startswith(("DT", "NN", "PRP", "CD", "JJ", "PDT"))):
        return PHRASE
    for gender, other in (("male", "female"), ("female", "male")):
        changes = not WORDS[gender].isdisjoint(old.split()) and WORDS[gender].isdisjoint(new.split())
        pronouns = WORDS[f"{gender}_pronouns"]
        if changes and not WORDS[other].isdisjoint(new.split()) and not pronouns.isdisjoint([*left, *right]):
            return AGREEMENT
    phrase = f" {' '.join([*left[-2:], old, *right[:2]])} "
    fixed = any(f" {known} " in phrase for known in WORDS["phrases"] if f" {old} " in f" {known} ")
    ends = not right or right[0] in (".", ",", ";", "and", "or")
    attributive = new in WORDS["before_nouns"] and not (after and after[0].tag.startswith(("NN", "JJ")))
    return PHRASE if fixed or attributive or (new in WORDS["at_ends"] and not ends) else None


def _is_negated(word: str) -> bool:
    """True of an adjective that a prefix makes of another one: "unsure"."""
    stems = [word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix)]
    return any(wordnet().morphy(stem, "a") for stem in stems)
