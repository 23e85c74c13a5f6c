"""assay show RUN --table diagnosis: headlines and tables of a stored run, as text and as JSON."""

import json
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay as toolkit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = ["assay:majority", "assay:overlap"]
    record = toolkit.run(families="negation", models=models, out=tmp_path_factory.mktemp("runs"))
    assert record.folder
    return record.folder


def test_a_run_prints_what_each_model_leans_on(assay: Assay, folder: Path) -> None:
    shown = " ".join(assay("show", folder).stdout.split())
    assert "majority (baseline) always answers entailment" in shown
    assert "overlap (baseline) treats shared words as entailment" in shown


def test_the_diagnosis_has_headlines_and_tables(assay: Assay, folder: Path) -> None:
    shown = assay("show", folder, "--table", "diagnosis").stdout
    assert shown.startswith(
        "Shortcuts\n  majority (baseline) always answers entailment.\n  overlap (baseline) treats shared words"
    )
    for title in ("Shortcuts", "Where answers move", "What goes with errors", "Errors that models share"):
        assert f"\n{title}\n" in shown
    assert "follows it" in shown


def test_one_model_is_shown_alone(assay: Assay, folder: Path) -> None:
    shown = assay("show", folder, "--table", "diagnosis", "--model", "overlap").stdout
    assert "overlap (baseline) treats shared words" in shown
    assert "always answers" not in shown


def test_json_has_everything(assay: Assay, folder: Path) -> None:
    found = json.loads(assay("show", folder, "--table", "diagnosis", "--json").stdout)
    assert found == json.loads((folder / "record.json").read_text())["diagnosis"]
    assert [each["model"] for each in found["profiles"]] == ["assay:majority/v1", "assay:overlap/v1"]


def test_an_unknown_model_is_named(assay: Assay, folder: Path) -> None:
    failed = assay("show", folder, "--table", "diagnosis", "--model", "overlop", code=2)
    assert "did you mean 'overlap'" in failed.stderr
