"""A text's tokens with their tags: what every builder and checker looks at first."""

from functools import lru_cache
from typing import NamedTuple

from assay.language.resources.loaded import tagger
from assay.language.text.tokens import Token, tokens

ENDS = {".", "!", "?", "...", ";"}
"""Tokens after which a new clause begins for the tagger and for every question of scope."""


class Tagged(NamedTuple):
    """A token with its part of speech and the sentence that it stands in."""

    text: str
    """As written."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    tag: str
    """Penn Treebank tag."""
    sentence: int
    """Number of its sentence, from 0."""


@lru_cache(maxsize=4096)  # premises come in threes and more
def analyse(text: str) -> tuple[Tagged, ...]:
    """Tokens with tags, sentence by sentence.

    `[(t.text, t.tag) for t in analyse("It rains.")]` gives `[("It", "PRP"), ("rains", "VBZ"), (".", ".")]`.
    """
    found: list[Tagged] = []
    sentence: list[Token] = []
    number = 0
    for token in tokens(text):
        sentence.append(token)
        if token.text in ENDS:
            found += _tagged(sentence, number)
            sentence = []
            number += 1
    return tuple(found + _tagged(sentence, number))


def _tagged(sentence: list[Token], number: int) -> list[Tagged]:
    tags = _tags(tuple([token.text for token in sentence]))
    return [Tagged(*token, tag, number) for token, tag in zip(sentence, tags, strict=True)]


@lru_cache(maxsize=4096)  # a change in one sentence of a long text leaves the others as they are
def _tags(words: tuple[str, ...]) -> list[str]:
    return tagger().tag(words)
