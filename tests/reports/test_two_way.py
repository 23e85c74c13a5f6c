"""A model that answers with two labels where cases have three is marked wherever its figures stand."""

import csv
import io
import json
import re

import msgspec
import pytest

from assay.core.estimate import Estimate
from assay.reports.charts.charts import charts
from assay.reports.tables.papers import paper_sheets
from assay.reports.tables.sheets import sheets
from assay.reports.two_way import TOLD
from assay.reports.view import View, view_of
from assay.reports.write.formats import Format, written

MODEL = "assay:overlap/v1"
MARKED = "overlap (two-way)"


@pytest.fixture(scope="module")
def marked(view: View) -> View:
    """The run, in which one model has answered a neutral case with non-entailment."""
    run = view.runs[0]
    where = {"model": MODEL, "suite": "stress", "family": "original", "label": "neutral", "answer": "non-entailment"}
    said = Estimate(name="answers", value=0.01, n=90, slice=where)
    record = msgspec.structs.replace(run.record, estimates=(*run.record.estimates, said))
    return view_of([run._replace(record=record)])


def test_nobody_is_marked_without_reason(view: View) -> None:
    assert not view.two_way
    assert "two-way" not in written(view, "md")["report.md"].decode()


def test_tables_mark_the_name_and_tell_why(marked: View) -> None:
    for sheet in (*sheets(marked), *paper_sheets(marked)):
        names = {row.cells[0].text for row in sheet.rows if row.model == MODEL}
        assert names <= {MARKED}, sheet.name
        assert "overlap" not in [column.removeprefix(">") for column in sheet.columns]
        if names:
            assert sheet.note.endswith(f"Two-way: {TOLD}")
    assert {sheet.name for sheet in paper_sheets(marked) if TOLD in sheet.note} == {"naik", "glockner", "wang", "mccoy"}


def test_charts_mark_the_name(marked: View) -> None:
    for chart in charts(marked):
        names = {row["name"] for row in chart.spec["data"]["values"] if row["model"] == MODEL}
        assert names <= {MARKED}, chart.name


def test_the_page_marks_verdict_examples_and_cards(marked: View) -> None:
    html = written(marked, "html")["report.html"].decode()
    shown = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    assert not re.search(r">\s*overlap\s*<", shown)
    assert html.count(f"<h3>{MARKED}</h3>") == 2
    assert f"It {TOLD}" in html


@pytest.mark.parametrize(("to", "name"), [("md", r"overlap \(two-way\)"), ("latex", MARKED)])
def test_text_formats_mark_it(marked: View, to: Format, name: str) -> None:
    (content,) = written(marked, to).values()
    assert name in content.decode()
    assert TOLD in content.decode()


def test_machines_are_told(marked: View) -> None:
    rows = list(csv.DictReader(io.StringIO(written(marked, "csv")["report.csv"].decode())))
    assert {row["two_way"] for row in rows if row["model"] == MODEL} == {"yes"}
    assert {row["two_way"] for row in rows if row["model"] != MODEL} == {""}
    found = json.loads(written(marked, "json")["report.json"])
    assert found["two_way"] == [MODEL]
    assert [each["note"] for each in found["verdicts"] if each["model"] == MODEL] == [f"It {TOLD}"]
