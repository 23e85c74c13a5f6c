"""The table of cases and answers: it agrees with the record, and nothing is joined by an id that occurs twice."""

from pathlib import Path

import pandas
import pytest

import assay


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> assay.RunRecord:
    pairs = assay.read("bundled", limit=60)
    models = ["assay:overlap", "assay:hypothesis-only"]
    return assay.run(
        pairs, families=["negation", "swap", "heuristics"], models=models, out=tmp_path_factory.mktemp("runs")
    )


def test_each_case_has_one_row_for_each_model(record: assay.RunRecord) -> None:
    frame = pandas.DataFrame(assay.answers(record))
    cases = sum(manifest.cases for manifest in record.suites.values())
    assert len(frame) == cases * len(record.models)
    assert not frame.duplicated(["suite", "case", "model"]).any()


def test_scores_are_the_probability_of_entailment(tmp_path: Path) -> None:
    def predict(pairs: list[tuple[str, str]]) -> list[dict[str, float]]:
        return [{"entailment": 0.25, "neutral": 0.5, "contradiction": 0.25} for _ in pairs]

    record = assay.run(assay.read("bundled", limit=3), families="negation", models={"mine": predict}, out=tmp_path)
    assert {(row["score"], row["prediction"]) for row in assay.answers(record)} == {(0.25, "neutral")}


def test_an_open_run_is_its_record(record: assay.RunRecord) -> None:
    assert record.folder is not None
    assert assay.open_run(record.folder) == record
    assert assay.open_run(record.folder.parent).id == record.id
