"""Where a clause is added, and each switch of the released code."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

from assay.core.edit import Edit, Skip, undo
from assay.core.label import Label
from assay.core.pair import Parses
from assay.core.rng import rng_for
from assay.stress.tautology.build import LengthMismatch, Negation, Tautology, WordOverlap


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It rains.", "It rains{}."),
        ("It rains", "It rains{}"),
        ("It rains . ", "It rains{} . "),
        ("It rains?!", "It rains{}?!"),
        ("It rains\u2026", "It rains{}\u2026"),
        ('She said "it rains."', 'She said "it rains{}."'),
        ("She lives in the U.S.", "She lives in the U.S.{}"),
        ("He sells nuts, bolts, etc.", "He sells nuts, bolts, etc.{}"),
        ("Il pleut à 5 °C.", "Il pleut à 5 °C{}."),
        ("a", "a{}"),
        ("It rains (today)", "It rains (today){}"),
        ("It rains (today).", "It rains (today){}."),
        ("(It rains.)", "(It rains{}.)"),
        ("They sing 'la la'", "They sing 'la la'{}"),
        ("It costs 3.5. It rains!", "It costs 3.5. It rains{}!"),
        ("It rains at 7 a.m.", "It rains at 7 a.m.{}"),
    ],
)
@pytest.mark.parametrize("kind", [Negation, WordOverlap])
@pytest.mark.parametrize("label", Label)
def test_the_clause_stands_before_the_final_punctuation(
    kind: type[Tautology], before: str, after: str, label: Label
) -> None:
    source = pair(hypothesis=before, label=label)
    transform = kind(own_sentence=False)  # type: ignore[call-arg]  # mypy does not see the default of the family
    made = transform(source, rng_for(0, transform="t/v1", pair="1"))
    assert isinstance(made, list)
    assert [edit.apply(source) for edit in made] == [(source.premise, after.format(f" {transform.tautology}"))]
    assert made[0].label is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Does it rain?", "Does it rain? And false is not true."),
        ("Does it rain ? ", "Does it rain ? And false is not true. "),
        ("uh do you like tea", "uh do you like tea? And false is not true."),
        ("Rain at night", "Rain at night. And false is not true."),
        ("Please bring it!", "Please bring it! And false is not true."),
        ('She told him, "it rains."', 'She told him, "it rains." And false is not true.'),
        ("It is late (it rains.)", "It is late (it rains.) And false is not true."),
        ("It rains.", "It rains and false is not true."),
    ],
)
def test_what_can_not_be_joined_is_a_sentence_of_its_own(before: str, after: str) -> None:
    assert only(Negation(), hypothesis=before)[0] == after
    for fidelity in ("paper", "code"):
        assert "And" not in only(Negation(fidelity=fidelity), hypothesis=before)[0]


def test_all_times_are_one_sentence() -> None:
    assert only(LengthMismatch(times=2), premise="Is it wet?")[0] == "Is it wet? And true is true and true is true."
    assert only(LengthMismatch(times=1), premise="Bring a coat.")[0] == "Bring a coat. And true is true."


@pytest.mark.parametrize("hypothesis", ["", " ", "...", "12 + 3", "_", "😀"])
def test_no_clause_is_added_to_what_is_none(hypothesis: str) -> None:
    made = Negation()(pair(hypothesis=hypothesis), rng_for(0, transform="t/v1", pair="1"))
    assert made == Skip("no word in the hypothesis")


def only(transform: Any, **fields: Any) -> tuple[str, Edit]:
    """The text that was changed, and how."""
    source = pair(**fields)
    made = transform(source, rng_for(0, transform="t/v1", pair="1"))
    assert isinstance(made, list)
    premise, hypothesis = made[0].apply(source)
    return (premise if transform.side == "premise" else hypothesis), made[0]


def test_strict_and_paper_keep_the_whole_text() -> None:
    for fidelity in ("strict", "paper"):
        text, edit = only(Negation(fidelity=fidelity), hypothesis="It costs 3.5 in the U.S. now.")
        assert text == "It costs 3.5 in the U.S. now and false is not true."
        assert edit.facts == {}


def test_code_cuts_at_the_first_stop_and_leaves_a_blank() -> None:
    text, edit = only(Negation(fidelity="code"), hypothesis="It costs 3.5 in the U.S. now.")
    assert text == "It costs 3 and false is not true ."
    assert edit.facts == {"tokens": "ours"}
    assert only(Negation(fidelity="code"), hypothesis="No end here")[0] == "No end here and false is not true "
    assert only(Negation(fidelity="code", blank_after=False), hypothesis="At 3.5!")[0] == "At 3 and false is not true."
    assert (
        only(Negation(fidelity="code", first_stop=False), hypothesis="At 3.5!")[0] == "At 3.5 and false is not true !"
    )
    assert only(Negation(first_stop=True), hypothesis="At 3.5!")[0] == "At 3 and false is not true."


def test_code_asks_the_tree_whether_there_is_a_stop() -> None:
    tree = Parses(hypothesis_binary="( At 3.5 )")
    text, edit = only(WordOverlap(fidelity="code"), hypothesis="At 3.5", parses=tree)
    assert (text, edit.facts) == ("At 3.5 and true is true ", {"tokens": "the pair's parse"})
    stop = Parses(hypothesis_binary="( ( At 3.5 ) . )")
    assert only(WordOverlap(fidelity="code"), hypothesis="At 3.5.", parses=stop)[0] == "At 3 and true is true ."
    assert only(WordOverlap(fidelity="code", parses=False), hypothesis="At 3.5.", parses=tree)[1].facts == {
        "tokens": "ours"
    }


@pytest.mark.parametrize("fidelity", ["paper", "code"])
def test_long_premises_lose_their_final_stop_in_the_paper(fidelity: Any) -> None:
    clauses = " and true is true" * 5
    assert only(LengthMismatch(), premise="It rains.")[0] == f"It rains{clauses}."
    assert only(LengthMismatch(fidelity=fidelity), premise="It rains.")[0] == f"It rains{clauses}"
    assert only(LengthMismatch(fidelity=fidelity, final_stop=True), premise="It rains.")[0] == f"It rains{clauses}."


def test_the_papers_second_tautology() -> None:
    made = only(Negation(tautology="and green is not red", times=2), hypothesis="It rains.")[0]
    assert made == "It rains and green is not red and green is not red."


def test_no_clause_at_all_is_the_pair_itself() -> None:
    assert only(Negation(times=0), hypothesis="It rains.")[1] == Edit()


@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    fidelity=st.sampled_from(["strict", "paper", "code"]),
    kind=st.sampled_from([Negation, WordOverlap, LengthMismatch]),
    times=st.integers(0, 3),
)
def test_any_text_in_any_fidelity(text: str, fidelity: Any, kind: Any, times: int) -> None:
    transform = kind(fidelity=fidelity, times=times)
    source = pair(premise=text, hypothesis=text)
    made = transform(source, rng_for(0, transform="t/v1", pair="1"))
    assert made == transform(source, rng_for(1, transform="t/v1", pair="2"))
    if isinstance(made, Skip):
        assert fidelity == "strict"
        return
    premise, hypothesis = made[0].apply(source)
    assert (undo(premise, made[0].premise), undo(hypothesis, made[0].hypothesis)) == (text, text)
    assert (premise + hypothesis).count(transform.tautology[1:]) == times  # a sentence of its own begins with a capital
