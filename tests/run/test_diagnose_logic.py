"""Models that fail on logic for a known reason are diagnosed with it."""

from pathlib import Path

import pytest
from tests.run.diagnosed_models import Rule, mixed, truth

import assay
from assay.core.case import Case
from assay.core.label import Label
from assay.core.run_record import RunRecord


def no_scope(case: Case) -> Label:
    """Takes a more general word as entailed, and a more specific one as neutral, whatever negates it."""
    change = case.group.get("change")
    return truth(case) if change is None else Label.ENTAILMENT if change == "general" else Label.NEUTRAL


def any_replacement(case: Case) -> Label:
    """Entailment wherever something is replaced."""
    return Label.ENTAILMENT if "change" in case.group else truth(case)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    models = {"honest": Rule(truth), "no-scope": Rule(no_scope), "any-replacement": Rule(any_replacement)}
    models["mostly-no-scope"] = Rule(mixed(0.7, no_scope))
    return assay.run(
        assay.read("bundled", limit=90),
        families=["negation", "scope", "conjunction"],
        models=models,
        out=Path(tmp_path_factory.mktemp("runs")),
    )


@pytest.mark.parametrize(
    ("name", "shortcuts"),
    [
        ("honest", []),
        ("no-scope", ["scope"]),
        ("mostly-no-scope", ["scope"]),
        ("any-replacement", ["replacement"]),
    ],
)
def test_the_reason_is_named_and_nothing_else(name: str, shortcuts: list[str], record: RunRecord) -> None:
    assert record.diagnosis
    [found] = [each for each in record.diagnosis.profiles if each.model == f"object:{name}"]
    assert [each.name for each in found.followed] == shortcuts


def test_a_headline_says_it(record: RunRecord) -> None:
    assert record.diagnosis
    said = {each.model: each.headline for each in record.diagnosis.profiles}
    assert said["object:no-scope"].startswith("ignores what a negation applies to (100% of the ")
    assert said["object:any-replacement"].startswith("treats every replacement as entailment (100% of the ")
