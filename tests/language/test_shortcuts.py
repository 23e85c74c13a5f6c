"""The shortcuts by both definitions: quirks of the released one, and what whole tokens mend."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.fragment.syntactic_heuristics import (
    HoldingHeuristics,
    holds_as_released,
    holds_by_tokens,
    is_subsequence,
)

RAIN = "( ( If ( it rains ) ) ( , ( ( we ( do ( n't go ) ) ) . ) ) )"
BRACKETS = "He ( the cook ) ran ."
TREE = "( He ( ( -LRB- ( ( the cook ) -RRB- ) ) ( ran . ) ) )"
GO = "( ( ( `` ( Go '' ) ) , ) ( he ( said . ) ) )"
SAID = "If it rains, we don't go."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "tree", "released", "tokens"),
    [
        ("The cook fries eggs .", "eggs fries cook", None, (True, False, None), (True, False, None)),
        ("The cook fries eggs.", "the cook fries eggs", None, (False, True, None), (True, True, None)),
        ("The cook fries eggs.", "Eggs!", None, (False, False, None), (True, True, None)),
        ("The cooks fry eggs .", "the cook", None, (False, True, None), (False, False, None)),
        ("The cook fries .", "The chef fries .", None, (False, False, None), (False, False, None)),
        (SAID, "It rains", RAIN, (False, True, True), (True, True, True)),
        (SAID, "it rains,", RAIN, (True, True, False), (True, True, False)),
        (SAID, "don't go", RAIN, (False, True, False), (True, True, True)),
        (SAID, "We", RAIN, (True, True, False), (True, True, True)),
        (SAID, "If it", RAIN, (True, True, False), (True, True, False)),
        (BRACKETS, "( the cook )", TREE, (True, True, False), (True, True, True)),
        ("\u201cGo\u201d , he said .", '"Go"', GO, (False, False, False), (True, True, True)),
        ("It rains .", "?", "( It ( rains . ) )", (True, True, False), (True, True, True)),
    ],
)
def test_both_definitions(
    premise: str, hypothesis: str, tree: str | None, released: tuple[object, ...], tokens: tuple[object, ...]
) -> None:
    assert holds_as_released(premise, hypothesis, tree) == released
    assert holds_by_tokens(premise, hypothesis, tree) == tokens


def test_a_damaged_tree_is_no_reason_to_stop() -> None:
    assert holds_by_tokens("It rains .", "It rains", ") ( It ( rains . )") == HoldingHeuristics(True, True, False)


WORDS = st.lists(st.sampled_from(["a", "an", "and", "n't", "do", "don't", ",", ".", "A", '"', "``"]), max_size=7)


def right_branching(words: list[str]) -> str:
    return f"( {words[0]} {right_branching(words[1:])} )" if len(words) > 1 else words[0]


@given(premise=WORDS.filter(bool), hypothesis=WORDS)
def test_by_tokens_each_heuristic_is_a_case_of_the_one_before(premise: list[str], hypothesis: list[str]) -> None:
    said, claimed = " ".join(premise), " ".join(hypothesis)
    holds = holds_by_tokens(said, claimed, right_branching(premise))
    assert not holds.constituent or holds.subsequence
    assert not holds.subsequence or holds.lexical_overlap
    assert holds.subsequence == is_subsequence(claimed, said)
    assert holds_by_tokens(said, claimed).constituent is None


@given(premise=WORDS.filter(bool), data=st.data())
def test_every_piece_of_a_premise_is_a_subsequence(premise: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(premise)))
    piece = premise[start:]
    holds = holds_by_tokens(" ".join(premise), " ".join(piece), right_branching(premise))
    assert holds == (True, True, True)
    released = holds_as_released(" ".join(premise), " ".join(piece))
    assert (released.lexical_overlap, released.subsequence) == (True, True)
