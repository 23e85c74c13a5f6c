"""The work that a long text makes: it grows with the text, not with its square, and it has a bound."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import pair

from assay.core.case import Case, case_from
from assay.core.edit import Skip
from assay.language.text import tokens as splitting
from assay.language.text.analysis import analyse
from assay.language.text.tokens import tokens
from assay.language.words import inflection
from assay.language.words.proper_names import find_names
from assay.run.build.case_builder import LONGEST, MOST, TOO_LONG, TOO_MANY, BuildStep, unproven
from assay.run.build.recipes import recipes_for

FAMILIES = [
    *("word-overlap", "negation", "length-mismatch", "antonymy", "numeracy", "swap", "heuristics", "original"),
    *("spelling:content-word", "spelling:function-word", "spelling:adjacent-swap", "spelling:keyboard", "lexical"),
]
FAITHFUL = [family for family in FAMILIES if family not in ("lexical", "original")]
EXCERPTED = ("antonymy", "numeracy", "lexical", "swap")
DOUBLE = 2.5
"""Twice the text may make so many times the work; the square would make it four times."""
SLACK = 5_000
"""Calls more or less, because places are drawn and words are looked up once."""
PER_PIECE = 300
"""Calls that a proof makes at most for each repeated piece of a text."""

SENTENCES = (
    "The old baker sold 40 hats near the river.",
    "A tall woman carried an open box to the kitchen.",
    "My brother was tired, and the soup was cold.",
    "Maria bought three green apples for $12.",
)
HOSTILE = ("big, ", "the man and ", "12 hats ", "a hot ", "U.S. ", '"', " 'a", "(", "BIG DOG ", "X", "7", "dog's ", ".")


def text_of(number: int) -> str:
    return " ".join(SENTENCES[i % len(SENTENCES)] for i in range(number))


def step_of(family: str, fidelity: str = "strict") -> BuildStep:
    made = recipes_for([family], seed=0, switches={} if fidelity == "strict" else {"fidelity": fidelity})
    step = BuildStep(made[-1])
    step.cases(pair(0, premise=text_of(4), hypothesis=text_of(4)))  # what is loaded once is not counted
    return step


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, ours and built-in ones."""
    count = 0

    def counted(frame: object, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("family", "fidelity"),
    [(family, "strict") for family in FAMILIES] + [(family, each) for family in FAITHFUL for each in ("paper", "code")],
)
def test_the_work_of_a_family_grows_with_the_text(family: str, fidelity: str) -> None:
    step = step_of(family, fidelity)

    def work(number: int) -> int:
        each = pair(number, premise=text_of(number), hypothesis=text_of(number + 1))
        analyse.cache_clear()  # another family may have asked
        return calls_of(lambda: step.cases(each))

    assert work(48) < DOUBLE * work(24) + SLACK


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_work_of_a_proof_grows_with_the_text(family: str, hostile: str) -> None:
    step = step_of(family)

    number = 400
    text = f"The soup was hot and Maria sold 40 hats. {hostile * number}"
    each = pair(premise=text, hypothesis=f"{text}.")
    edits: Any = step.transform(each, step.rng.keyed(each.id))
    some = [] if isinstance(edits, Skip) else edits[:: max(1, len(edits) - 1)]  # the first and the last one
    cases = [case_from(each, edit, family=family, recipe=step.recipe) for edit in some]
    assert calls_of(lambda: [unproven(case) for case in cases]) < PER_PIECE * number


class Counted:
    """A pattern that counts the characters that it is asked to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.characters = 0

    def search(self, text: str, start: int, end: int) -> re.Match[str] | None:
        self.characters += end - start
        return self.pattern.search(text, start, end)


@pytest.mark.parametrize(
    ("module", "name", "piece", "ask"),
    [
        (
            *(inflection, "_ARTICLE", "a hot "),
            lambda text: [inflection.article_repair(text, match.start(), "old") for match in re.finditer("hot", text)],
        ),
        (splitting, "_WORD_BEFORE", "Mr. Hill ", splitting.find_sentences),
    ],
)
def test_what_stands_before_a_place_is_looked_for_near_it(
    module: Any, name: str, piece: str, ask: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(getattr(module, name))
    monkeypatch.setattr(module, name, counted)

    def work(number: int) -> int:
        counted.characters = 0
        ask(piece * number)
        return counted.characters

    assert 0 < work(400) < DOUBLE * work(200)


def test_a_run_of_capitals_is_looked_at_once() -> None:
    def work(number: int) -> int:
        words = tokens("table " + "Bread Table " * number)
        return calls_of(lambda: find_names(words, ["NNP"] * len(words)))

    assert work(400) < DOUBLE * work(200)


def test_marks_without_an_end_are_looked_at_once() -> None:
    text = "big" + "." * 20_000 + "x"
    assert splitting.find_sentences(text) == [(0, len(text))]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("side", ["premise", "hypothesis"])
def test_a_book_is_no_source(family: str, side: str) -> None:
    book = text_of(LONGEST // len(SENTENCES[0]) + 1)
    assert len(book) > LONGEST
    each = pair(premise=book) if side == "premise" else pair(hypothesis=book)
    made = step_of(family).cases(each)
    if side == "premise" and family in EXCERPTED:  # a sentence stands for it
        assert made
        assert all(isinstance(case, Skip) or len(case.premise) < 100 for case in made)
    elif family in ("original", "swap"):  # nothing is looked for in the text
        assert [isinstance(case, Case) for case in made] == [True]
    else:
        assert made == [TOO_LONG]


def test_more_cases_than_memory_holds_are_not_made() -> None:
    recipe = recipes_for(["antonymy"], seed=0)[-1]
    text = "The soup is hot. " * (LONGEST // 17)
    assert len(text) <= LONGEST < MOST
    assert BuildStep(recipe).cases(pair(premise=text, hypothesis=text)) == [TOO_MANY]
