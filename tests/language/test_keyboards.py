"""Neighbours on keyboards."""

from string import ascii_lowercase

import pytest

from assay.language.words.word_forms import LAYOUTS, ROWS, Layout, keys_around

LAYOUT_NAMES: tuple[Layout, ...] = ("qwerty", "qwertz", "azerty")


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_every_letter_has_its_place(layout: Layout) -> None:
    assert sorted("".join(ROWS[layout])) == sorted(ascii_lowercase)
    assert set(LAYOUTS) == set(LAYOUT_NAMES) == set(ROWS)


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("char", ascii_lowercase)
def test_neighbours_are_mutual(char: str, layout: Layout, diagonal: bool) -> None:
    found = keys_around(char, layout, diagonal=diagonal)
    assert char not in found
    assert len(set(found)) == len(found) >= (2 if diagonal else 1)
    assert all(char in keys_around(other, layout, diagonal=diagonal) for other in found)
    assert keys_around(char.upper(), layout, diagonal=diagonal) == found.upper()


def test_only_the_ends_of_a_row_have_one_neighbour() -> None:
    single = {char: keys_around(char) for char in ascii_lowercase if len(keys_around(char)) == 1}
    assert single == {"a": "s", "l": "k", "p": "o", "q": "w", "m": "n", "z": "x"}


def test_layouts_differ_where_they_do() -> None:
    assert (keys_around("y"), keys_around("y", "qwertz"), keys_around("q", "azerty")) == ("tu", "x", "s")


@pytest.mark.parametrize("char", ["", "1", "é", ".", "ab", " "])
def test_what_is_no_letter_has_none(char: str) -> None:
    assert keys_around(char) == ""
