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


class WordLists:
    """The word lists of one module."""

    def __init__(self, lists: dict[str, tuple[str, ...]]) -> None:
        self._lists = lists

    def __getitem__(self, name: str) -> frozenset[str]:
        return frozenset(self._lists[name])

    def ordered(self, name: str) -> tuple[str, ...]:
        """The words in the order of the file."""
        return self._lists[name]


def load_words(module_file: str) -> WordLists:
    """The lists of a module, from its section of the file `words.txt` in the same folder.

    >>> from assay.language.words import proper_names
    >>> "professor" in load_words(proper_names.__file__)["titles"]
    True
    """
    path = Path(module_file)
    return WordLists(_sections(path.parent)[path.stem])


@cache
def _sections(folder: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    sections: dict[str, dict[str, tuple[str, ...]]] = {}
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in (folder / "words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lists = sections[line.strip("[]")] = {}
        elif line and not line.startswith("#"):
            if not line.startswith(" "):
                name, _, line = line.partition(":")
            lists[name] = (*lists.get(name, ()), *(word.replace("_", " ") for word in line.split()))
    return sections


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
