"""Charts of studies: every seed is a point, published numbers are hollow, and guessing is a line."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import ROOT, Assay

from assay.studies.plan.study_page import study_page
from assay.studies.plan.study_record import StudyRecord
from assay.studies.plan.study_tables import match_published

FOLDER = ROOT / "docs" / "results" / "studies"


def stored(name: str) -> StudyRecord:
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=StudyRecord)


def rows(spec: dict[str, Any], kind: str) -> list[float]:
    return sorted(row["percent"] for row in spec["data"]["values"] if row["kind"] == kind)


@pytest.fixture(scope="module")
def record() -> StudyRecord:
    return stored("heuristics-augmentation/esim")


def test_every_seed_mean_and_published_number_of_a_table_is_drawn(record: StudyRecord) -> None:
    chart, table = record.plots()[0], record.tables[0]
    assert chart.spec is not None
    assert rows(chart.spec, "seed") == sorted(round(100 * value, 2) for each in table.figures for value in each.values)
    assert rows(chart.spec, "mean") == sorted(round(100 * each.band.mean, 2) for each in table.figures)
    published = sorted(round(100 * each.theirs, 2) for each in match_published(table))
    assert published
    assert rows(chart.spec, "published") == published
    hollow = [layer for layer in chart.spec["layer"] if layer["mark"].get("filled") is False]
    assert [layer["transform"] for layer in hollow] == [[{"filter": "datum.kind == 'published'"}]]


@pytest.mark.parametrize(
    ("name", "place", "chance"), [("heuristics-augmentation/esim", 0, 50), ("swap-training/esim", 0, 33.3)]
)
def test_guessing_is_a_line_where_the_labels_say(name: str, place: int, chance: float) -> None:
    spec = stored(name).plots()[place].spec
    assert spec is not None
    line = spec["layer"][0]
    assert (line["mark"]["type"], line["data"]["values"]) == ("rule", [{"percent": chance}])


def test_they_are_written_as_pictures(assay: Assay, record: StudyRecord, tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.json").write_bytes((FOLDER / "heuristics-augmentation" / "esim.json").read_bytes())
    assay("study", "show", "study", "--out", "charts")
    assert {path.stem for path in (tmp_path / "charts").iterdir()} == {plot.name for plot in record.plots()}
    assert "Hollow: published" in (tmp_path / "charts" / "conditions-1-0.svg").read_text()
    assert "--overwrite" in assay("study", "show", "study", "--out", "charts", code=2).stderr


def test_the_page_has_them(record: StudyRecord) -> None:
    page = study_page(record)
    assert all(f'"{plot.name}"' in page for plot in record.plots())
