"""Markdown: a report with its verdicts and every table, and what a study shows."""

import re
from collections.abc import Iterator

from assay.core.dataframes import MARK
from assay.reports.formatting import printable
from assay.reports.phrases import finding_words
from assay.reports.repeat_command import command_of
from assay.reports.tables.report_tables import OVERVIEW, PAPERS, REPORT, sheets
from assay.reports.tables.sheet import Sheet
from assay.reports.view import ReportView

SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+|~&!$])")


def document(view: ReportView) -> str:
    return "\n".join(_lines(view))


def table(sheet: Sheet) -> str:
    r"""A table; text from data, even in its head, is escaped, so that it is shown but never interpreted.

    >>> from assay.reports.tables.sheet import SheetCell, SheetRow, numbers, texts
    >>> rows = (SheetRow("m", (SheetCell("a|b"), SheetCell("50.0", 0.5))),)
    >>> print(table(Sheet("s", "S", "", (*texts("model"), *numbers("c|d")), rows)))
    | model | c\|d |
    | --- | --: |
    | a\|b | 50.0 |
    """
    head = [escape(column.name) for column in sheet.columns]
    rule = ["--:" if column.is_number else "---" for column in sheet.columns]
    body = [[escape(cell.plain) for cell in row.cells] for row in sheet.rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *body))


def escape(text: str) -> str:
    r"""Text in which everything that Markdown would take for markup is escaped.

    >>> print(escape("lexical_overlap <b>"))
    lexical\_overlap \<b\>
    """
    return SPECIAL.sub(r"\\\1", printable(text))


def _lines(view: ReportView) -> Iterator[str]:
    yield "# Right for the right reasons?"
    for name, manifest in view.suites.items():
        source = manifest.source
        told = f"{escape(name)}: {source.pairs:,} pairs of {escape(source.name)}, {manifest.cases:,} cases"
        yield f"\nSuite {told}, SHA-256 {escape(manifest.digest)}"
    yield from ([f"\n{escape(judged)}"] if (judged := view.judged()) else [])
    yield "\n## Verdict"
    for verdict in view.judgement.verdicts:
        found = view.findings(verdict.model)
        said = view.said(verdict)
        yield f"\n**{escape(view.name(verdict.model))}: {escape(said.headline)}.** {escape(said.below)}\n"
        yield from (f"- {escape(finding_words(finding, view.names))}" for finding in found)
    named = {sheet.name: sheet for sheet in sheets(view, {**OVERVIEW, **PAPERS, **REPORT})}
    for sheet in named.values():
        yield f"\n## {sheet.title}\n\n{sheet.legend(escape(MARK))}\n\n{table(sheet)}"
    yield "\n## Reproduce it"
    for run in view.runs:
        yield f"\n```sh\n{printable(command_of(run.spec))}\n```"
    yield ""
