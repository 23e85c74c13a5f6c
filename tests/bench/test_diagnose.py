"""Diagnoses of models whose reasons are known: each is named correctly, and nothing else is."""

import pytest
from tests.bench.diagnosed_models import BASELINES, HONEST, SHORTCUTS, Rule, mixed, negation, words_shared

import assay
from assay.core.results.diagnosis import Profile
from assay.core.run import RunRecord

FAMILIES = ["word-overlap", "negation", "length-mismatch", "swap", "heuristics"]

MIXED = {
    f"mostly-{name}": (mixed(0.7, rule), shortcut)
    for name, (rule, shortcut) in SHORTCUTS.items()
    if shortcut not in ("constant", "prior")
}
"""Models that follow a shortcut in seven of ten cases, and are right in the others."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    models: dict[str, object] = {name: Rule(answer) for name, answer in HONEST.items()}
    models |= {name: Rule(answer) for name, (answer, _) in {**SHORTCUTS, **MIXED}.items()}
    models |= {
        "both": Rule(
            lambda case: negation(case) if words_shared(case) is not assay.Label.ENTAILMENT else words_shared(case)
        )
    }
    return assay.run(
        families=FAMILIES,
        models={**models, **{name: name for name in BASELINES}},  # type: ignore[arg-type]
        per_subcase=20,
        out=tmp_path_factory.mktemp("runs"),
    )


def profile(record: RunRecord, name: str) -> Profile:
    assert record.diagnosis
    [found] = [each for each in record.diagnosis.profiles if each.model in (f"object:{name}", f"{name}/v1")]
    return found


def followed(record: RunRecord, name: str) -> list[str]:
    return [each.name for each in profile(record, name).followed]


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_model_gets_no_diagnosis(record: RunRecord, name: str) -> None:
    assert followed(record, name) == []
    assert profile(record, name).headline == "follows no shortcut that shows in this run"


@pytest.mark.parametrize("name", SHORTCUTS)
def test_a_shortcut_is_named_and_nothing_else(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [SHORTCUTS[name][1]]


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_is_diagnosed_as_what_it_is(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [BASELINES[name]]


@pytest.mark.parametrize("name", MIXED)
def test_a_shortcut_is_named_even_if_it_is_not_always_followed(record: RunRecord, name: str) -> None:
    assert followed(record, name) == [MIXED[name][1]]


def test_two_shortcuts_are_both_named(record: RunRecord) -> None:
    assert {*followed(record, "both")} == {"overlap", "negation"}
