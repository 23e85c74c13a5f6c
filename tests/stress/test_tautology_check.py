"""The check of tautologies catches every damage that the quirks do, and a wrong builder."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import pair

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.core.label import Label
from assay.core.rng import rng_for
from assay.run.build.case_builder import BuildStep, check_of
from assay.stress.original import CHANGED
from assay.stress.tautology import check as reasons
from assay.stress.tautology.build import LengthMismatch, Negation, WordOverlap
from assay.stress.tautology.check import TautologyCheck, clauses_in

KINDS: dict[str, Any] = {"negation": Negation, "word-overlap": WordOverlap, "length-mismatch": LengthMismatch}
TEXT = "A cook fries two eggs."
CLAUSE = " and false is not true"


def reason(case: Case) -> str:
    found = TautologyCheck()(case)
    return found.reason if found else ""


def built(family: str, text: str, **options: Any) -> str:
    """What the check says of what a builder makes of a text; the recipe claims nothing but the defaults."""
    transform = KINDS[family](**options)
    source = pair(premise=text, hypothesis=text)
    (edit,) = transform(source, rng_for(0, transform="t/v1", pair="1"))
    recipe = Recipe(transform=f"{family}/v1", seed=0)
    return reason(case_from(source, edit, family=family, recipe=recipe))


def made(
    new: str = CLAUSE, *, start: int = len(TEXT) - 1, old: str = "", family: str = "negation", **edit: Any
) -> Case:
    side = "premise" if family == "length-mismatch" else "hypothesis"
    change = Edit(**{side: (Replacement(start, old, new),), **edit})
    recipe = Recipe(transform=f"{family}/v1", seed=0)
    return case_from(pair(premise=TEXT, hypothesis=TEXT), change, family=family, recipe=recipe)


@pytest.mark.parametrize("family", KINDS)
def test_it_is_registered(family: str) -> None:
    assert isinstance(check_of(f"{family}/v1"), TautologyCheck)


@pytest.mark.parametrize("family", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        "It rains.",
        "It rains",
        "it rained a lot .",
        "Nobody knows the way to the U.S.",
        'He left, and she said "no".',
        "Dogs like cats!",
        "She grows beans (and peas).",
        "He did not mind the rain, did he. It was late.",
        "So did they, for three years in a row.",
    ],
)
def test_statements_are_proven(family: str, text: str) -> None:
    assert built(family, text) == ""


@pytest.mark.parametrize(
    ("text", "hypothesis", "premise"),
    [
        ("Does it rain?", reasons.QUESTION, reasons.QUESTION),
        ("uh do you like tea", reasons.QUESTION, reasons.QUESTION),
        ("well what are you reading", reasons.QUESTION, reasons.QUESTION),
        ("Umbrellas.", reasons.FRAGMENT, reasons.FRAGMENT),
        ("Red umbrellas", reasons.FRAGMENT, reasons.FRAGMENT),
        ("The umbrella in the corner", reasons.FRAGMENT, None),
        ("Please bring an umbrella.", reasons.COMMAND, None),
        ("Don't open the umbrella.", reasons.COMMAND, None),
        ("Let's see whether it is dry.", reasons.COMMAND, None),
        ("He opened his umbrella, and", reasons.UNFINISHED, reasons.UNFINISHED),
        ("He opened his umbrella:", reasons.UNFINISHED, reasons.UNFINISHED),
        ("Click here to open the umbrella.", reasons.COMMAND, None),
        ("He opened his umbrella and .", reasons.UNFINISHED, reasons.UNFINISHED),
        ('She told him, "it rains."', reasons.SPOKEN, None),
        ("She told him, 'it rains.'", reasons.SPOKEN, None),
        ("She told him , `` it rains . ''", reasons.SPOKEN, None),
        ("He was late (it was in 62 Fed.", reasons.BRACKET, reasons.BRACKET),
        ('"It rains and pours."', None, None),
    ],
)
def test_what_a_clause_does_not_fit(text: str, hypothesis: Any, premise: Any) -> None:
    assert built("negation", text, own_sentence=False) == (hypothesis.reason if hypothesis else "")
    assert built("word-overlap", text, own_sentence=False) == (hypothesis.reason if hypothesis else "")
    assert built("length-mismatch", text, own_sentence=False) == (premise.reason if premise else "")


@pytest.mark.parametrize("family", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        "Does it rain?",
        "Does it rain ?",
        "uh do you like tea",
        "how many cups of tea do you drink",
        "is the tea hot",
        "Umbrellas.",
        "Red umbrellas",
        "Please bring an umbrella!",
        'She asked, "does it rain?"',
        "She told him , `` it rains . ''",
        "(Does it rain?)",
    ],
)
def test_a_sentence_of_its_own_follows_anything_that_has_ended(family: str, text: str) -> None:
    assert built(family, text) == ""


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("yeah i opened the umbrella but", " but. And true is true."),
        ("he walked in the rain)", " rain). And true is true."),
        ("is the umbrella wet", " wet? And true is true."),
        ("he opened the umbrella", " umbrella and true is true"),
    ],
)
def test_talk_that_a_clause_can_not_be_joined_to_gets_a_sentence(text: str, end: str) -> None:
    source = pair(premise=text)
    (case,) = BuildStep(Recipe(transform="length-mismatch/v1", options={"times": 1}, seed=0)).cases(source)
    assert isinstance(case, Case)
    assert case.premise.endswith(end)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Umbrellas and .", reasons.UNFINISHED),
        ("Why, umbrellas,", reasons.UNFINISHED),
        ("He was late (it was in 62 Fed.", reasons.BRACKET),
        ('She asked, "does it rain?', reasons.SPOKEN),
    ],
)
def test_a_sentence_of_its_own_does_not_follow_what_is_open(text: str, why: Any) -> None:
    assert built("negation", text) == why.reason


SENTENCE = " And false is not true."


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (made(), None),
        (made(" and true is true" * 5, family="length-mismatch"), None),
        (made(" and green is not red"), None),
        (made(SENTENCE, start=len(TEXT)), None),
        (made(" And true is true" + " and true is true" * 4 + ".", start=len(TEXT), family="length-mismatch"), None),
        (made(" And false is true.", start=len(TEXT)), reasons.FALSE),
        (made(" And false is not true. It rains.", start=len(TEXT)), reasons.FALSE),
        (made(" And false is not true", start=len(TEXT)), reasons.FALSE),
        (made(" And false is not true and false is not true.", start=len(TEXT)), reasons.TIMES),
        (made(SENTENCE), reasons.MOVED),
        (made(SENTENCE, start=0), reasons.MOVED),
        (made("?" + SENTENCE, start=len(TEXT)), reasons.STOPS),
        (made(SENTENCE, start=len(TEXT) - 1, old="."), CHANGED),
        (msgspec.structs.replace(made(SENTENCE, start=len(TEXT)), hypothesis=TEXT + " It rains."), CHANGED),
        (made(" and false is true"), reasons.FALSE),
        (made(" and true is not true"), reasons.FALSE),
        (made(" and red is crimson"), reasons.FALSE),
        (made(" and red is not crimson"), reasons.FALSE),
        (made(" and eggs are eggs"), reasons.FALSE),
        (made(CLAUSE + " and it rains"), reasons.FALSE),
        (made(""), reasons.FALSE),
        (made(CLAUSE * 2), reasons.TIMES),
        (made(" and true is true" * 4, family="length-mismatch"), reasons.TIMES),
        (made(start=6), reasons.MOVED),
        (made(start=0), reasons.MOVED),
        (made(CLAUSE + ".", old="."), reasons.FALSE),
        (made(CLAUSE, old="."), CHANGED),
        (made(CLAUSE, start=12, old=" two eggs."), CHANGED),
        (made(label=Label.CONTRADICTION), CHANGED),
        (made(hypothesis=(), premise=(Replacement(len(TEXT) - 1, "", CLAUSE),)), reasons.WRONG_SIDE),
        (made(hypothesis=(), premise=()), reasons.TIMES),
        (
            made(premise=(Replacement(len(TEXT) - 1, "", CLAUSE),)),
            reasons.TWICE,
        ),
        (msgspec.structs.replace(made(), hypothesis="A cook and false is not true."), CHANGED),
        (msgspec.structs.replace(made(), hypothesis=made().hypothesis.replace("two", "three")), CHANGED),
        (msgspec.structs.replace(made(), premise="Another."), CHANGED),
    ],
)
def test_damaged_cases_are_caught(case: Case, why: Any) -> None:
    assert reason(case) == (why.reason if why else "")


@pytest.mark.parametrize("family", KINDS)
def test_the_released_codes_cases_do_not_get_through(family: str) -> None:
    assert built(family, "It costs 3.5 dollars. It rains.", fidelity="code") != ""
    assert built(family, "It rains.", fidelity="code") != ""


def test_the_lowest_rung_of_a_ladder_is_the_pair() -> None:
    recipe = Recipe(transform="negation/v1", options={"times": 0}, seed=0, severity=0)
    assert reason(case_from(pair(), Edit(), family="negation", recipe=recipe)) == ""


@given(st.text(max_size=30))
def test_no_other_text_is_always_true(text: str) -> None:
    assert clauses_in(text) == 0


@given(st.lists(st.sampled_from([" and true is true", " and false is not true", " and one is not two"]), min_size=1))
def test_clauses_are_counted(clauses: list[str]) -> None:
    assert clauses_in("".join(clauses)) == len(clauses)
    assert clauses_in("".join(clauses) + " and false is true") == 0
