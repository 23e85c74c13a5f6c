"""What the numeracy builder makes: quantities, switches, fidelities, and premises from problems."""

import gzip
import json
import pickle
from collections import Counter
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

import assay
from assay.core.edit import Edit, Skip
from assay.core.label import Label
from assay.core.pair import Problem
from assay.core.rng import rng_for
from assay.language.numbers.quantities import find_quantities
from assay.language.resources.installed import wordnet
from assay.stress.numeracy.build import NO_INTEGER, NO_QUANTITY, NOT_COMPARABLE, Numeracy
from assay.stress.numeracy.word_problems import PremiseSplitter, has_numeric_answer

SEEDS = range(60)


@pytest.fixture(scope="module", autouse=True)
def english() -> None:
    wordnet()


def made(premise: str, *, seed: int = 0, **switches: str) -> list[Edit]:
    """The cases as the paper draws them, unless a test says otherwise."""
    switches = {"phrases": "drawn", **switches}
    edits = Numeracy(**switches)(pair(premise=premise), rng_for(seed, transform="numeracy/v1", pair="1"))  # type: ignore[arg-type]
    assert isinstance(edits, list)
    return edits


def texts(premise: str, **switches: str) -> list[list[tuple[str, str]]]:
    source = pair(premise=premise)
    return [[edit.apply(source) for edit in made(premise, seed=seed, **switches)] for seed in SEEDS]


def hypotheses(premise: str, label: Label, **switches: str) -> set[str]:
    """All that a number of seeds make."""
    number = [Label.ENTAILMENT, Label.CONTRADICTION].index(label)
    return {cases[number][1] for cases in texts(premise, **switches)}


@pytest.mark.parametrize("fidelity", ["strict", "paper", "code"])
def test_three_cases_from_the_premise_alone(fidelity: str) -> None:
    premise = "Ada sold 40 hats ."
    for cases, seed in zip(texts(premise, fidelity=fidelity), SEEDS, strict=True):
        labels = [edit.label for edit in made(premise, seed=seed, fidelity=fidelity)]
        assert labels == [Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL]
        entailed, contradictory, neutral = cases
        assert entailed[0] == contradictory[0] == premise
        assert neutral == entailed[::-1]
        assert "than" in entailed[1]


@pytest.mark.parametrize(
    ("premise", "kept"),
    [
        ("Ada sold 40 hats.", "Ada sold {} hats."),
        ("Ada sold 11,250 hats.", "Ada sold {} hats."),
        ("The bag weighs 3.5 pounds.", "The bag weighs {} pounds."),
        ("Ada paid $ 1.50 for it.", "Ada paid $ {} for it."),
        ("The firm lost $2 million.", "The firm lost ${} million."),
        ("Some 9 hats and 15% of the scarves sold.", "Some 9 hats and {}% of the scarves sold."),
        ("Ada sold twenty-one hats.", "Ada sold {} hats."),
        ("Été: elle vend 40 hats \U0001f600.", "Été: elle vend {} hats \U0001f600."),
    ],
)
def test_every_form_keeps_its_style(premise: str, kept: str) -> None:
    before, after = kept.split("{}")
    found = hypotheses(premise, Label.ENTAILMENT)
    assert len(found) > 3
    for text in found:
        plain = text.replace("more than ", "").replace("less than ", "")
        assert plain.startswith(before)
        assert plain.endswith(after)
        assert plain != premise
        assert [each.form for each in find_quantities(plain)] == [each.form for each in find_quantities(premise)]


def test_entailed_values_lie_on_the_right_side() -> None:
    found = [
        quantity for text in hypotheses("Ada sold 40 hats.", Label.ENTAILMENT) for quantity in find_quantities(text)
    ]
    assert {quantity.bound for quantity in found} == {"more", "less"}
    for quantity in found:
        assert quantity.bound == ("more" if quantity.value < 40 else "less")
        assert 16 <= quantity.value <= 100


def test_new_values_are_as_round_and_never_one() -> None:
    rounds = {q.value for t in hypotheses("Ada sold 300 hats.", Label.ENTAILMENT) for q in find_quantities(t)}
    assert rounds == {Decimal(200), *map(Decimal, (400, 500, 600, 700))}
    small = {q.value for t in hypotheses("Ada sold two hats.", Label.ENTAILMENT) for q in find_quantities(t)}
    assert small == {Decimal(3), Decimal(4), Decimal(5)}
    shares = {q.value for t in hypotheses("They sold 90 percent of it.", Label.ENTAILMENT) for q in find_quantities(t)}
    assert max(shares) < 100


