"""Task folders for Inspect. tests/corpora/test_logs.py reads the log of one that Inspect ran."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.core.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assay.build(["original", "negation", "swap"], assay.read("bundled", limit=12), out=tmp_path / "suite")
    return assay.export(tmp_path / "suite", "inspect", out=tmp_path / "task")


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_case_with_a_label_is_a_sample_with_its_answer(folder: Path, tmp_path: Path) -> None:
    names = {"True": "entailment", "Neither": "neutral", "False": "contradiction"}
    cases = {case.id: case for case in assay.Suite.open(tmp_path / "suite") if case.label}
    found = rows(folder)
    assert {row["id"] for row in found} == {*cases}
    for row in found:
        assert names[row["choices"][row["target"]]] == row["label"] == cases[row["id"]].label
        assert row["premise"] in row["input"]
        assert row["hypothesis"] in row["input"]
        assert row["cluster"] == cases[row["id"]].cluster


def test_two_labels_give_two_choices(folder: Path, tmp_path: Path) -> None:
    for row in rows(assay.export(tmp_path / "suite", "inspect", out=tmp_path / "two", two_way=True)):
        assert row["choices"] == ["Yes", "No"]
        assert row["label"] == ("entailment", "non-entailment")[row["target"]]


def test_the_task_reads_the_fields_that_are_written(folder: Path) -> None:
    code = (folder / "assay_suite.py").read_text(encoding="utf-8")
    read = {
        node.slice.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    }
    assert read <= {*rows(folder)[0]}
    assert "input" in read


def test_it_is_replaced_only_on_request_and_only_if_nothing_was_added(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="overwrite"):
        assay.export(tmp_path / "suite", "inspect", out=folder)
    assay.export(tmp_path / "suite", "inspect", out=folder, overwrite=True)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(UserError):
        assay.export(tmp_path / "suite", "inspect", out=folder, overwrite=True)


def test_a_suite_without_labels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "numbers.csv").write_text("premise,hypothesis,label\nOne.,1,neutral\n")
    assay.build("negation", tmp_path / "numbers.csv", out=tmp_path / "empty")
    with pytest.raises(UserError, match="no case with a label"):
        assay.export(tmp_path / "empty", "inspect", out=tmp_path / "task")
