"""Limits on the cases of one pair of words: what is left out, that it is counted, and that order plays no part."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.conftest import pair

import assay
from assay.core.pair import Pair
from assay.language.resources.installed import wordnet
from assay.run.build.case_builder import ENOUGH, tenth
from assay.storage.suite import Suite

CITIES = ("Rome", "Bonn", "Oslo", "Lima", "Kiev", "Bern", "Prague", "Vienna", "Cairo", "Paris", "Dublin", "Madrid")
SOUPS = [f"The soup in {city} was hot." for city in CITIES]
OTHERS = [
    *("The road was long.", "The box was empty.", "The room was dark.", "The street was narrow.", "The wall was high."),
    *(
        "The work was easy.",
        "The test was possible.",
        "The bag was heavy.",
        "The shirt was dirty.",
        "The window was open.",
    ),
    *("The water was deep.", "The bridge was safe."),
]


@pytest.fixture(scope="module", autouse=True)
def english() -> None:
    wordnet()


def of(texts: Sequence[str]) -> list[Pair]:
    return [pair(number, premise=text, hypothesis="Nothing.") for number, text in enumerate(texts)]


def words(suite: Suite) -> Counter[str]:
    return Counter("/".join(sorted((e.facts["lemma"], e.facts["antonym"]))) for e in map(_edit, suite))


def _edit(case: assay.Case) -> assay.Edit:
    return case.provenance.edit


def test_a_pair_of_words_has_no_more_cases_than_asked_for(tmp_path: Path) -> None:
    whole = assay.build("antonymy", of(SOUPS), out=tmp_path / "whole")
    few = assay.build("antonymy", of(SOUPS), out=tmp_path / "few", switches={"per_word_pair": "5"})
    assert words(whole) == {"cold/hot": 12}, "with one pair of words there is no tenth"
    assert words(few) == {"cold/hot": 5}
    assert few.manifest.cases == 5
    assert few.manifest.counts["antonymy"] == {"contradiction": 5}
    assert few.manifest.skips["antonymy"][ENOUGH] == 7
    assert few.manifest.recipes[0].options == {"per_word_pair": 5}
    assay.verify(tmp_path / "few")


def test_by_default_no_pair_makes_up_more_than_a_tenth_of_ten(tmp_path: Path) -> None:
    suite = assay.build("antonymy", of([*SOUPS, *OTHERS]), out=tmp_path / "suite")
    found = words(suite)
    assert len(found) >= 10
    assert max(found.values()) * 10 <= sum(found.values())
    assert suite.manifest.skips["antonymy"][ENOUGH] == 12 - found["cold/hot"]


def test_what_is_kept_depends_on_no_order(tmp_path: Path) -> None:
    texts = [*SOUPS, *OTHERS]
    one = assay.build("antonymy", of(texts), out=tmp_path / "one")
    other = assay.build("antonymy", of(texts[::-1]), out=tmp_path / "other", storage="jsonl.zst")
    assert {case.hypothesis for case in one} == {case.hypothesis for case in other}


def test_what_the_code_does_is_built_as_it_is(tmp_path: Path) -> None:
    texts = [f"the husband of {city} sang" for city in CITIES] + [
        f"the {noun} came" for noun in ("man", "boy", "king", "uncle", "son", "father", "brother", "queen", "aunt")
    ]
    suite = assay.build("antonymy", of(texts), out=tmp_path / "suite", switches={"fidelity": "code"})
    assert ENOUGH not in suite.manifest.skips["antonymy"]
    limited = assay.build(
        "antonymy", of(texts), out=tmp_path / "limited", switches={"fidelity": "code", "per_word_pair": "2"}
    )
    assert max(words(limited).values()) == 2


def test_a_tenth_is_the_most_that_works() -> None:
    counts = {"a": 50, "b": 9, **dict.fromkeys("cdefghijkl", 4)}
    most = tenth(counts)
    kept = sum(min(count, most) for count in counts.values())
    assert most * 10 <= kept
    assert (most + 1) * 10 > sum(min(count, most + 1) for count in counts.values())
