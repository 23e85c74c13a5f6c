"""Tokens with their places."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S. team (of 12) won 3.5% more.", "The|U.S.|team|(|of|12|)|won|3.5|%|more|."),
        ("Don't! They're Ann's.", "Do|n't|!|They|'re|Ann|'s|."),
        ("At 7:30 a.m. Mr. Lee paid $1,250.", "At|7:30|a.m.|Mr.|Lee|paid|$|1,250|."),
        ("a well-known 21st-century town", "a|well-known|21st-century|town"),
        ("wait... what -- no", "wait|...|what|--|no"),
        ("", ""),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert "|".join(token.text for token in tokens(text)) == expected


@given(st.text())
def test_every_character_but_blanks_is_in_one_token(text: str) -> None:
    found = tokens(text)
    assert all(text[token.start : token.end] == token.text for token in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    covered = {i for token in found for i in range(token.start, token.end)}
    assert all(i in covered or character.isspace() for i, character in enumerate(text))
