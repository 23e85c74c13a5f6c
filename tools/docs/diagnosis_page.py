"""The page of what a default run says about why the shipped models fail: docs/results/diagnosis.md."""

from collections.abc import Iterator

from assay.core.run_record import RunRecord
from assay.reports.tables.diagnosis_tables import errors, shortcuts, versus
from assay.reports.tables.sheet import Sheet
from assay.reports.view import view_of
from assay.reports.write.markdown import escape, table

INTRODUCTION = """What `assay run` says about the baselines and the models that ship with Assay, on the bundled
corpus with all default families. [The diagnosis](../diagnosis.md) explains each column.
"""

READING = """The baselines are the check: `majority` gives one answer, `hypothesis-words` sees only the hypothesis,
and `overlap` counts shared words. The trained model `hypothesis-only` never sees a premise.
"""

FEW = "Only properties that go with more or fewer errors by more than chance explains are shown."


def page(record: RunRecord) -> str:
    """The whole page, without its first line."""
    return "\n".join(_lines(record))


def _lines(record: RunRecord) -> Iterator[str]:
    view = view_of([record])
    yield f"# Diagnosis of the shipped models\n\n{INTRODUCTION}"
    assert view.diagnosis
    for profile in view.diagnosis.profiles:
        yield f"- **{escape(view.name(profile.model))}** {escape(profile.headline)}."
    yield f"\n{READING}"
    for sheet in (shortcuts(view), _clear(errors(view)), versus(view)):
        yield f"## {sheet.title}\n\n{sheet.legend(escape('*'))}\n\n{table(sheet)}\n"


def _clear(sheet: Sheet) -> Sheet:
    """The rows of a table whose p is below 0.05."""
    place = [column.name for column in sheet.columns].index("p")
    rows = tuple(row for row in sheet.rows if (p := row.cells[place].value) is not None and p < 0.05)
    return sheet._replace(rows=rows, note=f"{sheet.note} {FEW}")
