"""Wrong diagnoses: honest models get none, and models that follow a shortcut get no other, however few the cases."""

from pathlib import Path
from random import Random
from typing import NamedTuple, get_args

import msgspec
import numpy
import pytest
from tests.evaluate.honest_models import HONEST, Honest
from tests.run.diagnosed_models import FOOLING, Answer

import assay
from assay.core.case import Case
from assay.core.judgement import Effect, Shortcut
from assay.core.label_space import LABELS, LabelNames
from assay.evaluate.case_columns import Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence
from assay.evaluate.diagnose.diagnosis_headline import headline
from assay.evaluate.diagnose.planting import (
    FOUND,
    PLANTED,
    are_named,
    honest_answers,
    measure_sensitivity,
    plant_rule,
    planted_rules,
    share_found,
    unseen_shortcuts,
)
from assay.evaluate.diagnose.shortcut_effects import measure_effects
from assay.evaluate.diagnose.shortcut_rules import fixed_rules, ground_of, learnable_rules
from assay.run.diagnose_run import read_evidence
from assay.run.stored_run import StoredRun, run_folder


class Cases(NamedTuple):
    """The cases of a run with the default families."""

    evidence: Evidence
    cases: list[Case]

    def named(self, answers: Ints) -> set[str]:
        """The shortcuts that a model with these answers is said to follow; a preferred label is none."""
        [found] = measure_effects(self.evidence._replace(answers=answers[None]))
        named: set[str] = {each.name for each in found if each.follows or each.possible}
        return named - {"prior", "constant"}

    def answers(self, rule: Answer) -> Ints:
        """The answers that a rule gives."""
        return numpy.array([LABELS.index(rule(case)) for case in self.cases])


def cases_of(pairs: int, folder: Path) -> Cases:
    source = list(assay.read("bundled"))
    Random(0).shuffle(source)
    record = assay.run(source[:pairs], models=["assay:majority"], out=folder)
    run = StoredRun.of(run_folder(record), record)
    evidence = read_evidence(run, record.spec)
    assert evidence
    return Cases(
        evidence, [msgspec.json.decode(line, type=Case) for suite in run.suites.values() for line in suite.lines()]
    )


@pytest.fixture(scope="module")
def of_200(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return cases_of(200, tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def of_60(tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return cases_of(60, tmp_path_factory.mktemp("runs"))


@pytest.mark.parametrize("name", HONEST)
def test_a_model_that_errs_at_random_gets_no_diagnosis(name: str, of_60: Cases, of_200: Cases) -> None:
    for cases in (of_60, of_200):
        assert cases.named(HONEST[name](Honest(cases.evidence, numpy.random.default_rng(1)))) == set()


@pytest.mark.parametrize("name", FOOLING)
def test_no_rival_is_named(name: str, of_60: Cases, of_200: Cases) -> None:
    rule, names = FOOLING[name]
    for cases in (of_60, of_200):
        assert cases.named(cases.answers(rule)) <= {*names, "unknown"}


@pytest.mark.parametrize("name", [each for each in FOOLING if each not in ("pman", "word-pair")])
def test_the_shortcut_is_named(name: str, of_200: Cases) -> None:
    rule, names = FOOLING[name]
    assert of_200.named(of_200.answers(rule)) & {*names}


@pytest.mark.parametrize("name", ["mostly-shared", "parity", "firstword", "lastword", "reverse", "number", "comma"])
def test_few_pairs_are_enough_for_some_shortcuts(name: str, of_60: Cases) -> None:
    rule, names = FOOLING[name]
    assert of_60.named(of_60.answers(rule)) & {*names}


def test_what_no_known_shortcut_explains_is_called_unknown(of_200: Cases) -> None:
    rule, _ = FOOLING["pman"]  # too few premises have such a word to learn that it is the premise
    [found] = measure_effects(of_200.evidence._replace(answers=of_200.answers(rule)[None]))
    assert [each.name for each in found if each.follows or each.possible] == ["unknown"]
    assert headline(found, [], LabelNames()).startswith("answers systematically from something other")


@pytest.mark.parametrize("name", sorted({*get_args(Shortcut)} - {"constant", "order", "prior", "unknown"}))
def test_shortcuts_that_the_cases_cannot_tell_apart_are_named(name: Shortcut) -> None:
    found = [Effect(name=each, rule="", possible=True) for each in (name, "overlap")]
    assert headline(found, [], LabelNames()).endswith(" or shared words")


def test_what_is_planted_is_found_if_it_is_strong_and_cases_are_many(of_200: Cases) -> None:
    evidence, rng = of_200.evidence, numpy.random.default_rng(0)
    ground, rules = ground_of(evidence), fixed_rules(evidence)
    [negation] = [each for each in rules if (each.name, each.answer) == ("negation", "contradiction")]
    assert of_200.named(plant_rule(honest_answers(ground, rng), negation, ground, rng, reliance=0.6)) == {"negation"}
    strong, none = (share_found(evidence, negation, tests=40, reliance=each) for each in (0.5, 0.0))
    assert (strong, none) == (1.0, 0.0)


def test_shortcuts_are_unseen_if_no_rule_of_theirs_is_found_in_most_draws(tmp_path: Path) -> None:
    """Drawing stops where the answer is certain, which changes no answer."""
    corpus, families = assay.read("bundled", limit=90), ["negation", "word-overlap", "heuristics"]
    record = assay.run(corpus, families=families, per_subcase=2, models="assay:majority", out=tmp_path)
    evidence = read_evidence(StoredRun.of(run_folder(record), record), record.spec)
    assert evidence
    rules = fixed_rules(evidence)
    tests = len(rules) + len(learnable_rules(evidence))
    shares = {rule.name: 0.0 for rule in rules if rule.name in PLANTED and rule.name != "first-word"}
    for rule in rules:
        if rule.name in shares:
            shares[rule.name] = max(shares[rule.name], share_found(evidence, rule, tests=tests))
    unseen = {name for name, share in shares.items() if share < FOUND}
    assert unseen
    assert unseen < shares.keys()
    assert {name for name in unseen_shortcuts(evidence) if name in shares} == unseen


def test_a_diagnosis_says_which_reliance_it_would_have_noticed(of_200: Cases) -> None:
    """At the reported strength most other models are named, too, at half of it few are."""
    evidence = of_200.evidence
    [found] = measure_sensitivity(evidence, shortcuts=["negation"], trials=40)
    assert (found.shortcut, found.draws) == ("negation", 40)
    assert found.weakest is not None
    [rule] = planted_rules(evidence, ["negation"])
    assert rule.words == found.rule
    at, below = (sum(are_named(evidence, rule, [part * found.weakest] * 10, first=1000)) for part in (1, 0.5))
    assert at >= 5
    assert below <= 3


def test_each_shortcut_of_one_text_is_planted_by_a_word_that_divides_the_pairs(of_200: Cases) -> None:
    names = ["first-word", "hypothesis", "premise"]
    rules = planted_rules(of_200.evidence, names)  # type: ignore[arg-type]
    assert [rule.name for rule in rules] == names
    unmodified = of_200.evidence.original
    for rule in rules:
        assert 0.05 < (rule.says[unmodified] != SILENT).mean() < 0.7


def test_a_shortcut_that_these_cases_lack_is_not_noticed(of_60: Cases) -> None:
    rare = of_60.evidence._replace(
        surface=of_60.evidence.surface._replace(negated=numpy.arange(len(of_60.evidence.label)) < 5)
    )
    [found] = measure_sensitivity(rare, shortcuts=["negation"], trials=30)
    assert (found.weakest, found.draws) == (None, 20)  # not even the first models are named
