"""Which sense a word has: the most frequent one, or the one whose gloss shares most words with the sentence (Lesk)."""

from collections.abc import Set
from functools import lru_cache
from typing import Literal, NamedTuple

from assay.language.resources import wordnet
from assay.language.wordnet import Synset

Tie = Literal["greatest-name", "first-sense"]
"""What decides between senses whose glosses share equally many words: the name that comes last in the alphabet, as in
the NLTK of 2018, or the order of frequency, as in textbooks and in the NLTK of today."""


class _Glosses(NamedTuple):
    senses: tuple[tuple[Synset, frozenset[str]], ...]
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
    senses, all_words = _glosses(form, pos, tie)
    matching = all_words & context
    if not matching:
        return senses[0][0] if senses else None
    best: Synset | None = None
    most = -1
    for synset, words in senses:
        shared = len(words & matching)
        if shared > most:
            best, most = synset, shared
    return best


@lru_cache(maxsize=1 << 15)
def _glosses(form: str, pos: str | None, tie: Tie) -> _Glosses:
    """The senses with the words of their glosses, in the order in which they win ties, and all those words."""
    senses = wordnet().synsets(form, pos)
    if tie == "greatest-name":
        senses = tuple(sorted(senses, key=lambda synset: synset.name, reverse=True))
    glosses = tuple((synset, frozenset(synset.definition.split())) for synset in senses)
    return _Glosses(glosses, frozenset().union(*(words for _, words in glosses)))
