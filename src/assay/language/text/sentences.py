"""Splitting a text into sentences, each with its place in the text."""

import re
from typing import NamedTuple

from assay.language.resources.data import word_list

_BREAK = re.compile(
    r"""
      (?P<gap>\n[^\S\n]*\n\s*)                                     # an empty line
    | (?<![.!?\u2026])
      (?P<mark>[.!?\u2026]++(?:\s+[.!?\u2026]++)*)                 # ". . ." when tokens are spaced
      (?P<close>[\"'\u2019\u201d)\]]*(?:\s+(?:''|[\u201d)\]]))*)   # what closes with it
      (?=\s|$)
    """,
    re.VERBOSE,
)
ROOM = 64
"""The number of characters searched for the word before a mark: a long text must not take quadratic time."""
_WORD_BEFORE = re.compile(r"([^\s\"'\u2018\u201c(\[]+?)\s*$")
_NEXT = re.compile(r"[\"'`\u2018\u201c(\[\s]*([^\W_]+)")
_GOES_ON = re.compile(r"\s*[,;:)\]%]")
_SPACED_QUOTE = re.compile(r"\s+\"(?=\s|$)")
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")


class SentenceSpan(NamedTuple):
    """The position of a sentence."""

    start: int
    end: int


def find_sentences(text: str) -> list[SentenceSpan]:
    """The sentences of a text in order; between them, before and after there is only white space.

    >>> text = 'Dr. J. Hill paid $3.50 in the U.S. He said "Why?" and left. It rained .'
    >>> [text[start:end] for start, end in find_sentences(text)]
    ['Dr. J. Hill paid $3.50 in the U.S.', 'He said "Why?" and left.', 'It rained .']
    """
    spans: list[SentenceSpan] = []
    start = 0
    for match in _BREAK.finditer(text):
        if match["gap"]:
            spans.append(SentenceSpan(start, match.start()))
            start = match.end()
        elif match.start() >= start:
            end = _with_quote(text, start, match.end())
            if _ends_here(text, start, match.start(), end):
                spans.append(SentenceSpan(start, end))
                start = end
    spans.append(SentenceSpan(start, len(text)))
    return [span for each in spans if (span := _trim_span(text, each)).start < span.end]


def _with_quote(text: str, start: int, end: int) -> int:
    """The end of a sentence with a spaced quotation mark that closes: it does if one is open in the sentence."""
    quote = _SPACED_QUOTE.match(text, end)
    return quote.end() if quote and text.count('"', start, end) % 2 else end


def _ends_here(text: str, start: int, mark: int, end: int) -> bool:
    following = _NEXT.match(text, end)
    if following is None:
        return not _GOES_ON.match(text, end)
    word = following[1]
    if word[0].islower():
        return False
    before = _WORD_BEFORE.search(text, max(start, mark - ROOM), mark)
    if before is None or text[mark:end] != ".":
        return before is not None
    last = before[1]
    if last.isdigit() and not text[start : before.start()].strip():
        return False  # the number of an item: "1. Mix"
    return _may_end(last, word)


def _may_end(last: str, word: str) -> bool:
    """True if a full stop after one word ends a sentence when the other follows with a capital or a digit."""
    folded = last.lower()
    if folded in word_list("abbreviations"):
        return False
    if folded == "no":
        return not word[0].isdigit()
    is_initial = len(last) == 1 and last.isupper() and last != "I"
    if is_initial or _DOTTED.fullmatch(last) or folded in word_list("abbreviations_at_ends"):
        return word in word_list("sentence_starters")
    return True


def _trim_span(text: str, span: SentenceSpan) -> SentenceSpan:
    inside = text[span.start : span.end]
    left = len(inside) - len(inside.lstrip())
    return SentenceSpan(span.start + left, span.start + max(left, len(inside.rstrip())))