def test_a_phrase_takes_the_capital_of_the_sentence() -> None:
    first = hypotheses("Forty men sang.", Label.ENTAILMENT)
    assert {text[:9] for text in first} == {"More than", "Less than"}
    assert all(text[10:11].islower() for text in first)
    second = hypotheses("He left. 40 men sang.", Label.ENTAILMENT)
    assert {text[:19] for text in second} == {"He left. More than ", "He left. Less than "}
    assert all(
        text[:9] in ("more than", "less than") for text in hypotheses("40 men", Label.ENTAILMENT, fidelity="code")
    )


def test_careful_contradictions_of_counts_suit_both_readings_better() -> None:
    careful = hypotheses("Ada sold 40 hats.", Label.CONTRADICTION)
    assert "Ada sold less than 40 hats." in careful
    assert "Ada sold more than 40 hats." not in careful
    assert all(q.value >= 40 for text in careful for q in find_quantities(text))
    exact = hypotheses("Ada sold 40 hats.", Label.CONTRADICTION, reading="exact")
    assert {"Ada sold less than 40 hats.", "Ada sold more than 40 hats."} <= exact
    assert any(q.value < 40 for text in exact for q in find_quantities(text))
    assert "Ada paid more than $40." in hypotheses("Ada paid $40.", Label.CONTRADICTION), "a sum is exact anyway"


PHRASES = ("more than", "less than", "")


def phrase_of(text: str) -> str:
    return next(phrase for phrase in PHRASES if phrase in text.lower())


@pytest.mark.parametrize("premise", ["Two men sang.", "Ada sold three hats.", "Ada sold 40 hats.", "Ada paid $12."])
def test_no_phrase_goes_with_one_label_in_more_than_half_of_its_cases(premise: str) -> None:
    source = pair(premise=premise)
    found = Counter(
        (phrase_of(edit.apply(source)[1]), edit.label)
        for seed in SEEDS
        for edit in made(premise, seed=seed, phrases="balanced")
    )
    for phrase in PHRASES[:2]:
        of_phrase = {label: found[phrase, label] for label in (Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL)}
        assert min(of_phrase.values()) > 0, of_phrase
        assert max(of_phrase.values()) * 2 <= sum(of_phrase.values()), of_phrase


def test_any_few_premises_are_balanced() -> None:
    """Not by luck: in each premise's three cases, the entailed phrase is in a second hypothesis."""
    for number in range(2, 60):
        source = pair(premise=f"Ada sold {number} hats.")
        cases = [edit.apply(source)[1] for edit in made(source.premise, seed=number, phrases="balanced")]
        phrase = phrase_of(cases[0])
        assert phrase
        assert phrase in map(phrase_of, cases[1:])
        assert {*map(phrase_of, cases)} <= {phrase, ""}


def test_balanced_cases_of_counts_hold_if_three_means_at_least_three() -> None:
    """A contradiction with "more than" comes from a premise that says "less than"."""
    source = pair(premise="Ada sold 40 hats.")
    for seed in SEEDS:
        premise, hypothesis = made(source.premise, seed=seed, phrases="balanced")[1].apply(source)
        if "more than" in hypothesis:
            assert "less than" in premise
        if hypothesis == source.premise:
            assert "less than" in premise


@pytest.mark.parametrize(("digits", "leading"), [("1-9", "12356789"), ("1-8", "1235678")])
def test_only_the_leading_digit_changes(digits: str, leading: str) -> None:
    found = {
        q.number for t in hypotheses("He has 427 hats.", Label.ENTAILMENT, digits=digits) for q in find_quantities(t)
    }
    assert found == {f"{digit}27" for digit in leading}


def test_which_number_is_changed() -> None:
    premise = "At least 3 men bought 40 hats in 1984 and 25 scarves."
    changed = {edit.facts["quantity"] for seed in SEEDS for edit in made(premise, seed=seed)}
    assert changed == {"40", "25"}, "what is limited already, and a year, can't be compared"
    changed = {edit.facts["quantity"] for seed in SEEDS for edit in made(premise, seed=seed, number="random")}
    assert changed == {"3", "40", "25"}
    changed = {edit.facts["quantity"] for seed in SEEDS for edit in made(premise, seed=seed, number="first-integer")}
    assert changed == {"3"}


