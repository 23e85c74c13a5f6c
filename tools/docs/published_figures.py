"""Makes `published.md`: the published figures that come with Assay, table by table."""

from assay.reports.published.published_results import PublishedPaper, PublishedTable, papers

INTRODUCTION = """# Published figures

The figures of the four papers, and those of later sets, come with Assay as data. `assay list published` shows them in
the terminal, or prints them as JSON with `--json`. `--family` picks the figures that correspond to one family:

```console
$ assay list published --family negation --json
```

Each figure says on which corpus and split it was measured, and how cases were made (`fidelity`: `code` means the
authors' own code). It also says which system it is of, and on what that was trained. Systems that share a name but not
their code, such as ESIM, are told apart. Reports show a figure only next to a measured one of the same data. Titles,
rows and columns are in our words; figures are as printed. Tests recompute what can be recomputed. A figure that
does not fit the others of its paper is marked with * and explained below its table.
"""

STAR = r"\*"
"""Marks a doubtful figure."""


def page() -> str:
    """The page."""
    return "\n".join([INTRODUCTION, *(_paper(each) for each in papers())])


def _paper(paper: PublishedPaper) -> str:
    head = f"## {paper.key}\n\n{paper.authors} ({paper.year}). *{paper.title}*. {paper.venue}.\n"
    return "\n".join([head, *(_table(paper, table) for table in paper.tables)])


def _data(paper: PublishedPaper, table: PublishedTable) -> str:
    """What the figures of a table were measured on, and for which systems."""
    own = [each for each in paper.figures() if each.table == table.number]
    said = {
        "Data": dict.fromkeys(each.data.name for each in own),
        "Trained on": dict.fromkeys(each.trained for each in own if each.trained),
        "Systems": dict.fromkeys(
            each.system if each.system == each.model else f"{each.model} is {each.system}"
            for each in own
            if each.system
        ),
    }
    return " ".join(f"{name}: {'; '.join(values)}." for name, values in said.items() if values)


def _table(paper: PublishedPaper, table: PublishedTable) -> str:
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
    below = [
        _data(paper, table),
        *([table.note] if table.note else []),
        *(f"{STAR} {fact}" for fact in dict.fromkeys(doubts.values())),
    ]
    return "\n".join([*lines, *(f"\n{each}" for each in below)]) + "\n"
