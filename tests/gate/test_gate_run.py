"""The gate: what stops a pipeline, and what does not."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from tests.fixtures.runs import MakeRun, store

import assay
from assay.compare.comparison_summary import comparison_summary
from assay.core.errors import UserError
from assay.core.label import Label
from assay.gate.gate_report import annotations, junit, outcome_words, points_of
from assay.reports.formatting import p_value
from assay.run.stored_run import open_run


def test_a_rule_is_checked_for_every_model_unless_one_is_named(made: Path) -> None:
    found = assay.gate(made, rules="negation.neutral.accuracy<=0.5")
    assert {each.slice["model"]: each.holds for each in found.rules} == {
        each.slice["model"]: each.value <= 0.5 for each in found.rules
    }
    assert len(found.rules) == 3
    assert not found.passed
    assert assay.gate(made, rules="negation.neutral.accuracy<=0.5", models="majority").passed
    assert not assay.gate(made, rules="model=overlap.negation.neutral.accuracy<=0.5").passed


def test_references_are_judged_only_where_nothing_else_is_tested_or_they_are_named(made: Path, run: MakeRun) -> None:
    tested = run("tested", overlap="assay:mine", majority="assay:majority/v1", hypothesis_words="assay:other/v1")
    record = open_run(tested)
    mine = [msgspec.structs.replace(each, reference=each.model != "assay:mine") for each in record.models]
    store(tested, msgspec.structs.replace(record, models=tuple(mine)))
    found = assay.gate(tested, rules="negation.accuracy>=0")
    assert {each.slice["model"] for each in found.rules} == {"assay:mine"}
    assert any("baselines and not judged" in note for note in found.notes)
    named = assay.gate(tested, rules="negation.accuracy>=0", models="majority")
    assert {each.slice["model"] for each in named.rules} == {"assay:majority/v1"}
    assert len(assay.gate(made, rules="negation.accuracy>=0").rules) == 3, "all of them are baselines"


def test_the_figures_are_those_of_the_record(made: Path) -> None:
    stored = {(e.name, *sorted(e.slice.items())): e.value for e in open_run(made).estimates}
    checked = assay.gate(made, rules=["*.accuracy>=0", "*.drop<=1", "negation.label=*.consistency>=0"]).rules
    assert {each.figure for each in checked} == {"accuracy", "drop", "consistency"}
    for each in checked:
        assert stored[(each.figure, *sorted(each.slice.items()))] == each.value


def test_a_run_is_no_worse_than_itself(made: Path, run: MakeRun) -> None:
    found = assay.gate(made, no_worse_than=run())
    assert found.passed
    assert [each.candidate for each in found.comparisons] == [each.baseline for each in found.comparisons]
    assert len(found.comparisons) == 3


def test_a_significant_loss_stops(made: Path, run: MakeRun) -> None:
    """Perfect answers earlier, the baseline's now."""
    perfect = run("perfect", overlap="assay:overlap/v1")
    answers_right(perfect)
    found = assay.gate(made, no_worse_than=perfect, models="overlap")
    assert not found.passed
    assert [row.slice["family"] for _, row in found.losses] == ["original", "negation"]
    assert all((row.adjusted or 1) < 0.05 and row.difference < 0 for _, row in found.losses)
    assert assay.gate(perfect, no_worse_than=made, models="overlap").passed, "to become better is no loss"


def test_a_loss_that_chance_explains_does_not_stop(made: Path) -> None:
    found = assay.gate(made, no_worse_than=made, models="overlap", against="majority")
    rows = {row.slice["family"]: row for row in found.comparisons[0].slices if "label" not in row.slice}
    assert any(row.difference != 0 for row in rows.values())
    assert found.passed
    assert any("entailment in negation, but not on the family as a whole" in note for note in found.notes)


def test_seeds_of_a_system_count_together(run: MakeRun) -> None:
    one = run("one", majority="assay:x@1", hypothesis_words="assay:x@2")
    two = run("two", overlap="assay:x@3", majority="assay:x@4")
    found = assay.gate(two, no_worse_than=one)
    assert [each.test for each in found.comparisons] == ["seeds"]


def test_too_few_trainings_do_not_pass(run: MakeRun) -> None:
    """Three perfect trainings, then three that only count words: no test of three against three can tell."""
    names = {name: f"assay:x@{seed}" for seed, name in enumerate(("majority", "hypothesis_words", "overlap"))}
    old, new = run("old", **names), run("new", **names)
    answers_right(old)
    found = assay.gate(new, no_worse_than=old)
    assert not found.losses
    assert not found.passed
    assert "assay:x: 3 against 3 training runs can't show a loss; a verdict needs 4 of each." in found.notes
    assert "too few training runs of x to show a loss" in outcome_words(found)
    assert {(point.outcome, point.holds) for point in points_of(found)} == {("inconclusive", False)}
    assert all("was 1.0000, p -, 3 against 3 training runs" in text for text in annotations(found) if "::error" in text)
    assert b'failures="2"' in junit(found)
    single = assay.gate(new, no_worse_than=old, models="x@1")
    assert [each.test for each in single.comparisons] == ["paired"], "one training against one is two models"
    assert len(single.losses) == 2
    assert assay.gate(new, no_worse_than=new, models="x@1").passed


