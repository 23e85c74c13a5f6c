"""Which sense a word has in a sentence: the most frequent one, or the one whose gloss shares most words with it (Lesk)."""

from collections.abc import Set
from functools import lru_cache
from typing import Literal, NamedTuple

from assay.language.resources import wordnet
from assay.language.wordnet import Synset

Tie = Literal["greatest-name", "first-sense"]
"""What decides between senses whose glosses share equally many words: the name that comes last in the alphabet, as in
the NLTK of 2018, or the order of frequency, as in textbooks and in the NLTK of today."""


class _Glossed(NamedTuple):
    synset: Synset
    words: frozenset[str]


def frequent(form: str, pos: str | None = None) -> Synset | None:
    """The most frequent sense of a form, None if WordNet has none.

    `frequent("dogs").name` is `dog.n.01`.
    """
    senses = wordnet().synsets(form, pos)
    return senses[0] if senses else None


def lesk(context: Set[str], form: str, pos: str | None = None, *, tie: Tie = "first-sense") -> Synset | None:
    """The sense whose gloss shares most words with the context (Lesk 1986), None if WordNet has none.

    Glosses are split at blanks only, so that a comma stays with its word, as in NLTK. The form itself counts where it
    stands in the context. `lesk({"cold", "winter", "day"}, "cold")` compares every sense of "cold".
    """
    best: Synset | None = None
    most = -1
    for synset, words in _glossed(form, pos):
        shared = len(words & context)
        if shared > most or (
            shared == most and tie == "greatest-name" and best is not None and synset.name > best.name
        ):
            best, most = synset, shared
    return best


@lru_cache(maxsize=1 << 15)
def _glossed(form: str, pos: str | None) -> tuple[_Glossed, ...]:
    return tuple(_Glossed(synset, frozenset(synset.definition.split())) for synset in wordnet().synsets(form, pos))
