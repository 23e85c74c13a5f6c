"""Tokens in the style of the Penn Treebank, each with its position in the text: nothing must be joined again."""

import re
from typing import NamedTuple

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
    """As written."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""


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
