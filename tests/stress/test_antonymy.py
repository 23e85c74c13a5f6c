"""Antonyms: what each switch changes, and what never changes."""

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

from assay.core.edit import Edit, Skip, undo
from assay.core.label import Label
from assay.core.pair import Pair, Parses
from assay.language.resources.installed import wordnet
from assay.stress.antonymy.build import BLOCKED, NOTHING, Antonymy

FIDELITIES = ("strict", "paper", "code")


@pytest.fixture(autouse=True, scope="module")
def resources() -> None:
    wordnet()


def edits(text: str, *, parses: Parses | None = None, seed: int = 0, **switches: Any) -> list[Edit]:
    made = Antonymy(**switches)(pair(premise=text, hypothesis="", parses=parses), Random(seed))
    return [] if isinstance(made, Skip) else made


def changed(text: str, **switches: Any) -> list[str]:
    source = pair(premise=text, hypothesis="")
    return [edit.apply(source)[1] for edit in edits(text, **switches)]


def test_both_texts_are_sources_and_the_changed_hypothesis_comes_first() -> None:
    source = pair(premise="The soup is hot.", hypothesis="The king left.", label=Label.NEUTRAL)
    made = Antonymy()(source, Random(0))
    assert isinstance(made, list)
    assert [edit.apply(source) for edit in made] == [
        ("The soup is hot.", "The soup is cold."),
        ("The queen left.", "The king left."),
    ]
    assert {edit.label for edit in made} == {Label.CONTRADICTION}
    assert made[0].facts == {
        "sense": "hot.a.01",
        "lemma": "hot",
        "antonym": "cold",
        "tokens": "ours",
        "text": made[0].facts["text"],
    }


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("text", ["", " ", "...", "😀", "12 + 3", "Xyzzy frobs.", "Кошка спит."])
def test_no_antonym_is_a_skip(fidelity: Any, text: str) -> None:
    assert Antonymy(fidelity=fidelity)(pair(premise=text, hypothesis=text), Random(0)) == NOTHING


@pytest.mark.parametrize(
    ("text", "switches", "expected"),
    [
        ("The women sat.", {}, ["The men sat."]),
        ("The women sat.", {"inflect": False}, ["The man sat."]),
        ("It was the longest road.", {}, ["It was the shortest road."]),
        ("It was the longest road.", {"inflect": False}, ["It was the short road."]),
        ("It was an easy day.", {"parts": "a"}, ["It was a difficult day."]),
        ("It was an easy day.", {"parts": "a", "articles": False}, ["It was an difficult day."]),
        ("Happy cooks sing.", {}, ["Unhappy cooks sing."]),
        ("Happy cooks sing.", {"capitals": False}, []),
        ("THE KING SAT.", {"tagged": False, "senses": "frequent", "parts": "n"}, ["THE QUEEN SAT."]),
        ("The road is big.", {}, ["The road is small.", "The road is little."]),
        ("The road is big.", {"lemmas": "own"}, ["The road is little."]),
        ("The road is huge.", {}, ["The road is little.", "The road is small."]),
        ("The road is huge.", {"indirect": False}, []),
        ("The king is happy.", {"parts": "n"}, ["The queen is happy."]),
        ("The king is happy.", {"parts": "a"}, ["The king is unhappy."]),
        ("The king is happy.", {"parts": "s"}, []),
        ("The lady saw her parents.", {"blocked": False, "parts": "n"}, ["The lady saw her children."]),
        ("The lady saw her parents.", {"blocked": True}, []),
    ],
)
def test_a_switch_changes_what_it_says(text: str, switches: dict[str, Any], expected: list[str]) -> None:
    assert sorted(changed(text, **switches)) == sorted(expected)


def test_the_released_code_replaces_inside_of_other_words() -> None:
    text = "The midwife saw his wife."
    assert changed(text, fidelity="code") == ["The midhusband saw his wife."]
    assert changed(text, fidelity="code", replacing="token") == ["The midwife saw his husband."]


def test_the_released_code_never_changes_an_adjective() -> None:
    text = "The soup is expensive."
    assert changed(text, fidelity="code") == []
    assert changed(text, fidelity="code", parts="nas") == changed(text, fidelity="paper") == ["The soup is cheap."]


def test_the_released_code_leaves_capitals_and_listed_words_alone() -> None:
    assert changed("Wife sits.", fidelity="code") == []
    assert changed("Wife sits.", fidelity="code", capitals=True) == ["Husband sits."]
    assert len(BLOCKED) == 25
    assert changed("xyzzy indecision", fidelity="code") == []
    assert changed("xyzzy indecision", fidelity="code", blocked=False) == ["xyzzy decisiveness", "xyzzy decision"]


