"""A text's tokens with their tags: what every builder and check looks at first."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from assay.language.resources.installed import tagger
from assay.language.text.tokens import TextCache, Token, tokens

ENDS = {".", "!", "?", "...", ";"}
"""Tokens after which a new clause begins, for the tagger and for scope."""


class Tagged(NamedTuple):
    """A token with its part of speech and its sentence."""

    text: str
    start: int
    end: int
    tag: str
    sentence: int
    """Number of its sentence, from 0."""


@TextCache
def analyse(text: str) -> tuple[Tagged, ...]:
    """Tokens with tags, sentence by sentence.

    `[(t.text, t.tag) for t in analyse("It rains.")]` gives `[("It", "PRP"), ("rains", "VBZ"), (".", ".")]`.
    """
    tagged: list[Tagged] = []
    sentence: list[Token] = []
    number = 0
    for token in tokens(text):
        sentence.append(token)
        if token.text in ENDS:
            tagged += _tag_sentence(sentence, number)
            sentence = []
            number += 1
    return tuple(tagged + _tag_sentence(sentence, number))


def _tag_sentence(sentence: list[Token], number: int) -> list[Tagged]:
    tags = _tag_words(tuple([token.text for token in sentence]))
    return [Tagged(*token, tag, number) for token, tag in zip(sentence, tags, strict=True)]


@lru_cache(maxsize=4096)  # a change in one sentence of a long text leaves the others as they are
def _tag_words(words: tuple[str, ...]) -> list[str]:
    return tagger().tag(words)


def token_at(found: Sequence[Tagged], start: int) -> int:
    """The number of the token that begins at an offset; -1 if none does.

    >>> found = [Tagged("It", 0, 2, "PRP", 0), Tagged("rains", 3, 8, "VBZ", 0)]
    >>> token_at(found, 3), token_at(found, 4)
    (1, -1)
    """
    i = bisect_left(found, start, key=attrgetter("start"))
    return i if i < len(found) and found[i].start == start else -1


def sentence_around(found: Sequence[Tagged], i: int) -> range:
    """The numbers of the tokens in the sentence of a token.

    >>> found = [Tagged("Yes", 0, 3, "UH", 0), Tagged(".", 3, 4, ".", 0), Tagged("So", 5, 7, "RB", 1)]
    >>> sentence_around(found, 1), sentence_around(found, 2)
    (range(0, 2), range(2, 3))
    """
    number, of_token = found[i].sentence, attrgetter("sentence")
    return range(bisect_left(found, number, key=of_token), bisect_right(found, number, key=of_token))


@lru_cache(maxsize=64)  # it is asked for each changed word of a text
def lower_words(text: str) -> frozenset[str]:
    """The tokens of a text in lower case, unordered."""
    return frozenset(token.text.lower() for token in analyse(text))
