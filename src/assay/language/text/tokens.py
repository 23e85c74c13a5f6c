"""Tokens and words with their positions in a text, and a cache of what was found in texts."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, update_wrapper
from typing import Concatenate, Generic, NamedTuple, ParamSpec, TypeVar

from assay.language.resources.data import word_list

P = ParamSpec("P")
T = TypeVar("T")

LONG = 1_000
"""From this many characters on, a text is long; nearly all sentence pairs have fewer."""
MANY, FEW = 4096, 64
"""The numbers of short texts (premises repeat three times or more) and of long texts that are cached."""


class TextCache(Generic[P, T]):
    """A function of a text, and maybe more arguments, that caches its latest results.

    >>> split = TextCache(str.split)
    >>> split("It rains.") is split("It rains.")
    True
    """

    def __init__(self, function: Callable[Concatenate[str, P], T]) -> None:
        self._short = lru_cache(maxsize=MANY)(function)
        self._long = lru_cache(maxsize=FEW)(function)
        update_wrapper(self, function)

    def __call__(self, text: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result, computed now or cached."""
        return (self._short if len(text) < LONG else self._long)(text, *args, **kwargs)  # type: ignore[arg-type]

    def cache_clear(self) -> None:
        """Forget everything."""
        self._short.cache_clear()
        self._long.cache_clear()


_TOKEN = re.compile(
    r"""
      [A-Za-z]++(?=[\s,;:!?)\]"]|\Z)                       # most words; the rest of the pattern would find the same
    | (?:[A-Za-z]\.){2,}                                  # U.S., a.m.
    | \b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Rep|Sen|Gov|Lt|Col|Capt|Sgt|Rev|Hon|vs|No|Inc|Ltd|Co|Corp)\.
    | \d+(?:st|nd|rd|th)?(?:-[^\W\d_]+)+                  # 21st-century, 12-year-old
    | \d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?=\b|[A-Za-z%])   # 3, 1,250, 3.5, 7:30, 21st
    | (?<=\w)n['\u2019]t\b | \bn['\u2019]t\b              # the rest of don't
    | ['\u2019](?:s|re|ve|ll|d|m|S|RE|VE|LL|D|M)\b        # 's, 'll
    | [^\W\d_]+(?=n['\u2019]t\b)                          # the start of don't
    | [^\W_]+(?:-[^\W_]+)*                                # words, also with hyphens
    | \.{3,} | -{2,} | ``|''
    | [^\w\s] | _
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token and its position."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Split a text; raw text and text that is already tokenised give the same tokens.

    >>> [token.text for token in tokens("She didn't pay $1,250.50 in the U.S. (yet).")]
    ['She', 'did', "n't", 'pay', '$', '1,250.50', 'in', 'the', 'U.S.', '(', 'yet', ')', '.']
    >>> [token.text for token in tokens("It 's a half-open door , is n't it ?")]
    ['It', "'s", 'a', 'half-open', 'door', ',', 'is', "n't", 'it', '?']
    """
    return [Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def folded_tokens(text: str) -> list[str]:
    """The tokens in lower case, when only they matter.

    >>> folded_tokens("The cat didn't.")
    ['the', 'cat', 'did', "n't", '.']
    """
    return _TOKEN.findall(text.lower())


_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


class Word(NamedTuple):
    """A word and its position."""

    text: str
    start: int
    end: int


def words(text: str) -> Iterator[Word]:
    """The words of a text, without punctuation.

    >>> [word.text for word in words("It isn't 3.5!")]
    ['It', "isn't", '3', '5']
    """
    for match in _WORD.finditer(text):
        yield Word(match.group(), match.start(), match.end())


def folded_words(text: str) -> list[str]:
    """The words in lower case, when only they matter.

    >>> folded_words("The cat -- THE cat!")
    ['the', 'cat', 'the', 'cat']
    """
    return _WORD.findall(text.lower())


@lru_cache(maxsize=64)  # it is asked for each place of a text
def is_shouted(text: str) -> bool:
    """True if all letters of a text are capitals, and it has some.

    >>> is_shouted("STOP HERE, 24 H"), is_shouted("STOP here"), is_shouted("24")
    (True, False, False)
    """
    return text.isupper()


@lru_cache(maxsize=4096)  # a claim is compared with many sentences, and a sentence with many claims
def content_words(text: str) -> frozenset[str]:
    """The distinct words of a text in lower case, without function words; numbers count as words.

    >>> sorted(content_words("The mill on the Aare sold 40 sacks, and it did well."))
    ['40', 'aare', 'mill', 'sacks', 'sold', 'well']
    """
    return frozenset(folded_words(text)) - word_list("function_words")