def test_ties_of_lesk_go_to_the_greatest_name_in_the_released_code() -> None:
    """No sense shares a word with the sentence; the one whose name comes last has no antonym."""
    assert changed("xyzzy war", fidelity="code") == []
    assert changed("xyzzy war", fidelity="code", tie="first-sense") == ["xyzzy peace"]


def test_tags_decide_between_parts_of_speech() -> None:
    text = "They hate xyzzy."
    assert changed(text, fidelity="code", tie="first-sense") == ["They love xyzzy."]
    assert changed(text, fidelity="code", tie="first-sense", tagged=True) == []


def test_the_paper_draws_one_antonym() -> None:
    text = "It was the early bus."
    every = {edit.facts["antonym"] for edit in edits(text, fidelity="paper", antonyms="all")}
    drawn = [edits(text, fidelity="paper", seed=seed) for seed in range(40)]
    assert every == {"middle", "late"}
    assert {len(each) for each in drawn} == {1}
    assert {each[0].facts["antonym"] for each in drawn} == every


def test_code_takes_tokens_from_the_parse_where_there_is_one() -> None:
    text = "The wife-sister sat."
    parses = Parses(premise_binary="( ( The ( wife ( - sister ) ) ) ( sat . ) )")
    with_parse = edits(text, fidelity="code", parses=parses)
    assert {edit.facts["antonym"] for edit in with_parse} == {"husband", "brother"}
    assert {edit.facts["tokens"] for edit in with_parse} == {"parse"}
    assert edits(text, fidelity="code") == []
    assert {edit.facts["tokens"] for edit in edits("his wife", fidelity="code")} == {"ours"}
    assert edits(text, parses=parses) == edits(text)


def test_tags_come_from_the_parse_too() -> None:
    text = "Xyzzy hate"
    binary = "( Xyzzy hate )"
    tagged = {tag: Parses(premise_binary=binary, premise=f"(NP (NNP Xyzzy) ({tag} hate))") for tag in ("NN", "VB")}
    assert changed_with(text, tagged["NN"]) == ["Xyzzy love"]
    assert changed_with(text, tagged["VB"]) == []
    other = Parses(premise_binary=binary, premise="(NP (NN hate))")  # does not fit: our tagger is asked
    assert changed_with(text, other) == changed_with(text, Parses(premise_binary=binary))


def changed_with(text: str, parses: Parses) -> list[str]:
    source = pair(premise=text, hypothesis="", parses=parses)
    return [edit.apply(source)[1] for edit in edits(text, parses=parses, fidelity="paper", tie="first-sense")]


def test_a_word_that_the_parse_spells_in_another_way_is_left_alone() -> None:
    parses = Parses(premise_binary="( ( The ( -LRB- wife ) ) ( sat . ) )")
    assert changed_with("The (wife sat.", parses) == ["The (husband sat."]
    assert changed_with("The (w1fe sat.", parses) == []


VOCABULARY = """
    the a an The king woman hot Hot easy happiest parents love left no not old big , . ! ? ' " - Été 😀 ﬁne İ ß day's
"""
Words = st.sampled_from(VOCABULARY.split())
Text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.lists(Words, max_size=12).map(" ".join)
)
Trees = st.one_of(st.none(), st.builds(Parses, premise_binary=Text, hypothesis_binary=Text, premise=Text))


@given(premise=Text, hypothesis=Text, parses=Trees, fidelity=st.sampled_from(FIDELITIES), seed=st.integers(0, 9))
def test_any_text_changes_in_one_word_only(
    premise: str, hypothesis: str, parses: Parses | None, fidelity: Any, seed: int
) -> None:
    source = Pair(id="1", premise=premise, hypothesis=hypothesis, label=Label.NEUTRAL, parses=parses)
    transform = Antonymy(fidelity=fidelity)
    made = transform(source, Random(seed))
    assert made == pickle.loads(pickle.dumps(transform))(source, Random(seed))
    if isinstance(made, Skip):
        assert made == NOTHING
        return
    for edit in made:
        one, other = edit.apply(source)
        text = premise if edit.premise_from == "premise" else hypothesis
        assert one != other
        assert undo(one, edit.premise) == undo(other, edit.hypothesis) == text
        assert bool(edit.premise) != bool(edit.hypothesis)
        assert len(edit.premise + edit.hypothesis) <= 2


def test_a_long_text_does_not_cost_its_square() -> None:
    assert edits("the wife sat " * 1_500, fidelity="code")
    assert edits("a hot king sat . " * 1_100)
