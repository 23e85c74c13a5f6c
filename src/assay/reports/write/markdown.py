"""Markdown: a report with its verdicts and every table, and what a study shows."""

import re
from collections.abc import Iterable, Iterator, Sequence

from assay.core.notebook import MARK
from assay.reports.command import command_of
from assay.reports.printable import printable
from assay.reports.tables.sheet import Part, Sheet
from assay.reports.tables.sheets import overview_sheets, paper_sheets, sheets
from assay.reports.view import View
from assay.reports.words import finding_words

SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+|~&!$])")


def document(view: View) -> str:
    """The whole document."""
    return "\n".join(_lines(view))


def parts(given: Iterable[Part]) -> str:
    """Tables with an empty line around them; lines of text as a list."""
    return "\n".join(f"- {escaped(each)}" if isinstance(each, str) else f"{table(each)}\n" for each in given)


def table(sheet: Sheet) -> str:
    r"""A table; text from data, even in its head, is escaped, so that it is shown but never interpreted.

    >>> from assay.reports.tables.sheet import Cell, Row, numbers, texts
    >>> rows = (Row("m", (Cell("a|b"), Cell("50.0", 0.5))),)
    >>> print(table(Sheet("s", "S", "", (*texts("model"), *numbers("c|d")), rows)))
    | model | c\|d |
    | --- | --: |
    | a\|b | 50.0 |
    """
    head = [escaped(column.name) for column in sheet.columns]
    rule = ["--:" if column.is_number else "---" for column in sheet.columns]
    body = [[escaped(cell.plain) for cell in row.cells] for row in sheet.rows]
    return "\n".join(_line(each) for each in (head, rule, *body))


def escaped(text: str) -> str:
    r"""Text in which everything that Markdown would take for markup is escaped.

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
    yield from ([f"\n{escaped(judged)}"] if (judged := view.judged()) else [])
    yield "\n## Verdict"
    for verdict in view.judgement.verdicts:
        found = view.findings(verdict.model)
        said = view.said(verdict)
        yield f"\n**{escaped(view.name(verdict.model))}: {escaped(said.headline)}.** {escaped(said.below)}\n"
        yield from (f"- {escaped(finding_words(finding, view.names))}" for finding in found)
    named = {sheet.name: sheet for sheet in (*overview_sheets(view), *paper_sheets(view), *sheets(view))}
    for sheet in named.values():
        yield f"\n## {sheet.title}\n\n{sheet.legend(escaped(MARK))}\n\n{table(sheet)}"
    yield "\n## Reproduce it"
    for run in view.runs:
        yield f"\n```sh\n{printable(command_of(run.spec))}\n```"
    yield ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
