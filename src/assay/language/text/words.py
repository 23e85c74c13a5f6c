"""Words with their places in the text."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


class Word(NamedTuple):
    """A word and its position."""

    text: str
    """As written."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""


def words(text: str) -> Iterator[Word]:
    """The words of a text, without punctuation.

    >>> [word.text for word in words("It isn't 3.5!")]
    ['It', "isn't", '3', '5']
    """
    for match in _WORD.finditer(text):
        yield Word(match.group(), match.start(), match.end())


def folded(text: str) -> list[str]:
    """The words in lower case, when only they matter.

    >>> folded("The cat -- THE cat!")
    ['the', 'cat', 'the', 'cat']
    """
    return _WORD.findall(text.lower())


@lru_cache(maxsize=64)  # it is asked for each place of a text
def is_shouted(text: str) -> bool:
    """Whether all letters of a text are capitals, and it has some.

    >>> is_shouted("STOP HERE, 24 H"), is_shouted("STOP here"), is_shouted("24")
    (True, False, False)
    """
    return text.isupper()
