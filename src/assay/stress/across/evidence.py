"""Doubts about evidence: if it mentions several things, it may support both a claim and the edited claim."""

from collections.abc import Sequence
from functools import lru_cache

from assay.core.edit import Replacement, Skip
from assay.language.numbers.quantities import OtherNumber, Quantity, find_numbers
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import HYPERNYM, INSTANCE_HYPERNYM, Synset
from assay.language.text.analysis import analyse
from assay.language.text.tokens import content_words

WORDS = load_words(__file__)

NEW_WORD = Skip("not verified: the evidence may also mention what the changed claim says")
SEVERAL = Skip("not verified: the evidence mentions several things, and one of them may fit the changed claim")
NEGATED = Skip("not verified: the claim is negated, so that a narrower one may be about something else")
OTHER_NUMBER = Skip("not verified: the evidence does not have the number that was changed")

NEGATIONS = {"not", "n't", "no", "never", "nobody", "none"}
GROUPS = WORDS["groups"]
OTHERS = WORDS["others"]
PERSON = "person.n.01"
SENSES = 2
"""Senses of a word that count; rarer ones would find doubt everywhere."""


def doubt_of_evidence(evidence: str, claim: str, changes: Sequence[Replacement], relation: str) -> Skip | None:
    """The reason why evidence for a claim may not contradict the edited claim; None if there is none.

    If the evidence mentions several things, one of them makes the claim true. Another may make the edited claim true.
    """
    if relation == "stronger":
        return None if NEGATIONS.isdisjoint(token.text.lower() for token in analyse(claim)) else NEGATED
    if (old := _changed_numbers(claim, changes)) and not old <= _numbers_in(evidence):
        return OTHER_NUMBER
    if relation != "excludes":
        return None
    new = {word for change in changes for word in content_words(change.new)} - {
        word for change in changes for word in content_words(change.old)
    }
    tokens = analyse(evidence)
    said = {lemma for token in tokens for lemma in _lemmas(token.text.lower())}
    if OTHERS & said or any(not said.isdisjoint(_lemmas(word)) for word in new):
        return NEW_WORD
    senses = {sense for word in new for sense in _noun_senses(word)}
    kinds = {kind for word in new for kind in _kinds_of(word)}
    for token in tokens:
        word = token.text.lower()
        if token.tag.startswith("NN") and (senses & _kinds_of(word) or new & _defining_words(word)):
            return NEW_WORD
        if (PERSON in kinds and word in GROUPS) or (token.tag == "NNS" and kinds & _noun_senses(word)):
            return SEVERAL
    return None


def _changed_numbers(claim: str, changes: Sequence[Replacement]) -> set[str]:
    """The numbers of a claim that the edit changes."""
    spans = [range(change.start, change.start + len(change.old)) for change in changes]
    return {
        _spell_value(number)
        for number in find_numbers(claim)
        if any(number.start < span.stop and span.start < number.end for span in spans)
    }


def _numbers_in(text: str) -> set[str]:
    return {_spell_value(number) for number in find_numbers(text)}


def _spell_value(number: Quantity | OtherNumber) -> str:
    """The value of a quantity, or the text of any other number."""
    return f"{number.value.normalize():f}" if isinstance(number, Quantity) else number.text.lower()


@lru_cache(maxsize=4096)
def _lemmas(word: str) -> frozenset[str]:
    return frozenset((word, *(lemma for pos in "nvar" for lemma in wordnet().morphy(word, pos))))


@lru_cache(maxsize=4096)
def _noun_senses(word: str) -> frozenset[str]:
    return frozenset(sense.name for sense in wordnet().synsets(word, "n")[:SENSES])


@lru_cache(maxsize=4096)
def _defining_words(word: str) -> frozenset[str]:
    """The words of the gloss of a noun's first sense: a bride is "a woman", though WordNet has only "newlywed" above.

    Brackets often say what the noun is not: a man is male "(as opposed to a woman)".
    """
    senses = wordnet().synsets(word, "n")
    return content_words(senses[0].definition.partition("(")[0]) if senses else frozenset()


@lru_cache(maxsize=4096)
def _kinds_of(word: str) -> frozenset[str]:
    """The names of a noun's senses and of all their hypernyms."""
    lookup = wordnet()
    found: set[str] = set()
    left: list[Synset] = [*lookup.synsets(word, "n")[:SENSES]]
    while left:
        sense = left.pop()
        if sense.name not in found:
            found.add(sense.name)
            left += (*lookup.related(sense, HYPERNYM), *lookup.related(sense, INSTANCE_HYPERNYM))
    return frozenset(found)
