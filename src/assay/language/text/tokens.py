"""Tokens and words with their positions in a text, and a cache of what was found in texts."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
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
    """Caches the latest results of a function of a text (and perhaps further arguments).

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
    """The tokens in lower case, without their positions.

    >>> folded_tokens("The cat didn't.")
    ['the', 'cat', 'did', "n't", '.']
    """
    return _TOKEN.findall(text.lower())


_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def words(text: str) -> Iterator[Token]:
    """The words of a text, without punctuation.

    >>> [word.text for word in words("It isn't 3.5!")]
    ['It', "isn't", '3', '5']
    """
    for match in _WORD.finditer(text):
        yield Token(match.group(), match.start(), match.end())


def folded_words(text: str) -> list[str]:
    """The words in lower case, without their positions.

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
    """The end of a sentence, moved behind a spaced closing quotation mark if a quotation is open in the sentence."""
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
    """True if a full stop after `last` ends a sentence, given that `word` follows with a capital or a digit."""
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


_ARTICLES = {"an": "a"}
_ENDS = (".", "!")


class TextDifference(NamedTuple):
    """A place where two sentences differ."""

    before: tuple[str, ...]
    """Tokens of the first text, in lower case."""
    after: tuple[str, ...]
    following: str = ""
    """The token after the change in both texts, if it is the same at every occurrence of the change."""


def find_differences(before: str, after: str) -> list[TextDifference]:
    """The places where two texts differ, each change once.

    Ignored are capitals, "a" or "an", a full stop at the end, and what words have in common on either side of a hyphen.

    >>> find_differences("A man plays a guitar", "A man plays an electric guitar")
    [TextDifference(before=(), after=('electric',), following='guitar')]
    >>> find_differences("A red hat and a red coat.", "A blue hat and a blue coat.")
    [TextDifference(before=('red',), after=('blue',), following='')]
    >>> find_differences("the second-floor hall", "The third-floor hall")
    [TextDifference(before=('second',), after=('third',), following='hall')]
    """
    one, two = _fold_tokens(before), _fold_tokens(after)
    steps = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    differences: dict[TextDifference, set[str]] = {}
    for kind, i, j, k, m in steps:
        if kind != "equal":
            differences.setdefault(_without_shared_parts(one[i:j], two[k:m]), set()).add(one[j] if j < len(one) else "")
    return [
        change._replace(following=next(iter(after)) if len(after) == 1 else "") for change, after in differences.items()
    ]


def exchanged_words(before: str, after: str) -> str:
    """The words that differ between two texts, in an order that does not depend on which text comes first.

    >>> exchanged_words("A red hat.", "A blue hat."), exchanged_words("A blue coat.", "A red coat.")
    ('blue/red', 'blue/red')
    """
    differences = find_differences(before, after)
    sides = ([each.before for each in differences], [each.after for each in differences])
    return "/".join(sorted(" ".join(word for words in side for word in words) for side in sides)) if differences else ""


def _fold_tokens(text: str) -> list[str]:
    words = [_ARTICLES.get(token.text.lower(), token.text.lower()) for token in tokens(text)]
    while words and words[-1] in _ENDS:
        words.pop()
    return words


def _without_shared_parts(one: Sequence[str], two: Sequence[str]) -> TextDifference:
    if len(one) == len(two) == 1:
        first, second = one[0].split("-"), two[0].split("-")
        while len(first) > 1 < len(second) and first[-1] == second[-1]:
            first, second = first[:-1], second[:-1]
        while len(first) > 1 < len(second) and first[0] == second[0]:
            first, second = first[1:], second[1:]
        return TextDifference(("-".join(first),), ("-".join(second),))
    return TextDifference(tuple(one), tuple(two))


OTHER = "_"
"""The mark of a content word that only one of the texts has."""


def mask_content(premise: Iterable[str], hypothesis: Iterable[str]) -> str:
    """The tokens of both texts, in lower case; content words that both share are numbered, all others look the same.

    Pairs that were made from one pattern with other words have the same template.

    >>> mask_content("the actor near the doctors danced".split(), "the doctors danced".split())
    'the _ near the 1 2 | the 1 2'
    >>> mask_content("the judge near the bakers slept".split(), "the bakers slept".split())
    'the _ near the 1 2 | the 1 2'
    """
    premise, hypothesis = list(premise), list(hypothesis)
    kept, shared = word_list("function_words"), {*premise} & {*hypothesis}
    numbers: dict[str, str] = {}

    def mark(word: str) -> str:
        if word in kept:
            return word
        return numbers.setdefault(word, str(len(numbers) + 1)) if word in shared else OTHER

    return f"{' '.join(map(mark, premise))} | {' '.join(map(mark, hypothesis))}"
