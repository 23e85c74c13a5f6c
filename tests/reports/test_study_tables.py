"""How much of a study is shown."""

from tests.evaluate.test_studies_together import record

from assay.core.study.record import StudyRecord
from assay.evaluate.study.together import together
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.studies.study import study_parts


def titles(shown: StudyRecord, *, brief: bool = False, most: int | None = None) -> list[str]:
    return [part.title for part in study_parts(shown, brief=brief, most=most) if isinstance(part, Sheet)]


def test_long_tables_of_tests_are_left_out_where_few_rows_are_wanted() -> None:
    both = together([record("cbow", 0.001), record("esim", 0.002)])
    tests = "Differences from '0 %'"
    assert tests in titles(both)
    assert tests in titles(both, brief=True)
    assert tests in titles(both, brief=True, most=2)
    assert tests not in titles(both, brief=True, most=1)


def test_tests_without_a_verdict_are_not_shown_in_brief() -> None:
    unclear = together([record("cbow", 0.5), record("esim", 0.6)])
    assert "Differences from '0 %'" in titles(unclear)
    assert "Differences from '0 %'" not in titles(unclear, brief=True)