def test_both_hypotheses_of_a_strict_premise_speak_of_one_quantity() -> None:
    premise = "The men bought 40 hats for $25."
    for seed in SEEDS:
        assert len({edit.facts["quantity"] for edit in made(premise, seed=seed)}) == 1
    both = [[edit.facts["quantity"] for edit in made(premise, seed=seed, fidelity="paper")] for seed in SEEDS]
    assert any(first != second for first, second, _ in both), "the paper draws one for each"


@pytest.mark.parametrize("token", ["$50", "1,000", "3.5", "20%", "100.", "-7", "1_000", "forty"])
def test_the_code_sees_bare_integers_only(token: str) -> None:
    transform = Numeracy(fidelity="code")
    assert transform(pair(premise=f"They have {token} hats"), Random(0)) == NO_INTEGER
    later = f"They have {token} or 30 hats"
    assert {edit.facts["quantity"] for edit in made(later, fidelity="code")} == {"30"}


def test_the_code_loses_leading_zeros_and_joins_with_single_blanks() -> None:
    premise = "  They   have\n007 hats "
    for entailed, contradictory, neutral in texts(premise, fidelity="code"):
        assert entailed[0] == contradictory[0] == neutral[1] == premise
        assert entailed[1].split(" ") == entailed[1].split()
        assert "00" not in entailed[1]
    for entailed, *_ in texts(premise, fidelity="code", spaces="keep"):
        assert entailed[1].startswith("  They   have\n")


def test_a_premise_without_an_integer_never_gets_the_hypotheses_of_another() -> None:
    """The released code reuses those of the premise before; a transform can't, and says why there is no case."""
    transform = Numeracy(fidelity="code")
    assert isinstance(transform(pair(premise="They have 3 hats"), Random(0)), list)
    assert transform(pair(premise="They have hats"), Random(0)) == NO_INTEGER


@pytest.mark.parametrize(
    ("premise", "skip"),
    [
        ("They have hats.", NO_QUANTITY),
        ("They met in 1984 at 5 p.m.", NO_QUANTITY),
        ("They have at least 40 hats.", NOT_COMPARABLE),
        ("The 40 hats are red.", NOT_COMPARABLE),
        ("She has 1 hat.", NOT_COMPARABLE),
        ("", NO_QUANTITY),
    ],
)
def test_reasons(premise: str, skip: Skip) -> None:
    assert Numeracy()(pair(premise=premise), Random(0)) == skip


TOKENS = "Ada sold 40 1,250 3.5 $7 15% two forty-one 0 00 -3 hats . ? not 1984 Été 😀 ٣ a\u00a0b \n"
Words = st.lists(st.sampled_from(TOKENS.split(" "))).map(" ".join)


@pytest.mark.parametrize("fidelity", ["strict", "paper", "code"])
@given(premise=st.one_of(st.text(max_size=40), Words), seed=st.integers(0, 9))
def test_any_text_gives_three_cases_or_a_reason(fidelity: str, premise: str, seed: int) -> None:
    transform = Numeracy(fidelity=fidelity)  # type: ignore[arg-type]
    source = pair(premise=premise)
    first = transform(source, Random(seed))
    again = pickle.loads(pickle.dumps(transform))(source, Random(seed))
    assert first == again
    if isinstance(first, Skip):
        assert first.reason
        return
    assert [edit.label for edit in first] == [Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL]
    assert all("\0" not in text and text for edit in first for text in edit.apply(source))


@given(value=st.integers(0, 10**14), seed=st.integers(0, 9))
def test_any_integer_is_changed_in_its_leading_digit(value: int, seed: int) -> None:
    for edit in made(f"x {value} y", seed=seed, fidelity="code"):
        (change,) = edit.premise or edit.hypothesis
        new = change.new.split()[-1]
        assert len(new) == len(str(value))
        assert new[1:] == str(value)[1:]


def test_a_very_long_number_is_no_trouble() -> None:
    digits = "9" * 30_000
    assert len(made(f"x {digits} y", fidelity="code")) == 3
    assert Numeracy()(pair(premise=f"x {digits} y"), Random(0)) == NO_QUANTITY


