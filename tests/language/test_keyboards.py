"""Neighbours on keyboards."""

from string import ascii_lowercase

import pytest

from assay.language.words.word_forms import LAYOUTS, ROWS, Layout, keys_beside

LAYOUT_NAMES: tuple[Layout, ...] = ("qwerty", "qwertz", "azerty")


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_every_letter_has_its_place(layout: Layout) -> None:
    assert sorted("".join(ROWS[layout])) == sorted(ascii_lowercase)
    assert set(LAYOUTS) == set(LAYOUT_NAMES) == set(ROWS)


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("char", ascii_lowercase)
def test_neighbours_are_mutual(char: str, layout: Layout) -> None:
    found = keys_beside(layout)[char]
    assert char not in found
    assert len(set(found)) == len(found) >= 1
    assert all(char in keys_beside(layout)[other] for other in found)


def test_only_the_ends_of_a_row_have_one_neighbour() -> None:
    single = {char: near for char, near in keys_beside("qwerty").items() if len(near) == 1}
    assert single == {"a": "s", "l": "k", "p": "o", "q": "w", "m": "n", "z": "x"}


def test_layouts_differ_where_they_do() -> None:
    assert (keys_beside("qwerty")["y"], keys_beside("qwertz")["y"], keys_beside("azerty")["q"]) == ("tu", "x", "s")
