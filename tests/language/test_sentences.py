"""Sentences and what lies between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.text.tokens import find_sentences

PIECES = st.sampled_from(
    [
        *"aB1 \n.!?\"'()",
        ". ",
        "? ",
        "Mr. ",
        "U.S. ",
        "The ",
        "he ",
        "3.5",
        "...",
        "\n\n",
        "etc.",
        "''",
        "\u201d",
        "\u2026",
        "é",
    ]
)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in find_sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["It rains.", "We stay."],
        ["Dr. Hill met Mrs. J. K. Moss in St. Ives."],
        ["She earns $3.50 an hour.", "He earns 4.25."],
        ["They live in the U.S. and like it.", "They left the U.K. in May."],
        ["We flew to the U.S.", "The trip was long."],
        ["The train came at 5 p.m.", "It was full."],
        ["He owns Hill Inc. in Ohio.", "She owns Moss Co.", "They compete."],
        ['"Why now?" he asked.', "Nobody knew!"],
        ['"Sit down."', "She sat."],
        ["(It was late.)", "We slept."],
        ["Wait ...", "What was that?!", "Nothing."],
        ["He paused ... and went on."],
        ["It was hot .", "We swam .", "Mr. Hill slept ."],
        ['He said , " Go home . "', "She went ."],
        ["He said , `` Go home . ''", "She went ."],
        ["1. Mix the flour.", "2. Add an egg."],
        ["See No. 5 first.", "Do I want it?", "No.", "Then leave."],
        ["no end at all"],
        ["Mail us at hill.moss@example.org or visit example.org."],
        ["It was I.", "He knew."],
        ["We met in Albany, N.Y., in March."],
    ],
)
def test_sentences_end_where_they_should(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts
    assert split("\n\n".join(parts)) == parts


def test_an_empty_line_ends_a_title() -> None:
    assert split("A day out\n \nWe left\nat noon.") == ["A day out", "We left\nat noon."]


def test_no_text_has_no_sentence() -> None:
    assert find_sentences("") == find_sentences(" \n\n ") == []


@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=40))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    position = 0
    for start, end in find_sentences(text):
        assert not text[position:start].strip()
        assert start < end
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()
