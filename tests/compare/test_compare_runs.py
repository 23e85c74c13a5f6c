"""Comparing stored runs."""

import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fixtures.runs import BENCH, MakeRun, store

import assay
from assay.core.comparison import Comparisons
from assay.core.errors import BadInputError, UserError
from assay.reports.tables.comparison_tables import comparison_sheet, margin_words, needed_words, outcome_words
from assay.run.stored_run import open_run


def verdicts(found: Comparisons) -> dict[tuple[str, str], str]:
    [comparison] = found.comparisons
    return {(row.slice["family"], row.slice.get("label", "all")): row.verdict for row in comparison.slices}


def test_two_models_of_one_run(made: Path) -> None:
    found = assay.compare(made, models=["majority", "assay:overlap/v1"])
    [comparison] = found.comparisons
    assert (comparison.candidate, comparison.baseline) == ("assay:overlap/v1", "assay:majority/v1")
    assert (comparison.test, found.notes, found.bands) == ("paired", (), ())
    told = verdicts(found)
    assert told["negation", "entailment"] == "worse"
    assert told["negation", "neutral"] == "better"
    assert told["negation", "contradiction"] == "not significant"
    stored = {frozenset(e.slice.items()): e.value for e in open_run(made).estimates if e.name == "accuracy"}
    for row in comparison.slices:
        assert row.candidate == stored[frozenset({**row.slice, "model": comparison.candidate}.items())]
        assert row.baseline == stored[frozenset({**row.slice, "model": comparison.baseline}.items())]


def test_a_label_that_falls_is_named_although_its_family_does_not(made: Path) -> None:
    [comparison] = assay.compare(made, models=["majority", "overlap"]).comparisons
    told = verdicts(assay.compare(made, models=["majority", "overlap"]))
    assert told["negation", "all"] != "worse"
    (line,) = [words for words in outcome_words(comparison) if words.startswith("Worse for one label: ")]
    assert re.search(r"\bnegation \(entailment 100\.0 -> \d+\.\d\)", line)


def test_the_order_of_names_is_the_direction(made: Path) -> None:
    forth = assay.compare(made, models=["majority", "overlap"]).comparisons[0].slices
    back = assay.compare(made, models=["overlap", "majority"]).comparisons[0].slices
    for one, other in zip(forth, back, strict=True):
        assert one.difference == -other.difference
        assert (one.p, one.smallest) == (other.p, other.smallest)
        assert {one.verdict, other.verdict} in ({"better", "worse"}, {"not significant"})


def test_the_same_models_in_two_runs(made: Path, run: MakeRun) -> None:
    found = assay.compare(made, run())
    assert [each.candidate for each in found.comparisons] == [f"{name}/v1" for name in BENCH]
    assert all(row.p == 1 and row.difference == 0 for each in found.comparisons for row in each.slices)


def test_a_changed_model_under_the_same_name(made: Path, run: MakeRun) -> None:
    new = run(overlap="assay:majority/v1")
    found = assay.compare(made, new)
    [comparison] = found.comparisons
    assert comparison.slices == assay.compare(made, models=["majority", "overlap"]).comparisons[0].slices


def test_other_cases_are_left_out_and_that_is_said(made: Path, tmp_path: Path) -> None:
    fewer = assay.run(assay.read("bundled", limit=60), families=["negation"], models=["assay:overlap"], out=tmp_path)
    found = assay.compare(made, tmp_path / fewer.id)
    sizes = {row.slice["family"]: row.n for row in found.comparisons[0].slices if "label" not in row.slice}
    assert sizes == {"original": 60, "negation": 60}
    [note] = found.notes
    assert note.startswith(
        "Suite stress differs: 120 cases are in both and compared; 0 are only in the second and 60 only in the first."
    )
    (command,) = re.findall(r"all cases of the first run: (assay run .*)", note)
    assert command.endswith(f"{made.name}/suites/stress --model assay:overlap/v1")
    words = shlex.split(command)
    same = assay.run(suites=str(made.parent.parent / words[words.index("--suite") + 1]), models=words[-1], out=tmp_path)
    assert assay.compare(made, tmp_path / same.id).notes == ()
    assert all(row.p == 1 for row in found.comparisons[0].slices)


def test_cases_with_other_texts_are_left_out(made: Path, tmp_path: Path) -> None:
    corpus = assay.read("bundled", limit=90)
    switches = {"tautology": "and green is not red"}
    other = assay.run(corpus, families=["negation"], models=["assay:overlap"], switches=switches, out=tmp_path)
    found = assay.compare(made, tmp_path / other.id)
    assert {row.slice["family"] for row in found.comparisons[0].slices} == {"original"}
    assert "90 have other texts or labels" in found.notes[0]


def test_a_suite_that_one_run_lacks_is_left_out(made: Path, tmp_path: Path) -> None:
    suite = assay.build("negation", assay.read("bundled", limit=90), out=tmp_path / "mine")
    own = assay.run(suites=[suite.folder], models=["assay:overlap"], out=tmp_path)
    with pytest.raises(UserError, match="no case in common"):
        assay.compare(made, tmp_path / own.id)
    found = assay.compare(tmp_path / own.id, tmp_path / own.id)
    assert found.comparisons[0].slices[0].slice["suite"] == "mine"


