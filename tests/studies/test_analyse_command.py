"""The analyses, as a user asks for them."""

import csv
import json

import pytest
from tests.conftest import Assay

from assay.studies.analyses.analysis_list import ANALYSES
from assay.studies.analyses.analysis_options import ANALYSIS_NAMES

PAIRS = """{"id": "1", "premise": "A red hat.", "hypothesis": "A blue hat.", "label": "contradiction"}
{"id": "2", "premise": "A hot tea.", "hypothesis": "A cold tea.", "label": "contradiction"}
{"id": "3", "premise": "A man sleeps.", "hypothesis": "A man sleeps.", "label": "entailment"}
"""
TRAINING = '{"id": "9", "premise": "Red.", "hypothesis": "Blue.", "label": "contradiction"}\n'


@pytest.fixture
def run(assay: Assay) -> Assay:
    """A run of a model that takes shared words for entailment."""
    assay("run", "--from", "-", "--family", "original", "--model", "assay:overlap", "--no-report", stdin=PAIRS)
    return assay


def test_directions_in_every_form(run: Assay) -> None:
    shown = run("show", "runs", "--table", "directions").stdout
    assert "Errors that answer neutral" in shown
    assert "Directions of errors" in shown
    told = json.loads(run("show", "runs", "--table", "directions", "--json").stdout)
    assert told["name"] == "directions"
    assert {each["name"] for each in told["estimates"]} == {"false-neutral", "direction", "rate"}
    rows = list(csv.DictReader(run("show", "runs", "--table", "directions", "--to", "csv").stdout.splitlines()))
    assert len(rows) == len(told["estimates"])
    assert "| family |" in run("show", "runs", "--table", "directions", "--to", "md").stdout
    assert r"\begin{tabular}" in run("show", "runs", "--table", "directions", "--to", "latex").stdout


def test_frequency_reads_a_training_corpus(run: Assay) -> None:
    told = json.loads(run("show", "runs", "--table", "frequency", "--train", "-", "--json", stdin=TRAINING).stdout)
    pairs = {
        each["slice"]["together"]: each["value"]
        for each in told["estimates"]
        if "together" in each["slice"] and each["name"] == "pairs"
    }
    assert pairs == {"0": 1, "1-4": 1}
    assert (
        "Training pairs that have a new word"
        in run("show", "runs", "--table", "frequency", "--train", "-", stdin=TRAINING).stdout
    )


def test_errors_shows_the_paper_beside(run: Assay) -> None:
    shown = run("show", "runs", "--table", "error-causes").stdout
    assert "Errors that a cue could explain" in shown
    assert "real-world knowledge" in shown


def test_what_is_missing_is_said_with_the_command(run: Assay) -> None:
    assert "assay run --family numeracy" in run("show", "runs", "--table", "numbers", code=2).stderr
    assert "assay run --family heuristics" in run("show", "runs", "--table", "hans-subcases", code=2).stderr
    assert "assay train SYSTEM --swap" in run("show", "runs", "--table", "swap-training", code=2).stderr
    assert (
        "at least 4 systems" in run("show", "runs", "--table", "prediction", "--set", "targets=stress", code=2).stderr
    )
    assert "--train" in run("show", "runs", "--table", "antonyms", code=2).stderr


def test_every_analysis_is_a_table_of_show() -> None:
    assert tuple(ANALYSES) == ANALYSIS_NAMES


def test_options_of_other_tables_are_refused(run: Assay) -> None:
    refused = run("show", "runs", "--table", "directions", "--train", "-", code=2).stderr
    assert "--train is not for directions" in refused
    assert "without other tables" in run("show", "runs", "--table", "directions", "--table", "swap", code=2).stderr
    assert "there is only annotated" in run("show", "runs", "--table", "directions", "--set", "x=1", code=2).stderr
