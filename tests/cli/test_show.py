"""assay show: a stored run again, and where models fail."""

import json
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay as toolkit
from assay.cli.show import FIGURES as CHOICES
from assay.reports.terminal.run_summary import FIGURES


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs; the newer one has two models and a family."""
    out = tmp_path_factory.mktemp("runs")
    corpus = toolkit.read("bundled", limit=60)
    toolkit.run(corpus, families="original", models="assay:majority", out=out, cache=False)
    toolkit.run(corpus, families=["negation", "swap"], models=["assay:majority", "assay:overlap"], out=out, cache=False)
    return out


def newest(runs: Path) -> Path:
    return max(runs.iterdir(), key=lambda run: (run / "record.json").stat().st_mtime_ns)


def test_a_folder_of_runs_means_its_newest(assay: Assay, runs: Path) -> None:
    assert assay("show", runs, "--json").stdout == assay("show", newest(runs), "--json").stdout
    assert assay("gate", runs, "--rule", "original.accuracy>=0").stdout.count(newest(runs).name) == 1
    assert "not a run" in assay("show", runs / "..", code=2).stderr


def test_failures_are_as_many_as_asked_for_spread_over_families_and_models(runs: Path) -> None:
    found = toolkit.failures(newest(runs), 20, models="overlap", families="negation")
    assert len(found) == 20
    assert {example.case.family for example in found} == {"negation"}
    assert all(example.answers["assay:overlap/v1"].failed and len(example.answers) == 1 for example in found)
    assert len({example.case.id for example in found}) == 20
    every = toolkit.failures(newest(runs), 4)
    assert len(every) == 4
    assert {example.case.family for example in every} == {"negation", "swap"}
    assert {model for example in every for model in example.failing} == {"assay:majority/v1", "assay:overlap/v1"}


def test_failures_are_shown_and_written_as_data(assay: Assay, runs: Path) -> None:
    asked = ("show", runs, "--failures", 2, "--model", "overlap", "--family", "negation")
    shown = assay(*asked).stdout
    assert shown.count("premise:") == 2
    assert "{+ and false is not true+}" in shown
    assert "majority" not in shown
    assert len(json.loads(assay(*asked, "--json").stdout)) == 2


def test_what_is_not_there_is_refused_with_a_guess(assay: Assay, runs: Path) -> None:
    assert "did you mean 'negation'?" in assay("show", runs, "--failures", 1, "--family", "negtion", code=2).stderr
    assert "did you mean 'overlap'?" in assay("show", runs, "--failures", 1, "--model", "overlp", code=2).stderr
    assert "--model needs --failures" in assay("show", runs, "--model", "overlap", code=2).stderr
    assert (
        "--table cannot be used with --failures"
        in assay("show", runs, "--failures", 1, "--table", "swap", code=2).stderr
    )


def test_every_table_of_a_report_can_be_shown_alone() -> None:
    assert sorted(CHOICES) == sorted(FIGURES)


def test_a_data_file_is_shown_with_the_commands_that_fit_it(assay: Assay) -> None:
    shown = assay("show", "bundled", "--limit", 30).stdout
    assert "30 rows" in shown
    assert shown.endswith("  assay run --from bundled --limit 30 --model MODEL\n  assay audit bundled --limit 30\n")
    assert "--limit applies to data files only" in assay("show", "runs", "--limit", 9, code=2).stderr
    assert "--all is not for data files" in assay("show", "bundled", "--all", code=2).stderr


def test_the_sensitivity_of_a_run_has_a_row_for_each_shortcut(assay: Assay, tmp_path: Path) -> None:
    """With so few cases that little is noticed, which is soon certain."""
    corpus, few = toolkit.read("bundled", limit=12), toolkit.read("bundled", limit=1)
    toolkit.run(corpus, families="negation", models="assay:majority", out=tmp_path / "runs", cache=False)
    found = json.loads(assay("show", "runs", "--table", "sensitivity", "--json").stdout)
    assert {"shortcut", "rule", "weakest", "draws"} == {*found[0]}
    assert "negation" in {row["shortcut"] for row in found}
    toolkit.run(few, families="original", models="assay:majority", out=tmp_path / "one", cache=False)
    shown = assay("show", "one", "--table", "sensitivity").stdout
    assert "What the diagnosis would have noticed" in shown
    assert "four times out of five" in " ".join(shown.split())
