"""The lists that ship with Assay."""

from pathlib import Path

import pytest

import assay.language.resources.data
from assay.language.resources.data import word_list

FOLDER = Path(assay.language.resources.data.__file__).parent
LISTS = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_clean(name: str) -> None:
    assert word_list(name)
    assert all(word.isprintable() for word in word_list(name))


def test_foreign_words_are_not_english() -> None:
    for name in ("function_words", "short_words", "more_words"):
        assert not word_list("foreign_words") & word_list(name)


def test_short_words_are_short() -> None:
    assert max(map(len, word_list("short_words"))) <= 3
