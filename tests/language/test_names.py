"""Names of persons, places and organisations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.resources.installed import tagger
from assay.language.text.tokens import tokens
from assay.language.words.proper_names import find_names, first_names

pytestmark = pytest.mark.usefixtures("english")


def found(text: str) -> list[tuple[str, str]]:
    parts = tokens(text)
    names = find_names(parts, tagger().tag([part.text for part in parts]))
    return [(name.kind, text[name.start : name.end]) for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Maria Hill in Paris.", [("person", "Maria Hill"), ("place", "Paris")]),
        ("Rahul sold 20 apples to Fatima.", [("person", "Rahul"), ("person", "Fatima")]),
        ("Yesterday Mr. Zorblat paid Dr. Quimby.", [("person", "Mr. Zorblat"), ("person", "Dr. Quimby")]),
        ("She studies at the University of Kent.", [("organisation", "University of Kent")]),
        ("They sued Zorblat Inc. last year.", [("organisation", "Zorblat Inc.")]),
        ("The train to New York leaves now.", [("place", "New York")]),
        ("People in Qumran grow figs.", [("place", "Qumran")]),
        ("He asked Blorvik for help.", [("person", "Blorvik")]),
        ("She works for the FBI now.", [("organisation", "FBI")]),
        ("I think that I may go in May.", []),
        ("The cat sat on a mat on Monday.", []),
        ("Hope is a good thing.", []),
        ("How many apples are left?", []),
        ("If A and B are equal, what is C?", []),
        ("HE SOLD THE OLD CAR TODAY", []),
        ("Seven Ways to Cook a Blorvik", []),
        ("", []),
    ],
)
def test_names_are_found(text: str, names: list[tuple[str, str]]) -> None:
    assert found(text) == names


@given(
    st.lists(
        st.sampled_from(["I", "Maria", "the", "Paris", ".", "Mr.", "of", "University", "Xy", "DNA", "and"]), max_size=9
    )
)
def test_names_are_in_order_and_end_on_tokens(words: list[str]) -> None:
    text = " ".join(words)
    parts = tokens(text)
    names = find_names(parts, tagger().tag([part.text for part in parts]))
    starts, ends = {part.start for part in parts}, {part.end for part in parts}
    position = 0
    for name in names:
        assert position <= name.start < name.end
        assert name.start in starts
        assert name.end in ends
        assert text[name.start : name.end] != "I"
        position = name.end


def test_first_names_are_many_and_written_with_a_capital() -> None:
    assert len(first_names()) > 800
    assert all(name.istitle() for name in first_names())
