"""Published figures: those of the tests that were measured, and the papers' own tables."""

from collections import Counter
from collections.abc import Sequence

from assay.core.label import LabelNames
from assay.reports.numbers import percent
from assay.reports.published.figures import Figure, paper
from assay.reports.published.figures import table as paper_table
from assay.reports.published.same_tests import SameTest, is_brief, name_of, same_tests
from assay.reports.tables.sheet import Cell, Row, Sheet, count, model_columns, numbers, texts
from assay.reports.view import View


def published(view: View, *, brief: bool = False) -> Sheet:
    """Published and measured figures for the same tests; all of them, or those for a summary."""
    found = [each for each in same_tests(view) if not brief or is_brief(each)]
    models = list(dict.fromkeys(model for each in found for model in each.measured))
    names = Counter(name_of(each, view.names) for each in found)
    rows = []
    for each in found:
        ends = (Cell(percent(end), end) for end in (each.low, each.high))
        measured = (each.measured.get(model) for model in models)
        cells = (*ends, count(each.systems), *(Cell(percent(value), value) for value in measured))
        rows.append(Row("", (Cell(_test(each, names, view.names)), *cells, Cell(", ".join(each.tables)))))
    ours, theirs = model_columns(view, models), numbers("lowest", "highest", "systems")
    return Sheet(
        "published",
        "Published figures of the same tests",
        "Accuracy in per cent. Lowest and highest: published for other systems on other pairs of the same test. "
        "The columns after them: measured here. A reference, not a target. `assay published PAPER TABLE` shows each.",
        (*texts("test"), *theirs, *ours, *texts("paper and table")),
        tuple(rows),
    )


def paper_tables(figures: Sequence[Figure]) -> list[Sheet]:
    """Each table of the papers that has one of these figures; doubtful ones are marked."""
    places = dict.fromkeys((each.paper, each.table) for each in figures)
    return [_paper_table(*place, [each for each in figures if (each.paper, each.table) == place]) for place in places]


def _test(row: SameTest, names: Counter[str], labels: LabelNames) -> str:
    """What a test is called; two suites of the same test are told apart."""
    name = name_of(row, labels)
    return f"{name} ({row.slice['suite']})" if names[name] > 1 else name


def _paper_table(key: str, number: str, own: Sequence[Figure]) -> Sheet:
    shown = paper_table(key, number)
    cells = {(each.row, each.column): Cell(each.printed, each.value, bool(each.doubt)) for each in own}
    rows, columns = list(dict.fromkeys(each.row for each in own)), list(dict.fromkeys(each.column for each in own))
    if _width(columns, rows) > _width(rows, columns):
        rows, columns, cells = columns, rows, {(column, row): cell for (row, column), cell in cells.items()}
    place = number if number.startswith("section") else f"table {number}"
    facts = dict.fromkeys(each.fact for each in paper(key).doubts if each.table == number)
    return Sheet(
        f"{key}-{number}".replace(" ", "-"),
        f"{key}, {place}: {shown.title} ({shown.unit})",
        shown.note,
        (*texts(""), *numbers(*columns)),
        tuple(Row("", (Cell(row), *(cells.get((row, column), Cell("-")) for column in columns))) for row in rows),
        mark=" ".join(facts).removesuffix("."),
    )


def _width(columns: Sequence[str], rows: Sequence[str]) -> int:
    return max(map(len, rows)) + sum(len(column) + 1 for column in columns)
