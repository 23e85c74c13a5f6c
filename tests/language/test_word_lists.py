"""The lists that ship with Assay."""

from pathlib import Path

import pytest

import assay
import assay.language.resources.data
from assay.language.resources.data import word_list

FOLDER = Path(assay.language.resources.data.__file__).parent
LISTS = sorted(path.stem for path in FOLDER.glob("*.txt"))
HOUSE = Path(assay.__file__).parent
SECTIONED = sorted(path for part in ("stress", "language") for path in (HOUSE / part).rglob("words.txt"))
PATTERNED = sorted(path for part in ("stress", "language") for path in (HOUSE / part).rglob("patterns.txt"))


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_clean(name: str) -> None:
    assert word_list(name)
    assert all(word.isprintable() for word in word_list(name))


def test_foreign_words_are_not_english() -> None:
    for name in ("function_words", "short_words", "more_words"):
        assert not word_list("foreign_words") & word_list(name)


def test_short_words_are_short() -> None:
    assert max(map(len, word_list("short_words"))) <= 3


@pytest.mark.parametrize("path", SECTIONED, ids=lambda path: path.parent.name)
def test_each_list_of_a_module_has_a_reason_and_a_user(path: Path) -> None:
    """A comment is right above each list, its module, a pattern or a table uses it, and no word is in it twice."""
    module, name, before, lists = "", "", "", dict[str, list[str]]()
    data = "".join(other.read_text(encoding="utf-8") for other in path.parent.glob("*.t*") if other != path)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            module = path.with_name(line.strip("[]") + ".py").read_text(encoding="utf-8")
        elif line.startswith(" "):
            lists[name] += line.split()
        elif line and not line.startswith("#"):
            name, _, words = line.partition(":")
            assert before.startswith("# "), name
            used = f'"{name}"' in module or f"'{name}'" in module
            assert used or f"{{{name}}}" in data or f'"@{name}"' in data
            lists[name] = words.split()
        before = line
        assert all(len({*words}) == len(words) for words in lists.values()), line


@pytest.mark.parametrize("path", PATTERNED, ids=lambda path: path.parent.name)
def test_each_pattern_of_a_module_has_a_reason_and_a_user(path: Path) -> None:
    """A comment is right above each pattern, and its module or another pattern uses it."""
    text, module, before = path.read_text(encoding="utf-8"), "", ""
    for line in text.splitlines():
        if line.startswith("["):
            module = path.with_name(line.strip("[]") + ".py").read_text(encoding="utf-8")
        elif line and not line.startswith((" ", "#")):
            name = line.partition(":")[0]
            assert before.startswith("# "), name
            assert f'"{name}"' in module or f"{{{name}}}" in text or name.startswith(("shape_", "rank_"))
        before = line


def test_there_are_lists_beside_families() -> None:
    assert len(SECTIONED) > 5
