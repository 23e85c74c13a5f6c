"""Cases that were not made, and why."""

from assay.reports.tables.sheet import Cell, Row, Sheet, count, numbers, texts
from assay.reports.view import View


def skips(view: View) -> Sheet:
    """Why cases were not made."""
    rows = [
        Row("", (Cell(suite), Cell(family), Cell(reason), count(n)))
        for suite, manifest in view.suites.items()
        for family, reasons in {"(reading)": manifest.source.skipped, **manifest.skips}.items()
        for reason, n in sorted(reasons.items(), key=lambda each: -each[1])
    ]
    note = "Pairs that gave no case, by family and reason. If an edit does not apply, Assay does not guess."
    columns = (*texts("suite", "family", "reason"), *numbers("pairs"))
    return Sheet("skips", "What was not made", note, columns, tuple(rows))
