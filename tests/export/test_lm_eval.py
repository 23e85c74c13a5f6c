"""Task folders for lm-evaluation-harness."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import assay
from assay.core.errors import UserError

KNOWN = {
    *("task", "task_alias", "dataset_kwargs", "custom_dataset", "output_type", "test_split", "doc_to_text"),
    *("doc_to_choice", "doc_to_target", "metric_list", "metadata"),
}
"""Fields of a task that lm-evaluation-harness documents, and that we use."""


class Loader(yaml.SafeLoader):
    """Reads `!function` as the text behind it."""


Loader.add_constructor("!function", lambda _, node: str(node.value))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assay.build(["original", "negation", "swap"], assay.read("bundled", limit=12), out=tmp_path / "My suite")
    return assay.export(tmp_path / "My suite", "lm-eval", out=tmp_path / "tasks")


def config(path: Path) -> dict[str, Any]:
    found = yaml.load(path.read_text(encoding="utf-8"), Loader)
    assert isinstance(found, dict)
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_task_a_family_and_a_group(folder: Path) -> None:
    assert sorted(path.stem for path in folder.glob("*.yaml")) == [
        *("assay_my_suite", "assay_my_suite_negation", "assay_my_suite_original"),
    ]
    group = config(folder / "assay_my_suite.yaml")
    assert (group["group"], group["task"]) == ("assay_my_suite", ["assay_my_suite_negation", "assay_my_suite_original"])
    assert "custom_dataset" not in group
    task = config(folder / "assay_my_suite_negation.yaml")
    assert {*task} <= KNOWN
    assert task["custom_dataset"] == "cases.load"
    assert (folder / "data" / f"{task['dataset_kwargs']['family']}.jsonl").is_file()


def test_the_target_is_the_label_by_name(folder: Path, tmp_path: Path) -> None:
    names = {"True": "entailment", "Neither": "neutral", "False": "contradiction"}
    cases = {case.id: case for case in assay.Suite.open(tmp_path / "My suite") if case.expects == "label"}
    found = rows(folder / "data" / "negation.jsonl") + rows(folder / "data" / "original.jsonl")
    assert {row["id"] for row in found} == {*cases}
    choices = config(folder / "assay_my_suite_negation.yaml")["doc_to_choice"]
    for row in found:
        case = cases[row["id"]]
        assert (row["premise"], row["hypothesis"]) == (case.premise, case.hypothesis)
        assert names[choices[row["target"]]] == row["label"] == case.compared_with.value


def test_two_labels_have_a_question_of_their_own(tmp_path: Path) -> None:
    assay.build("heuristics", assay.generated(1), out=tmp_path / "hans")
    out = assay.export(tmp_path / "hans", "lm-eval", out=tmp_path / "tasks")
    assert config(out / "assay_hans_heuristics.yaml")["doc_to_choice"] == ["Yes", "No"]
    for row in rows(out / "data" / "heuristics.jsonl"):
        assert row["target"] == ["entailment", "non-entailment"].index(row["label"])


def test_a_suite_without_labels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "numbers.csv").write_text("premise,hypothesis,label\nOne.,1,neutral\n")
    assert not len(assay.build("negation", tmp_path / "numbers.csv", out=tmp_path / "suite"))
    with pytest.raises(UserError, match="no case with a label"):
        assay.export(tmp_path / "suite", "lm-eval", out=tmp_path / "tasks")
    assert not (tmp_path / "tasks").exists()


def test_the_cases_are_found_wherever_the_folder_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("datasets")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    moved = folder.rename(tmp_path / "moved")
    spec = importlib.util.spec_from_file_location("cases", moved / "cases.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    task = config(moved / "assay_my_suite_negation.yaml")
    loaded = module.load(**task["metadata"], **task["dataset_kwargs"])
    assert loaded["test"]["id"][:] == [row["id"] for row in rows(moved / "data" / "negation.jsonl")]


def test_the_harness_loads_it(folder: Path) -> None:
    tasks = pytest.importorskip("lm_eval.tasks", reason="lm-evaluation-harness is not installed")
    manager = tasks.TaskManager(include_path=str(folder), include_defaults=False)
    assert {"assay_my_suite", "assay_my_suite_negation"} <= set(manager.all_tasks)
    task = manager.load("assay_my_suite_negation")["tasks"]["assay_my_suite_negation"]
    first = rows(folder / "data" / "negation.jsonl")[0]
    [doc, *_] = task.test_docs()
    assert first["hypothesis"] in task.doc_to_text(doc)
    assert task.doc_to_target(doc) == first["target"]