def problem(question: str = "Maria Hill has 40 hats.", *, answer: str = "B)5", rationale: str = "Five.") -> Problem:
    return Problem(id="p", question=question, options=("A)1", answer), rationale=rationale, correct="B")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        *((each, True) for each in ("B)5", "B ) 5", "B ) 1.5")),
        *((each, False) for each in ("B)1", "B)-5", "B)5 km", "B)", "B)1,000", "5", "C)5", "B)nan")),
    ],
)
def test_numeric_answers(answer: str, expected: bool) -> None:
    assert has_numeric_answer(problem(answer=answer)) is expected


@pytest.mark.parametrize(
    ("rationale", "passing"),
    [
        ("One.\nTwo.\nThree.", {"3-sentences", "3-lines", "5-lines"}),
        ("One. Two. Three. Four.", {"3-lines", "5-lines"}),
        ("1\n2\n3\n4\n5", {"5-lines"}),
        ("1\n2\n3\n4\n5\n6", set()),
    ],
)
def test_rationales(rationale: str, passing: set[str]) -> None:
    kinds = ("3-sentences", "3-lines", "5-lines")
    assert {kind for kind in kinds if list(PremiseSplitter(kind)(problem(rationale=rationale)))} == passing  # type: ignore[arg-type]


def test_a_filter_that_cannot_be_answered_is_counted_and_lets_pass() -> None:
    premises = PremiseSplitter()
    assert len(list(premises(problem(rationale=" ")))) == 1
    assert not premises.skips
    assert ["1 problems" in note and "can't be checked" in note for note in premises.told()] == [True]


def test_sentences_become_pairs() -> None:
    premises = PremiseSplitter()
    question = "Maria Hill has 40 hats. She sold 3 hats. Maria Hill left. How many hats has Maria Hill after 2 days?"
    found = list(premises(problem(question)))
    assert [(each.id, each.premise, each.hypothesis, each.label) for each in found][:1] == [
        ("p#0", "Maria Hill has 40 hats.", "Maria Hill has 40 hats.", Label.ENTAILMENT)
    ]
    assert {
        "sentence of a problem: it asks",
        "sentence of a problem: no number",
        "sentence of a problem: no person, place or organisation",
    } <= set(premises.skips)
    kept = [each.id for each in PremiseSplitter(questions="keep")(problem(question))]
    assert "p#3" in kept


def test_people_need_no_name_where_a_noun_tells_of_them() -> None:
    question = "A farmer sold 40 hats. Trains need 30 minutes. The price of it is"
    assert [each.premise for each in PremiseSplitter(actors="people")(problem(question))] == ["A farmer sold 40 hats."]
    assert list(PremiseSplitter(actors="names")(problem(question))) == []


def test_a_corpus_of_problems_is_a_source(tmp_path: Path) -> None:
    rows = [
        {"question": "Maria Hill has 40 hats. What is it?", "options": ["A)5"], "rationale": "", "correct": "A"},
        {"question": "Maria Hill has 30 hats.", "options": ["A)5 km"], "rationale": "Five.", "correct": "A"},
    ]
    file = tmp_path / "problems.json.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    suite = assay.build(["numeracy", "negation"], file, out=tmp_path / "suite")
    assay.verify(tmp_path / "suite")
    assert suite.manifest.counts["numeracy"] == {"contradiction": 1, "entailment": 1, "neutral": 1}
    assert suite.manifest.counts["negation"] == {"entailment": 1}
    assert suite.manifest.skips["numeracy"] == {
        "problem: the answer is not a number above 1": 1,
        "sentence of a problem: it asks": 1,
    }
    assert {case.origin for case in suite} == {"row-1#0"}
    assert (suite.manifest.source.rows, suite.manifest.source.pairs) == (2, 1)
    assert any("can't be checked" in note for note in suite.manifest.source.notes)


@pytest.mark.parametrize(
    ("file", "rationale", "passing"),
    [("dev", "5-lines", 84), ("dev", "3-lines", 40), ("test", "5-lines", 83), ("test", "3-lines", 48)],
)
def test_as_many_problems_pass_as_in_the_released_code(shared: Path, file: str, rationale: str, passing: int) -> None:
    premises = PremiseSplitter(rationale)  # type: ignore[arg-type]
    problems = list(assay.read(shared / "aqua_rat" / f"{file}.tok.json.gz").records())
    for each in problems:
        assert isinstance(each, Problem)
        list(premises(each))
    left_out = sum(count for reason, count in premises.skips.items() if reason.startswith("problem: the "))
    assert len(problems) - left_out == passing
