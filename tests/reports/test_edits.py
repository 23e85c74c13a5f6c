"""The edit in a text: nothing lost, nothing obeyed, nothing endless."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.conftest import case

from assay.core.edit import Edit, Replacement, replace
from assay.reports.formatting import LONGEST, mark_edits, printable, split_edits

WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=12)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4), WORDS)
def test_the_pieces_are_the_text_and_its_source(parts: list[tuple[str, str, str]], last: str) -> None:
    source, replacements = "", []
    for before, old, new in parts:
        source += before
        replacements.append(Replacement(len(source), old, new))
        source += old
    source += last
    found = split_edits(replace(source, replacements), replacements)
    assert "".join(each.text for each in found if each.kind != "old") == printable(replace(source, replacements))
    assert "".join(each.text for each in found if each.kind != "new") == printable(source)


def test_a_word_without_end_is_cut_in_the_middle() -> None:
    [(text, kind)] = split_edits("ab" * 5000, [])
    assert kind == "same"
    assert len(text) < LONGEST + 50
    assert "8,800 characters" in text


def test_marks_of_direction_are_shown() -> None:
    assert split_edits("a\u202eb", [Replacement(1, "", "\u202e")])[1] == (r"\u202e", "new")


def test_an_exchange_of_sides_is_told() -> None:
    made = case()
    swapped = Edit(premise_from="hypothesis", hypothesis_from="premise")
    given_case = structs.replace(made, provenance=structs.replace(made.provenance, edit=swapped))
    assert mark_edits(given_case).remark == "Premise and hypothesis were swapped."
    assert mark_edits(made).remark == ""