def test_suites_that_one_run_lacks_are_named_in_one_note(made: Path, tmp_path: Path) -> None:
    families = ["negation", "conjunction", "scope"]
    pairs = assay.read("bundled", limit=90)
    more = assay.run(pairs, families=families, models=["assay:overlap"], per_subcase=2, out=tmp_path)
    found = assay.compare(made, tmp_path / more.id)
    assert found.notes == ("The suites conjunction, scope are in only one of the runs and left out.",)


def test_seeds_are_a_band(run: MakeRun) -> None:
    one = run("one", majority="assay:x@1", hypothesis_words="assay:x@2")
    two = run("two", overlap="assay:x@3")
    found = assay.compare(one, two)
    assert found.comparisons == ()
    assert "--model assay:x --model assay:x compares them" in found.notes[0]
    records = [open_run(folder) for folder in (one, two)]
    values = [e.value for each in records for e in each.find("accuracy", by=["model"], family="negation").values()]
    [total] = [each for each in found.bands if each.slice == {"suite": "stress", "family": "negation"}]
    assert (total.system, total.band.n) == ("assay:x", 3)
    assert (total.band.low, total.band.high) == (min(values), max(values))  # type: ignore[type-var]


def test_a_system_with_the_same_seeds_in_two_runs_is_compared(run: MakeRun) -> None:
    one = run("one", majority="assay:x@1", hypothesis_words="assay:x@2")
    two = run("two", overlap="assay:x@1", hypothesis_words="assay:x@2")
    found = assay.compare(one, two)
    [comparison] = found.comparisons
    assert (comparison.test, comparison.baseline_run, comparison.candidate_run) == ("seeds", *found.runs)
    means = []
    for folder in (one, two):
        accuracies = open_run(folder).find("accuracy", by=["model"], family="negation").values()
        means.append(sum(e.value or 0 for e in accuracies) / 2)
    [row] = [row for row in comparison.slices if row.slice == {"suite": "stress", "family": "negation"}]
    assert [row.baseline, row.candidate] == pytest.approx(means)
    assert found.bands == (), "a band would show the first run's seeds alone"
    assert assay.compare(one, two, models=["x", "x"]) == found


def test_two_seeds_against_two_allow_no_verdict_and_that_is_said(run: MakeRun) -> None:
    one = run("one", majority="assay:x@1", hypothesis_words="assay:x@2")
    two = run("two", overlap="assay:y@1", majority="assay:y@2")
    found = assay.compare(one, two, models=["x", "y"])
    [comparison] = found.comparisons
    assert (comparison.test, comparison.candidate, comparison.baseline) == ("seeds", "assay:y", "assay:x")
    assert all(row.candidate_band and row.candidate_band.n == 2 for row in comparison.slices)
    assert {row.verdict for row in comparison.slices} <= {"too few trainings", "at chance on unmodified pairs"}
    assert all(row.p is None for row in comparison.slices)
    assert "2 against 2 training runs can't show a difference" in outcome_words(comparison)[-1]
    one_seed = assay.compare(one, two, models=["x@1", "assay:y@1"])
    assert one_seed.comparisons[0].test == "paired"


def test_of_several_runs_the_last_is_compared_with_the_first(made: Path, run: MakeRun) -> None:
    found = assay.compare(made, run("between", overlap="assay:other/v1"), run("last"))
    assert {(each.baseline_run, each.candidate_run) for each in found.comparisons} == {(found.runs[0], found.runs[-1])}
    with pytest.raises(UserError, match="The first run and the last have no model in common"):
        assay.compare(made, run("again"), run("strange", overlap="assay:other/v1"))


def test_several_runs_of_seeds(run: MakeRun) -> None:
    folders = [run(f"run{seed}", overlap=f"assay:x@{seed}") for seed in (1, 2, 3)]
    assert {each.band.n for each in assay.compare(*folders).bands} == {3}


