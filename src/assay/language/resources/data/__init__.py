"""Word lists that ship with Assay, written for it from general knowledge."""

from functools import cache
from pathlib import Path


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list; words are separated by blanks or line breaks, and `#` starts a comment.

    >>> "from" in word_list("function_words")
    True
    """
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() for word in line.partition("#")[0].split())


@cache
def table(name: str) -> dict[str, tuple[str, ...]]:
    """A table: the first word of a line and the words that belong to it; lines with the same first word are one entry.

    >>> table("irregular_plurals")["child"]
    ('children',)
    """
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        first, *others = line.partition("#")[0].split() or [""]
        if first:
            found[first] = (*found.get(first, ()), *others)
    return found
