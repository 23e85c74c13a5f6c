"""How much of a study is shown."""

import msgspec
from tests.studies.test_studies_together import record

from assay.reports.tables.sheet import Sheet
from assay.studies.plan.joint_records import join_records
from assay.studies.plan.study_record import StudyRecord
from assay.studies.plan.study_tables import figure_sheets, study_parts


def titles(shown: StudyRecord, *, brief: bool = False, most: int | None = None) -> list[str]:
    return [part.title for part in study_parts(shown, brief=brief, most=most) if isinstance(part, Sheet)]


def test_long_tables_of_tests_are_left_out_where_few_rows_are_wanted() -> None:
    both = join_records([record("cbow", 0.001), record("esim", 0.002)])
    tests = "Differences from '0 %'"
    assert tests in titles(both)
    assert tests in titles(both, brief=True)
    assert tests in titles(both, brief=True, most=2)
    assert tests not in titles(both, brief=True, most=1)


def test_tests_without_a_verdict_are_not_shown_in_brief() -> None:
    unclear = join_records([record("cbow", 0.5), record("esim", 0.6)])
    assert "Differences from '0 %'" in titles(unclear)
    assert "Differences from '0 %'" not in titles(unclear, brief=True)


def test_swapped_pairs_are_not_listed_as_accuracy() -> None:
    whole = record("cbow", 0.03)
    (table,) = whole.tables
    first = table.figures[0]
    kept = msgspec.structs.replace(first, slice={"suite": "test", "family": "swap"}, measure="kept")
    shown = list(figure_sheets(msgspec.structs.replace(table, figures=(*table.figures, kept)), 1))
    assert [sheet.title for sheet in shown] == ["By family", "By family: swapped pairs"]
    assert "not an accuracy" in shown[1].note
    assert all("swap" not in [cell.text for cell in row.cells] for row in shown[0].rows)
