"""Unknown shortcuts: a rule in a model's answers is only called a shortcut if new cases confirm it."""

import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy
import pytest

import assay
from assay.core.judgement import UnknownShortcut
from assay.core.label import Label
from assay.evaluate.diagnose.rule_search import ArmAnswers, confirm_pattern
from assay.evaluate.diagnose.shortcut_rules import CONTRADICTION, ENTAILMENT, NEUTRAL
from assay.evaluate.diagnose.text_features import Feature, FeatureReader
from assay.run.find_shortcuts import add_clauses
from assay.run.verify_stored import examine_run

FAMILIES = ["original", "word-overlap", "spelling", "length-mismatch"]


class Reader:
    """Knows the bundled pairs, with or without clauses such as "and red is red", and errs on a tenth of all texts."""

    def __init__(self, rule: str = "") -> None:
        self._rule = re.compile(rule) if rule else None
        self._truth = {self._key(pair.hypothesis): pair.label for pair in assay.read("bundled")}

    @staticmethod
    def _key(text: str) -> str:
        return re.sub(r"[^a-z]", "", re.sub(r" and (\w+) is \1", "", text.lower()))[:24]

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        return [self._answer(premise, hypothesis) for premise, hypothesis in pairs]

    def _answer(self, premise: str, hypothesis: str) -> str:
        if self._rule and self._rule.search(hypothesis):
            return "contradiction"
        truth = self._truth.get(self._key(hypothesis), Label.NEUTRAL)
        if crc32(f"{premise} | {hypothesis}".encode()) % 10:
            return truth.value
        return {"entailment": "neutral", "neutral": "entailment", "contradiction": "neutral"}[truth.value]


def found_by(model: Reader, folder: Path, *, find_shortcuts: bool = True) -> tuple[str, tuple[UnknownShortcut, ...]]:
    record = assay.run(
        "bundled", families=FAMILIES, models={"mine": model}, out=folder, find_shortcuts=find_shortcuts, cache=False
    )
    assert record.diagnosis
    return record.diagnosis.profiles[0].headline, record.diagnosis.profiles[0].searched or ()


def test_a_rule_that_no_family_tests_is_named_after_new_cases_confirm_it(tmp_path: Path) -> None:
    headline, found = found_by(Reader(r"\bof\b"), tmp_path)
    [rule] = [each for each in found if each.confirmed]
    assert rule.rule == 'the hypothesis has the word "of"'
    assert rule.answer == "contradiction"
    assert rule.treated == 1.0
    assert rule.control is not None
    assert rule.control < 0.2
    assert 'answers contradiction if the hypothesis has the word "of"' in headline
    [run] = tmp_path.iterdir()
    assert any((run / "unknown-shortcuts").iterdir())  # the new cases are stored
    assert not examine_run(run, deep=True).damages


def test_an_honest_model_has_no_unknown_shortcut(tmp_path: Path) -> None:
    _, found = found_by(Reader(), tmp_path)
    assert not any(each.confirmed for each in found)


def test_without_new_cases_a_rule_only_goes_with_errors(tmp_path: Path) -> None:
    headline, found = found_by(Reader(r"\bof\b"), tmp_path, find_shortcuts=False)
    assert found == ()
    assert '"of"' not in headline


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> assay.Case:
    pairs = [
        assay.Pair(
            id="1", premise="A dog is barking outside.", hypothesis="A dog is making noise.", label=Label.ENTAILMENT
        )
    ]
    return next(iter(assay.build("original", pairs, out=tmp_path_factory.mktemp("new") / "suite")))


def test_new_cases_add_clauses_that_are_true_whatever_the_words(case: assay.Case) -> None:
    pair = add_clauses(case, ["wood"], ["red", "wood"])
    assert pair
    assert pair.premise == "A dog is barking outside and wood is wood."
    assert pair.hypothesis == "A dog is making noise and red is red and wood is wood."
    assert pair.label is Label.ENTAILMENT


def test_what_is_not_a_word_is_not_added(case: assay.Case) -> None:
    assert add_clauses(case, [], ["isn't"]) is None


def test_features_are_read_from_both_texts() -> None:
    reader = FeatureReader([("A dog barks.", "A red dog never barks loudly.")])
    found = reader.features("A dog barks.", "A red dog never barks loudly.")
    expected = {
        Feature("word", "premise", "dog"),
        Feature("category", "hypothesis", "colors"),
        Feature("negation", "hypothesis", ""),
        Feature("ending", "hypothesis", "ly"),
    }
    assert expected <= found
    assert Feature("category", "premise", "colors") not in found


def test_new_cases_that_are_only_harder_confirm_nothing() -> None:
    gold = numpy.repeat([ENTAILMENT, NEUTRAL, CONTRADICTION], 60)
    rng = numpy.random.default_rng(3)
    hard = numpy.where(rng.random(180) < 0.5, (gold + rng.integers(1, 3, 180)) % 3, gold)
    found = confirm_pattern([ArmAnswers(gold, numpy.arange(180), hard, gold)], CONTRADICTION, binary=False)
    assert found
    assert found.treated - found.control > 0.1
    assert found.p > 0.05
