"""A model that answers with two labels where cases have three is marked wherever its figures stand."""

import csv
import io
import json
import re

import pytest
from tests.fixtures.reports import drawn, with_estimates

from assay.core.estimate import Estimate
from assay.core.run_record import RunRecord
from assay.reports.charts.report_charts import charts
from assay.reports.phrases import TWO_WAY
from assay.reports.tables.report_tables import PAPERS, sheets
from assay.reports.terminal.run_summary import full_summary
from assay.reports.view import ReportView, view_of
from assay.reports.write.output_formats import Format, write_report

MODEL = "assay:overlap/v1"
MARKED = "overlap (baseline, two-way)"


@pytest.fixture(scope="module")
def answered(run: RunRecord) -> RunRecord:
    """The run, in which one model has answered a neutral case with non-entailment."""
    where = {"model": MODEL, "suite": "stress", "family": "original", "label": "neutral", "answer": "non-entailment"}
    said = Estimate(name="answers", value=0.01, n=90, slice=where)
    return with_estimates(run, *run.estimates, said)


@pytest.fixture(scope="module")
def marked(answered: RunRecord) -> ReportView:
    """The same, as reports see it."""
    return view_of([answered])


def test_nobody_is_marked_without_reason(view: ReportView) -> None:
    assert not view.two_label_models
    assert "two-way" not in write_report(view, "md")["report.md"].decode()


def test_tables_mark_the_name_and_tell_why(marked: ReportView) -> None:
    for sheet in (*sheets(marked), *sheets(marked, PAPERS)):
        names = {row.cells[0].text for row in sheet.rows if row.model == MODEL}
        assert names <= {MARKED}, sheet.name
        assert "overlap" not in [column.name for column in sheet.columns]
        if names:
            assert sheet.note.endswith(f"Two-way: {TWO_WAY}")
    assert {sheet.name for sheet in sheets(marked, PAPERS) if TWO_WAY in sheet.note} == {
        "naik",
        "glockner",
        "wang",
        "mccoy",
    }


def test_charts_mark_the_name(marked: ReportView) -> None:
    rows = [row for chart in charts(marked) for row in chart.spec["data"]["values"]]
    assert {row["name"] for row in rows if row["model"] == MODEL} == {MARKED}


def test_the_page_marks_verdict_examples_and_cards(marked: ReportView) -> None:
    html = write_report(marked, "html")["report.html"].decode()
    shown = re.sub(r"<script.*?</script>|<wbr>", "", html, flags=re.DOTALL)
    assert not re.search(r"<(?:th scope=row|h3|b|span|label)\b[^>]*>\s*overlap\s*<", shown)
    assert html.count(f"{MARKED}</h3>") == 2
    assert f"It {TWO_WAY}" in html


def test_the_terminal_marks_it(answered: RunRecord) -> None:
    shown = drawn(full_summary(answered), width=400)
    assert MARKED in shown
    assert TWO_WAY in shown


@pytest.mark.parametrize(("to", "name"), [("md", r"overlap \(baseline, two-way\)"), ("latex", MARKED)])
def test_text_formats_mark_it(marked: ReportView, to: Format, name: str) -> None:
    (content,) = write_report(marked, to).values()
    assert name in content.decode()
    assert TWO_WAY in content.decode()


def test_machines_are_told(marked: ReportView) -> None:
    rows = list(csv.DictReader(io.StringIO(write_report(marked, "csv")["report.csv"].decode())))
    assert {row["two_way"] for row in rows if row["model"] == MODEL} == {"yes"}
    assert {row["two_way"] for row in rows if row["model"] != MODEL} == {""}
    found = json.loads(write_report(marked, "json")["report.json"])
    assert found["two_way"] == [MODEL]
    assert [each["note"] for each in found["verdicts"] if each["model"] == MODEL] == [f"It {TWO_WAY}"]
