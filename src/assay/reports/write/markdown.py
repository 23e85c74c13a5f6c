"""A report as Markdown: the verdict, and every table."""

import re
from collections.abc import Iterator, Sequence

from assay.reports.command import command_of
from assay.reports.judgement import judgements
from assay.reports.printable import printable
from assay.reports.tables.papers import paper_sheets
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.sheets import sheets
from assay.reports.view import View

SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+|~&!$])")


def document(view: View) -> str:
    """The whole document."""
    return "\n".join(_lines(view))


def table(sheet: Sheet) -> str:
    r"""A table; text of data, also in its head, is escaped, so that it is shown and never obeyed.

    >>> from assay.reports.tables.sheet import Cell, Row
    >>> rows = (Row("m", (Cell("a|b"), Cell("50.0", 0.5))),)
    >>> print(table(Sheet("s", "S", "", ("model", ">c|d"), rows)))
    | model | c\|d |
    | --- | --: |
    | a\|b | 50.0 |
    """
    head = [escaped(column.removeprefix(">")) for column in sheet.columns]
    rule = ["--:" if column.startswith(">") else "---" for column in sheet.columns]
    body = [[escaped(cell.text) for cell in row.cells] for row in sheet.rows]
    return "\n".join(_line(each) for each in (head, rule, *body))


def escaped(text: str) -> str:
    r"""Text with everything escaped that Markdown would take for markup.

    >>> print(escaped("lexical_overlap <b>"))
    lexical\_overlap \<b\>
    """
    return SPECIAL.sub(r"\\\1", printable(text))


def _lines(view: View) -> Iterator[str]:
    yield "# Right for the right reasons?"
    for name, manifest in view.suites.items():
        source = manifest.source
        told = f"{escaped(name)}: {source.pairs:,} pairs of {escaped(source.name)}, {manifest.cases:,} cases"
        yield f"\nSuite {told}, SHA-256 {escaped(manifest.digest)}"
    yield "\n## Verdict"
    for each in judgements(view):
        name, rest = escaped(view.name(each.model)), escaped(" ".join(filter(None, each.said)))
        yield f"\n**{name}: {each.headline}.** {rest}\n"
        yield from (f"- {escaped(finding.words)}" for finding in each.findings)
    for sheet in (*paper_sheets(view), *sheets(view)):
        yield f"\n## {sheet.title}\n\n{sheet.note}\n\n{table(sheet)}"
    yield "\n## Make it again"
    for run in view.runs:
        yield f"\n```sh\n{printable(command_of(run.record.spec))}\n```"
    yield ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
