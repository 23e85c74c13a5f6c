"""Which sense a word has: the most frequent one, or the one whose gloss shares most words with the sentence (Lesk)."""

from collections.abc import Set
from functools import lru_cache
from typing import Literal, NamedTuple

from assay.language.resources.loaded import wordnet
from assay.language.resources.wordnet import Synset

Tie = Literal["greatest-name", "first-sense"]
"""What decides between senses whose glosses share equally many words: the name that comes last in the alphabet, as in
NLTK in 2018, or the order of frequency, as in textbooks and in NLTK today."""


def frequent(form: str, pos: str | None = None) -> Synset | None:
    """The most frequent sense of a form, None if WordNet has none.

    `frequent("dogs").name` is `dog.n.01`.
    """
    senses = wordnet().synsets(form, pos)
    return senses[0] if senses else None


def lesk(context: Set[str], form: str, pos: str | None = None, *, tie: Tie = "first-sense") -> Synset | None:
    """The sense whose gloss shares most words with the context (Lesk 1986), None if WordNet has none.

    Glosses are split at blanks only, so that a comma stays with its word, as in NLTK. The form itself counts if it
    is in the context. `lesk({"cold", "winter", "day"}, "cold")` compares every sense of "cold".
    """
    senses, votes = _ballot(form, pos, tie)
    if not senses:
        return None
    counts = sum(filter(None, map(votes.get, context))).to_bytes(len(senses), "little")
    return senses[counts.index(max(counts))]


class _Ballot(NamedTuple):
    senses: tuple[Synset, ...]
    """Senses in the order in which they win ties."""
    votes: dict[str, int]
    """For each word of a gloss, a number whose k-th byte is 1 if the k-th sense has the word: one sum counts for all
    senses. No gloss has 256 words."""


@lru_cache(maxsize=1 << 15)
def _ballot(form: str, pos: str | None, tie: Tie) -> _Ballot:
    senses = wordnet().synsets(form, pos)
    if tie == "greatest-name":
        senses = tuple(sorted(senses, key=lambda synset: synset.name, reverse=True))
    votes: dict[str, int] = {}
    for k, synset in enumerate(senses):
        for word in set(synset.definition.split()):
            votes[word] = votes.get(word, 0) + (1 << 8 * k)
    return _Ballot(senses, votes)
