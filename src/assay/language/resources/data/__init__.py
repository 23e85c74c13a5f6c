"""Word lists that ship with Assay, written for it from general knowledge."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


@cache
def word_list(name: str, module_file: str = __file__) -> frozenset[str]:
    """The words of a file `NAME.txt`, of this folder or of another module's.

    The words are separated by blanks or line breaks, and `#` starts a comment.

    >>> "from" in word_list("function_words")
    True
    """
    return frozenset(word for line in _lines(name, module_file) for word in line)


@cache
def word_pairs(name: str, module_file: str) -> frozenset[tuple[str, str]]:
    """The pairs in a list of words, in either order: each is written as `one/other`, with `_` for blanks."""
    pairs = [pair.replace("_", " ").split("/") for pair in word_list(name, module_file)]
    return frozenset(ordered for one, other in pairs for ordered in ((one, other), (other, one)))


class WordLists(dict[str, frozenset[str]]):
    """The word lists of one module, by name."""

    def __init__(self, lists: dict[str, tuple[str, ...]]) -> None:
        super().__init__({name: frozenset(words) for name, words in lists.items()})
        self.lists = lists
        self.ordered = lists.__getitem__
        """The words of a list in the order of the file."""


def load_words(module_file: str) -> WordLists:
    """The lists of a module, from its section of the file `words.txt` in the same folder.

    >>> from assay.language.words import proper_names
    >>> "professor" in load_words(proper_names.__file__)["titles"]
    True
    """
    entries = _read_section(Path(module_file), "words.txt").items()
    return WordLists({name: tuple(word.replace("_", " ") for word in text.split()) for name, text in entries})


def any_of(words: Iterable[str]) -> str:
    """A regular expression for any of the words, longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


def load_patterns(module_file: str, **parts: Iterable[str]) -> dict[str, re.Pattern[str]]:
    """The patterns of a module, from its section of `patterns.txt`.

    In a pattern, `{name}` is one further up, one of `parts`, or a list of the module's words. For a part that is no
    text but a number of words, any of them fits.

    >>> from assay.language.numbers import quantities
    >>> load_patterns(quantities.__file__, run="", letters="", scales="")["percent"].match(" per cent").end()
    9
    """
    words = {**load_words(module_file).lists, **parts}
    patterns: dict[str, str] = {}

    def part(reference: re.Match[str]) -> str:
        name = reference[1]
        known = patterns[name] if name in patterns else words[name]
        return known if isinstance(known, str) else any_of(known)

    for name, text in _read_section(Path(module_file), "patterns.txt").items():
        patterns[name] = re.sub(r"\{([a-z_]+)\}", part, text.replace("\n ", ""))
    return {name: re.compile(text) for name, text in patterns.items()}


def _read_section(module: Path, file: str) -> dict[str, str]:
    """The entries of a module's section in a file next to it; an indented line continues the entry above."""
    return _read_sections(module.with_name(file)).get(module.stem, {})


@cache
def _read_sections(file: Path) -> dict[str, dict[str, str]]:
    sections: dict[str, dict[str, str]] = {}
    entries: dict[str, str] = {}
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            entries = sections[line.strip("[]")] = {}
        elif line.startswith("  "):
            entries[name] += f"\n {line.strip()}"
        elif line and not line.startswith("#"):
            name, _, text = line.partition(": ")
            entries[name] = text
    return sections


def load_toml(module_file: str, name: str, kind: type[T]) -> T:
    """The table in `NAME.toml` in the folder of a module."""
    return msgspec.toml.decode((Path(module_file).parent / f"{name}.toml").read_bytes(), type=kind)


@cache
def table(name: str, module_file: str = __file__) -> dict[str, tuple[str, ...]]:
    """A table: the first word of a line and the words that belong to it; lines with the same first word are one entry.

    >>> table("irregular_plurals")["child"]
    ('children',)
    """
    entries: dict[str, tuple[str, ...]] = {}
    for first, *others in _lines(name, module_file):
        entries[first] = (*entries.get(first, ()), *others)
    return entries


def _lines(name: str, module_file: str) -> list[list[str]]:
    text = Path(module_file).with_name(f"{name}.txt").read_text(encoding="utf-8")
    return [words for line in text.splitlines() if (words := line.partition("#")[0].split())]
