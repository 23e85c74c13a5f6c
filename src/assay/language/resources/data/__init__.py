"""Word lists that ship with Assay, written for it from general knowledge."""

from functools import cache
from pathlib import Path


@cache
def word_list(name: str, module_file: str = __file__) -> frozenset[str]:
    """The words of a file `NAME.txt`, of this folder or of another module's.

    Words are separated by blanks or line breaks, and `#` starts a comment.

    >>> "from" in word_list("function_words")
    True
    """
    return frozenset(word for line in _lines(name, module_file) for word in line)


class WordLists(dict[str, frozenset[str]]):
    """The word lists of one module, by name."""

    def __init__(self, lists: dict[str, tuple[str, ...]]) -> None:
        super().__init__({name: frozenset(words) for name, words in lists.items()})
        self.ordered = lists.__getitem__
        """The words of a list in the order of the file."""


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
