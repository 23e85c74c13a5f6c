"""Differences of two sentences, and what is left of a pair without its content words."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from assay.language.resources.data import word_list
from assay.language.text.tokens import tokens

_ARTICLES = {"an": "a"}
_ENDS = (".", "!")


class TextDifference(NamedTuple):
    """A place where two sentences differ."""

    before: tuple[str, ...]
    """Tokens of the first, in lower case."""
    after: tuple[str, ...]
    following: str = ""
    """The token after both, if it is the same everywhere this change is made."""


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
    """The words in which two texts differ, in the same order whichever text comes first.

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
