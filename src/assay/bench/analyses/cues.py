"""Cues in a case that could explain an error: the automatic side of the nine categories of Naik et al. (2018)."""

import re
from functools import lru_cache

from assay.core.label import Label
from assay.language.numbers.quantities import numbers
from assay.language.resources.loaded import wordnet
from assay.language.text.words import folded, words
from assay.language.words.vocabulary import is_word

CUES = ("word overlap", "negation", "antonymy", "numerical reasoning", "length mismatch", "grammaticality")
"""The categories that have a cue. Real-world knowledge and ambiguity have none: only people can tell."""

MUCH, LITTLE = 0.8, 0.2
"""Shares of the hypothesis's words in the premise that count as much and little overlap."""

LONGER = 20
"""How many words more than the hypothesis the premise must have."""

SHORTEST = 4
"""Shorter unknown words are mostly abbreviations, not typos."""

NEGATIONS = frozenset(
    ("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot")
)

_QUANTIFIER = re.compile(
    r"\b(?:(?:more|less|fewer) than|at (?:least|most)|all|every|most|half|twice|double|both|few|several|only|many)\b"
)


def cues(premise: str, hypothesis: str, gold: Label) -> dict[str, frozenset[Label]]:
    """The cues of a case, each with the wrong answers that it would explain; `CUES` has all their names.

    >>> found = cues("No cat sleeps.", "A cat sleeps.", Label.NEUTRAL)
    >>> {name: sorted(answers) for name, answers in found.items()}
    {'negation': [<Label.CONTRADICTION: 'contradiction'>]}
    """
    one, two = folded(premise), folded(hypothesis)
    wrong = frozenset((Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION, Label.NON_ENTAILMENT)) - {gold}
    found: dict[str, frozenset[Label]] = {}
    there = set(one)
    overlap = sum(word in there for word in two) / len(two) if two else 0.0
    if gold is not Label.ENTAILMENT and overlap >= MUCH:
        found["word overlap"] = frozenset((Label.ENTAILMENT,))
    elif gold is Label.ENTAILMENT and overlap <= LITTLE:
        found["word overlap"] = wrong
    if gold is not Label.CONTRADICTION and (_negated(one) or _negated(two)):
        found["negation"] = frozenset((Label.CONTRADICTION,))
    if gold is Label.CONTRADICTION and _opposed(there, set(two)):
        found["antonymy"] = wrong
    if numbers(hypothesis) or _QUANTIFIER.search(hypothesis.lower()):
        found["numerical reasoning"] = wrong
    if len(one) - len(two) >= LONGER:
        found["length mismatch"] = wrong
    if _misspelt(premise) or _misspelt(hypothesis):
        found["grammaticality"] = wrong
    return found


def _negated(text: list[str]) -> bool:
    return any(word in NEGATIONS or word.endswith(("n't", "n\u2019t")) for word in text)


def _opposed(premise: set[str], hypothesis: set[str]) -> bool:
    """Whether a word that only one text has is an antonym of one that only the other has."""
    only = hypothesis - premise
    return any(not only.isdisjoint(_antonyms(word)) for word in premise - hypothesis)


@lru_cache(maxsize=1 << 15)
def _antonyms(word: str) -> frozenset[str]:
    net = wordnet()
    return frozenset(
        antonym.word.lower()
        for synset in net.synsets(word)
        for antonym in net.antonyms(synset)
        if antonym.of.lower() == word or word.startswith(antonym.of.lower()[:SHORTEST])
    )


def _misspelt(text: str) -> bool:
    return any(
        len(word.text) >= SHORTEST and word.text.isalpha() and word.text.islower() and not is_word(word.text)
        for word in words(text)
    )
