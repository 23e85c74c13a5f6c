"""Makes `published.md`: the published figures that come with Assay, table by table."""

from assay.reports.published.figures import Paper, Table, papers

INTRODUCTION = """# Published figures

What the four papers print, as data that comes with Assay. `assay published` shows it in the terminal, and with `--json`
gives it to a program. `--family` picks the figures that correspond to one family:

```console
$ assay published --family negation --json
```

Titles, rows and columns are in our words, figures are as printed. Tests recompute what can be recomputed. A figure that
does not fit with others of its paper is marked with * and explained below its table.
"""

STAR = r"\*"
"""Stands beside a doubtful figure."""


def page() -> str:
    """The page."""
    return "\n".join([INTRODUCTION, *(_paper(each) for each in papers())])


def _paper(paper: Paper) -> str:
    head = f"## {paper.key}\n\n{paper.authors} ({paper.year}). *{paper.title}*. {paper.venue}.\n"
    return "\n".join([head, *(_table(paper, table) for table in paper.tables)])


def _table(paper: Paper, table: Table) -> str:
    doubts = {(each.row, each.column): each.fact for each in paper.doubts if each.table == table.number}
    place = table.number.capitalize() if table.number.startswith("section") else f"Table {table.number}"
    lines = [
        f"### {paper.key}, {place}: {table.title}\n",
        f"| {table.unit} | {' | '.join(column.name for column in table.columns)} |",
        f"| --- |{' ---: |' * len(table.columns)}",
    ]
    for row in table.rows:
        cells = [
            f"{cell}{STAR if (row.name, column.name) in doubts else ''}"
            for column, cell in zip(table.columns, row.values, strict=True)
        ]
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    below = [*([table.note] if table.note else []), *(f"{STAR} {fact}" for fact in dict.fromkeys(doubts.values()))]
    return "\n".join([*lines, *(f"\n{each}" for each in below)]) + "\n"
