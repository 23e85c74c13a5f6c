"""Trees are those that the released code writes, construction by construction."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.fragment.chart_parser import binary_spans, write_binary, write_penn
from assay.language.fragment.fragment_lexicon import standard_fragment_lexicon

LEXICON = standard_fragment_lexicon()

# Written by hand after the description of the released parses, a sentence and its tree in turns.
LINES = (Path(__file__).parent / "trees.txt").read_text(encoding="utf-8").splitlines()
TREES = list(zip(LINES[::2], map(str.strip, LINES[1::2]), strict=True))

BINARY = {
    "The actor ran .": "( ( The actor ) ( ran . ) )",
    "The actor saw the judge .": "( ( The actor ) ( ( saw ( the judge ) ) . ) )",
    "The actor and the judge ran .": "( ( ( The actor ) ( and ( the judge ) ) ) ( ran . ) )",
    "If the judge ran , the actor slept .": "( ( If ( ( the judge ) ran ) ) ( , ( ( ( the actor ) slept ) . ) ) )",
    "Judges ran .": "( Judges ( ran . ) )",
    "The judge ate the ice cream .": "( ( The judge ) ( ( ate ( the ( ice cream ) ) ) . ) )",
}


@pytest.mark.parametrize(("sentence", "tree"), TREES)
def test_a_sentence_has_the_released_tree(sentence: str, tree: str) -> None:
    assert [write_penn(found) for found in LEXICON.parse(sentence)] == [tree]


@pytest.mark.parametrize(("sentence", "tree"), BINARY.items())
def test_a_sentence_has_the_released_binary_tree(sentence: str, tree: str) -> None:
    assert [write_binary(found) for found in LEXICON.parse(sentence)] == [tree]


@pytest.mark.parametrize(
    "sentence",
    [
        "The judges was helped by the actor .",
        "The judge were helped by the actor .",
        "The judge fought the actor .",
        "Judge ran .",
        "The judge ran the actor .",
        "The judge saw .",
        "The judge",
        "The cook ran .",
        "",
    ],
)
def test_what_is_not_of_the_fragment_has_no_tree(sentence: str) -> None:
    assert LEXICON.parse(sentence) == []


def test_both_readings_are_found() -> None:
    assert len(LEXICON.parse("The judge believed the actor paid in the office .")) == 2


def test_blanks_before_punctuation_do_not_matter() -> None:
    assert LEXICON.parse("If the judge ran, the actor slept.") == LEXICON.parse("If the judge ran , the actor slept .")


def test_spans_are_the_phrases() -> None:
    (tree,) = LEXICON.parse("The judge saw the actor .")
    assert {" ".join(span) for span in binary_spans(write_binary(tree))} == {
        "the judge saw the actor",
        "the judge",
        "saw the actor",
        "the actor",
    }


@given(st.lists(st.sampled_from(sorted(LEXICON.tokens)), max_size=14).map(" ".join))
def test_any_words_parse_or_do_not(text: str) -> None:
    for tree in LEXICON.parse(text):
        written = write_penn(tree)
        assert written.count("(") == written.count(")")
        assert write_binary(tree).replace("( ", "").replace(" )", "").lower() == text.lower()


@given(st.text(max_size=80))
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(LEXICON.parse(text), list)
