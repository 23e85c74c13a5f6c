"""Asking about one pair: answers, words, edits, and every kind of model."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.ask.ask_pair import MOST_WORDS
from assay.ask.pair_explanation import AskedPair, leave_out_words, remove_word
from assay.ask.pair_summary import answers_sheet
from assay.core.protocols import Texts
from assay.language.text.tokens import words

PREMISE, HYPOTHESIS = "The cook fried two cold eggs.", "The cook did not fry eggs."


class Negated:
    """Answers contradiction where the hypothesis has "not", and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []

    def __call__(self, pairs: list[tuple[str, str]]) -> Sequence[dict[str, float]]:
        self.calls.append(list(pairs))
        return [
            {"entailment": 0.1, "neutral": 0.1, "contradiction": 0.8}
            if " not " in hypothesis
            else {"entailment": 0.7, "neutral": 0.2, "contradiction": 0.1}
            for _, hypothesis in pairs
        ]


def test_the_word_that_carries_the_answer_is_found() -> None:
    model = Negated()
    found = assay.ask(PREMISE, HYPOTHESIS, models={"mine": model})
    name = "object:mine"
    assert found.answers[name].label == "contradiction"
    (heaviest,) = found.strongest(name)
    assert (heaviest.side, heaviest.text, heaviest.label) == ("hypothesis", "not", assay.Label.ENTAILMENT)
    assert heaviest.weight == pytest.approx(0.7)
    assert [each.text for each in found.words[name]] == [*map(_text, words(PREMISE)), *map(_text, words(HYPOTHESIS))]
    for each in found.words[name]:
        text = found.premise if each.side == "premise" else found.hypothesis
        assert text[each.start :].startswith(each.text)
    assert str(found) == "object:mine: contradiction 0.80; carried by not 0.70"


def _text(word: object) -> str:
    return str(word[0])  # type: ignore[index]


def test_everything_is_asked_in_one_batch() -> None:
    model = Negated()
    assay.ask(PREMISE, HYPOTHESIS, models={"mine": model}, stress=True, families=["negation", "word-overlap"])
    (asked,) = model.calls
    assert len(asked) == 1 + 6 + 6 + 2
    assert asked[0] == (PREMISE, HYPOTHESIS)


def test_answers_without_probabilities_have_weights_of_one_and_zero() -> None:
    found = assay.ask(
        PREMISE, HYPOTHESIS, models={"m": lambda ps: ["neutral" if " not " in h else "entailment" for _, h in ps]}
    )
    assert {each.weight for each in found.words["object:m"]} == {0.0, 1.0}


@pytest.mark.parametrize("label", ["contradiction", None])
def test_families_show_how_the_answer_moves(label: str | None) -> None:
    found = assay.ask(
        PREMISE, "The cook fried eggs.", models={"m": Negated()}, label=label, families=["negation", "swap"]
    )
    moved = {each.case.family: each for each in found.edited}
    assert moved["negation"].answers["object:m"].label == "contradiction"
    assert moved["negation"].label == label
    if label:
        assert moved["swap"].case.expects == "hold"
        assert moved["swap"].label is None
        assert not found.skipped
    else:
        assert "swap" not in moved
        assert "--label" in found.skipped["swap"]


def test_a_family_that_brings_its_own_label_needs_none() -> None:
    found = assay.ask("The soup was cold.", "Somebody ate.", models="assay:overlap", families="antonymy", words=False)
    assert {each.label for each in found.edited} == {assay.Label.CONTRADICTION}


def test_generated_families_say_why_they_make_nothing() -> None:
    found = assay.ask(PREMISE, HYPOTHESIS, models="assay:overlap", families=["heuristics"], words=False)
    assert "templates" in found.skipped["heuristics"]
    assert not found.words


@pytest.mark.parametrize("model", ["majority", "hypothesis-words", "overlap", "cbow", "minilm"])
def test_every_kind_of_model_answers(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = assay.ask(PREMISE, HYPOTHESIS, models=f"assay:{model}", stress=True)
    (answer,) = found.answers.values()
    again = assay.ask(PREMISE, HYPOTHESIS, models=f"assay:{model}", words=False)
    assert [*again.answers.values()] == [answer]
    assert not [*tmp_path.iterdir()], "no run is stored"
    assert msgspec.json.decode(msgspec.json.encode(found), type=AskedPair) == found
    assert ("bundled" in " ".join(found.notes)) is (model in ("majority", "hypothesis-words"))


def test_fakes_and_several_models_answer() -> None:
    found = assay.ask(PREMISE, HYPOTHESIS, models=["assay:overlap", assay.FakeModel()], words=False)
    assert [*found.answers] == ["assay:overlap/v1", "object:FakeModel"]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "options", "message"),
    [
        ("", "It rains.", {}, "The premise is empty"),
        ("It rains.", " \n", {}, "The hypothesis is empty"),
        ("a" * 20_001, "It rains.", {}, "20,001 characters"),
        ("word " * (MOST_WORDS + 1), "It rains.", {}, "--set words=no"),
        ("It rains.", "It pours.", {"label": "nutral"}, "did you mean 'neutral'"),
        ("It rains.", "It pours.", {"label": "-"}, "not a label"),
        ("It rains.", "It pours.", {"models": "predictions:answers.csv"}, "file of answers"),
        ("It rains.", "It pours.", {"families": "negatoin"}, "did you mean 'negation'"),
        ("word " * 3000, "It rains.", {"words": False}, "truncate='premise'"),
    ],
)
def test_errors_say_what_to_do(premise: str, hypothesis: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(assay.UserError, match=message):
        assay.ask(premise, hypothesis, **options)


def test_a_long_premise_can_be_cut_off() -> None:
    for _ in range(2):  # the second answer is a cached one
        found = assay.ask("word " * 3000, "It rains.", words=False, truncate="premise")
        assert found.answers["assay:minilm/v1"].truncated
        assert any("the end was cut off" in note for note in found.notes)
        assert "premise cut off" in answers_sheet(found).rows[0].cells[1].text


@given(st.text(max_size=60), st.text(max_size=60))
def test_leaving_out_a_word_leaves_all_others(premise: str, hypothesis: str) -> None:
    found = [*leave_out_words(Texts(premise, hypothesis))]
    for side, text in (("premise", premise), ("hypothesis", hypothesis)):
        there = [*words(text)]
        own = [each for each in found if each.side == side]
        assert [each.word for each in own] == (there if len(there) > 1 else [])
        for each in own:
            left = remove_word(text, each.word)
            assert getattr(each.texts, side) == left
            removed = len(text) - len(left)
            assert removed in (len(each.word.text), len(each.word.text) + 1)