@pytest.mark.parametrize(
    ("copies", "models", "said"),
    [
        (0, [], "One run gives nothing to compare"),
        (0, ["majority"], "Name two models"),
        (0, ["majority", "overlpa"], "did you mean 'overlap'"),
    ],
)
def test_what_cannot_be_compared(made: Path, run: MakeRun, copies: int, models: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        assay.compare(made, *(run(f"copy{i}") for i in range(copies)), models=models)


def test_the_only_models_of_two_runs_are_compared_whatever_they_are_called(made: Path, tmp_path: Path) -> None:
    """In the command, as in the browser; and by the gate."""
    suite = made / "suites" / "stress"
    old, new = (
        assay.run(suites=[suite], models={name: _negates}, out=tmp_path / name, cache=False) for name in ("old", "new")
    )
    found = assay.compare(old, new)
    [comparison] = found.comparisons
    assert (comparison.baseline, comparison.candidate) == ("object:old", "object:new")
    assert any("object:old is compared with object:new" in note for note in found.notes)
    gate = assay.gate(new, no_worse_than=old)
    assert gate.passed
    assert [(each.baseline, each.candidate) for each in gate.comparisons] == [("object:old", "object:new")]
    both = assay.run(suites=[suite], models={"one": _negates, "two": _negates}, out=tmp_path / "both", cache=False)
    with pytest.raises(UserError, match="no model in common"):
        assay.compare(old, both)
    with pytest.raises(UserError, match="is not in"):
        assay.gate(new, no_worse_than=both)


def _negates(pairs: list[tuple[str, str]]) -> list[str]:
    return ["contradiction" if " not " in claim else "entailment" for _, claim in pairs]


def test_runs_without_a_common_model(made: Path, run: MakeRun) -> None:
    with pytest.raises(UserError, match="no model in common") as raised:
        assay.compare(made, run(overlap="assay:other/v1"))
    assert "assay:majority/v1" in str(raised.value)
    assert "assay:other/v1" in str(raised.value)


def test_answers_out_of_order_are_refused(made: Path, run: MakeRun) -> None:
    broken = run()
    file = broken / open_run(broken).models[2].files["stress"].file
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[1], lines[0], *lines[2:]]))
    store(broken, open_run(broken))
    with pytest.raises(BadInputError, match="but the suite has"):
        assay.compare(made, broken)


@pytest.mark.parametrize("change", [-1, 1])
def test_answers_that_are_too_few_or_too_many_are_refused(made: Path, run: MakeRun, change: int) -> None:
    broken = run()
    file = broken / open_run(broken).models[2].files["stress"].file
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1] if change < 0 else [*lines, lines[-1]]))
    store(broken, open_run(broken))
    with pytest.raises(BadInputError, match="not have as many answers"):
        assay.compare(made, broken)


def test_no_run_at_all(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="not a run"):
        assay.compare(tmp_path)


def test_an_alias_is_one_model_whatever_it_stands_for(run: MakeRun) -> None:
    old = run("old", overlap="checker=python:checker:v1")
    new = run("new", hypothesis_words="checker=python:checker:v3")
    found = assay.compare(old, new)
    [comparison] = found.comparisons
    assert (comparison.baseline, comparison.candidate) == ("checker=python:checker:v1", "checker=python:checker:v3")
    ids = [open_run(folder).id for folder in (old, new)]
    note = f"checker is python:checker:v1 in {ids[0]} and python:checker:v3 in {ids[1]}."
    assert note in found.notes
    gate = assay.gate(new, no_worse_than=old)
    assert [each.candidate for each in gate.comparisons] == ["checker=python:checker:v3"]
    assert note in gate.notes
    assert assay.gate(new, no_worse_than=old, models="checker").comparisons == gate.comparisons


def test_rows_without_a_difference_say_so(made: Path, run: MakeRun) -> None:
    found = assay.compare(made, run())
    rows = comparison_sheet(found.comparisons[0]).rows
    told = [(row.cells[3].text, row.cells[4].text, row.cells[-1].text) for row in rows if row.cells[-1].text]
    assert {*told} == {("+0.0", "-", "no case differs")}


def test_a_margin_is_answered_in_words(made: Path, run: MakeRun) -> None:
    [comparison] = assay.compare(made, run("last"), models=["overlap", "overlap"], margin=0.001).comparisons
    assert all((row.margin is None) == ("label" in row.slice) for row in comparison.slices)
    assert any("A loss of 0.1 points is not excluded" in words for words in margin_words(comparison))
    [generous] = assay.compare(made, run("later"), models=["overlap", "overlap"], margin=0.4).comparisons
    assert margin_words(generous) == ["Shown to lose less than 40 points: original, negation."]
    for found, head, outcome in ((comparison, "within 0.1", "inconclusive"), (generous, "within 40", "pass")):
        sheet = comparison_sheet(found)
        assert sheet.columns[-1].name == head
        assert {row.cells[-1].text for row in sheet.rows} == {outcome, ""}


def test_more_pairs_are_asked_for_only_where_they_add_cases(made: Path, run: MakeRun) -> None:
    [found] = assay.compare(made, run("last"), models=["overlap", "overlap"], margin=0.001).comparisons
    rows = [row for row in found.slices if row.margin]
    assert re.fullmatch(r"; about [\d,]+ more source pairs are needed if nothing was lost", needed_words(rows))
    generated = [
        replace(row, margin=replace(row.margin, is_generated=True)) for row in found.slices if row.margin is not None
    ]
    wanted = r"; about [\d,]+ times as many generated pairs \(--per-subcase\) are needed if nothing was lost"
    assert re.fullmatch(wanted, needed_words(generated))


def test_a_model_that_is_run_twice_says_how_many_cases_flip(run: MakeRun) -> None:
    one, two = run("one", majority="assay:x/v1"), run("two", overlap="assay:x/v1")
    [comparison] = assay.compare(one, two).comparisons
    whole = [row for row in comparison.slices if "label" not in row.slice]
    flipped = sum(row.only_candidate + row.only_baseline for row in whole)
    assert flipped
    assert any(f"{flipped} of {sum(row.n for row in whole)} cases" in words for words in outcome_words(comparison))