def test_a_support_score_that_no_longer_ranks_stops(tmp_path: Path) -> None:
    """Every answer at the threshold is the same, and the score is dead."""
    pairs = list(assay.read("bundled", limit=90))
    supported = {(pair.premise, pair.hypothesis) for pair in pairs if pair.label is Label.ENTAILMENT}
    scorers = {
        "old": lambda texts: [0.9 if (premise, claim) in supported else 0.7 for premise, claim in texts],
        "new": lambda texts: [0.7 for _ in texts],
    }
    old, new = (
        assay.run(pairs, families=["original"], models={"checker": scorer}, two_way=True, out=tmp_path / name)
        for name, scorer in scorers.items()
    )
    found = assay.gate(new, no_worse_than=old)
    assert not found.losses
    assert not found.passed
    [(_, row)] = found.ranking_losses
    assert (row.candidate, row.baseline, row.slice["family"]) == (0.5, 1.0, "original")
    assert "does not pass: a significantly lower ROC-AUC in 1 family." in outcome_words(found)
    assert [point.what[:7] for point in points_of(found) if not point.holds] == ["ROC-AUC"]
    assert assay.gate(old, no_worse_than=new).passed
    shown = Console(width=200, record=True, file=StringIO())
    shown.print(comparison_summary(assay.compare(old, new)))
    text = shown.export_text()
    assert "ROC-AUC lower: original." in text
    assert re.search(r"ROC-AUC +50\.0 +100\.0 +-50\.0 .* lower", text)
    assert "No difference" not in text


def test_a_model_that_the_earlier_run_lacks_is_told(made: Path, run: MakeRun) -> None:
    earlier = run("earlier", overlap="assay:overlap/v1")
    found = assay.gate(made, no_worse_than=earlier)
    assert [each.candidate for each in found.comparisons] == ["assay:overlap/v1"]
    assert any("assay:majority/v1 is not in" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "A gate needs something"),
        ({"rules": "negation.accuracy>=0.5", "against": "majority"}, "none is given"),
        ({"rules": "negation.accuracy>=0.5", "models": "overlp"}, "did you mean 'overlap'"),
        ({"no_worse_than": "earlier", "against": "overlap"}, "Name one with --model"),
        ({"no_worse_than": "earlier", "models": "majority"}, "against='BASELINE'"),
        ({"no_worse_than": "nowhere"}, "not a run"),
    ],
)
def test_wrong_use_is_an_error(
    made: Path, run: MakeRun, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], said: str
) -> None:
    monkeypatch.chdir(run("earlier", overlap="assay:overlap/v1").parent)
    with pytest.raises(UserError, match=said):
        assay.gate(made, **options)


def answers_right(folder: Path) -> None:
    """Have a run's models answer every case with its label."""
    suite = assay.Suite.open(folder / "suites" / "stress")
    lines = "".join(f'{{"id":"{case.id}","label":"{case.label}"}}\n' for case in suite)
    for path in folder.glob("predictions/*/stress.jsonl"):
        path.write_text(lines)
    store(folder, open_run(folder))


def test_a_margin_has_three_outcomes(made: Path, run: MakeRun) -> None:
    perfect = run("perfect", overlap="assay:overlap/v1")
    answers_right(perfect)
    same = assay.gate(made, no_worse_than=made, models="overlap", margin=0.3)
    assert same.outcome == "pass"
    assert "no family lost more than 30 points" in outcome_words(same)
    small = assay.gate(made, no_worse_than=made, models="overlap", margin=0.001)
    assert small.outcome == "inconclusive"
    needed = [row.margin.more_pairs for _, row in small.open_rows if row.margin]
    assert needed
    assert all(pairs and pairs > 100 for pairs in needed)
    assert "more source pairs are needed" in outcome_words(small)
    assert any(note.startswith("Too few cases to ever show so small a loss") for note in small.notes)
    assert {(point.outcome, point.context.partition(", ")[2]) for point in points_of(small)} == {
        ("inconclusive", "too few to test")
    }
    lost = assay.gate(made, no_worse_than=perfect, models="overlap", margin=0.02)
    assert lost.outcome == "fail"
    losses = {point.context.partition(", ")[2] for point in points_of(lost) if point.outcome == "broken"}
    assert losses == {f"p {p_value(row.adjusted)}" for _, row in lost.losses}, "the p of the loss, not of the margin"
    assert {row.slice["family"] for _, row in lost.losses} == {"original", "negation"}
    assert any("label" in row.slice for _, row in lost.losses), "a label that lost more than the margin counts, too"
    assert "in 2 families" in outcome_words(lost)
    named = msgspec.structs.replace(lost, names={"supported": "entailment"})
    assert {point.where for point in points_of(named)} & {"stress/original, supported", "stress/negation, supported"}


def test_a_gate_without_a_margin_says_what_it_could_miss(made: Path) -> None:
    found = assay.gate(made, no_worse_than=made, models="overlap", against="majority")
    sizes = {row.slice["family"]: row.smallest for row in found.comparisons[0].slices if "label" not in row.slice}
    family, size = max(sizes.items(), key=lambda each: each[1] or 0)
    said = f"Only a significant loss fails here: a loss of {size:.1%} in {family} would be missed"
    assert any(note.replace(" points", "%").startswith(said) for note in found.notes)
    with_margin = assay.gate(made, no_worse_than=made, models="overlap", margin=0.3)
    assert not any("Only a significant" in note for note in with_margin.notes)


@pytest.mark.parametrize("margin", [0.0, 1.5, -0.1])
def test_a_margin_is_a_share(made: Path, margin: float) -> None:
    with pytest.raises(UserError, match="not between 0 and 1"):
        assay.gate(made, no_worse_than=made, margin=margin)


def test_a_margin_needs_an_earlier_run(made: Path) -> None:
    with pytest.raises(UserError, match="needs an earlier run"):
        assay.gate(made, rules="negation.accuracy>=0", margin=0.02)
