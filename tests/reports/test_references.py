"""Baselines are marked as references wherever their figures stand, and come after the models that are tested."""

import csv
import io
import json
from pathlib import Path

import pytest
from tests.fixtures.reports import drawn

import assay
from assay.core import registry
from assay.core.run_record import RunRecord
from assay.models import shipped
from assay.reports.charts.report_charts import charts
from assay.reports.phrases import KNOWN
from assay.reports.tables.report_tables import PAPERS, sheets
from assay.reports.terminal.run_summary import full_summary
from assay.reports.view import view_of
from assay.reports.write.output_formats import write_report
from assay.run.predict.model_names import in_order, is_reference_model

REFERENCES = {"majority", "hypothesis-words", "overlap", "subsequence", "constituent", "wordnet", "hypothesis-only"}


def negative(pairs: list[tuple[str, str]]) -> list[str]:
    return ["contradiction" if " not " in hypothesis else "neutral" for _, hypothesis in pairs]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """A run of a user's model that was named after a baseline."""
    models = {"base": "assay:majority", "mine": negative}
    corpus = assay.read("bundled", limit=60)
    folder = tmp_path_factory.mktemp("runs")
    return assay.run(corpus, families=["negation", "swap"], models=models, out=folder, cache=False)


def test_the_references_are_the_baselines() -> None:
    found = {name.partition("/")[0] for name in registry.models.newest() if is_reference_model(f"assay:{name}")}
    assert found == REFERENCES
    assert not found & {*shipped.NAMES} - {"hypothesis-only"}


def test_an_object_can_be_a_reference_too() -> None:
    objects = {"object:mine": registry.models.get("overlap")(), "object:other": negative}
    assert in_order(objects, objects) == ["object:other", "object:mine"]


def test_the_users_model_comes_first(record: RunRecord) -> None:
    assert record.spec.models == ("object:mine", "assay:majority/v1")
    assert [each.model for each in record.models if each.reference] == ["assay:majority/v1"]
    assert [verdict.model for verdict in record.judgement.verdicts] == [*record.spec.models]


def test_references_stay_last_where_runs_are_merged(record: RunRecord, tmp_path: Path) -> None:
    other = assay.run(
        assay.read("bundled", limit=60), families=["negation", "swap"], models={"other": negative}, out=tmp_path
    )
    view = view_of([record, other])
    assert [*view.models] == ["object:mine", "object:other", "assay:majority/v1"]
    rows = [row.model for sheet in sheets(view, PAPERS) if sheet.name == "naik" for row in sheet.rows]
    assert rows == ["object:mine", "object:other", "assay:majority/v1", ""]
    assert [verdict.model for verdict in view.judgement.verdicts] == [*view.models]


def test_every_table_and_chart_marks_them(record: RunRecord) -> None:
    view = view_of([record])
    named = 0
    for sheet in (*sheets(view), *sheets(view, PAPERS)):
        names = {row.cells[0].text for row in sheet.rows if row.model == "assay:majority/v1"}
        assert names <= {"majority (baseline)"}, sheet.name
        assert "majority" not in [column.name for column in sheet.columns]
        assert not names or f"Baseline: {KNOWN}" in sheet.note
        named += len(names)
    assert named
    for chart in charts(view):
        rows = chart.spec["data"]["values"]
        assert {row["name"] for row in rows if row["model"] == "assay:majority/v1"} <= {"majority (baseline)"}, (
            chart.name
        )


@pytest.mark.parametrize(("to", "name"), [("md", r"majority \(baseline\)"), ("latex", "majority (baseline)")])
def test_text_formats_mark_them(record: RunRecord, to: str, name: str) -> None:
    (content,) = write_report(view_of([record]), to).values()  # type: ignore[arg-type]
    assert name in content.decode()
    assert KNOWN in content.decode()


def test_the_terminal_marks_them(record: RunRecord) -> None:
    shown = drawn(full_summary(record), width=200)
    assert "majority (baseline)" in shown
    assert "object:mine (baseline)" not in shown


def test_machines_are_told(record: RunRecord) -> None:
    view = view_of([record])
    rows = csv.DictReader(io.StringIO(write_report(view, "csv")["report.csv"].decode()))
    assert {(row["model"], row["reference"]) for row in rows} == {("object:mine", ""), ("assay:majority/v1", "yes")}
    assert json.loads(write_report(view, "json")["report.json"])["references"] == ["assay:majority/v1"]
