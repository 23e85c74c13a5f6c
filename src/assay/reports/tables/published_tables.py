"""Published figures: those of the tests that were measured, and the papers' own tables."""

from collections import Counter
from collections.abc import Sequence

from assay.core.label_space import LabelNames
from assay.reports.formatting import percent
from assay.reports.published.comparable_results import (
    RelatedTest,
    SameTest,
    is_brief,
    name_of,
    related_tests,
    same_tests,
)
from assay.reports.published.published_results import PublishedFigure, paper
from assay.reports.published.published_results import table as paper_table
from assay.reports.tables.sheet import Sheet, SheetCell, SheetRow, count, model_columns, numbers, texts
from assay.reports.view import ReportView


def published_sheet(view: ReportView, *, brief: bool = False) -> Sheet:
    """Published and measured figures for the same tests on the same data; all of them, or those for a summary."""
    found = [each for each in same_tests(view, view.origins) if not brief or is_brief(each)]
    models = list(dict.fromkeys(model for each in found for model in each.measured))
    names = Counter(name_of(each, view.names) for each in found)
    rows = []
    for each in found:
        measured = (each.measured.get(model) for model in models)
        cells = (*_extremes(each), *(SheetCell(percent(value), value) for value in measured))
        rows.append(
            SheetRow("", (SheetCell(_test(each, names, view.names)), *cells, SheetCell(", ".join(each.tables))))
        )
    return Sheet(
        "published",
        "Published figures for the same tests on the same data",
        "Accuracy in %. Lowest and highest: published for other systems on the same corpus, split and "
        f"fidelity. The columns after them: measured here. {_measured_on(found)}For orientation, not a target. `assay "
        "published PAPER TABLE` shows each.",
        (*texts("test"), *EXTREMES, *model_columns(view, models), *texts("paper and table")),
        tuple(rows),
    )


def related_sheet(view: ReportView) -> Sheet:
    """Published figures for the same tests on other data, never in one row with measured ones."""
    found = related_tests(view, view.origins)
    rows = [
        SheetRow(
            "",
            (
                SheetCell(name_of(each, view.names)),
                *map(SheetCell, (each.data.name, each.of.name, ", ".join(each.differs))),
                *_extremes(each),
                SheetCell(", ".join(each.tables)),
            ),
        )
        for each in found
    ]
    return Sheet(
        "related",
        "Published figures for related tests",
        "Accuracy in %, published for the same kind of test on other data: another corpus, split or fidelity. "
        "Don't compare them with what was measured here: each of the three changes how hard a test is.",
        (*texts("test", "measured here on", "published for", "differs in"), *EXTREMES, *texts("paper and table")),
        tuple(dict.fromkeys(rows)),  # two suites of the same data say the same
    )


EXTREMES = numbers("lowest", "highest", "systems")


def _extremes(row: SameTest | RelatedTest) -> tuple[SheetCell, ...]:
    return (*(SheetCell(percent(end), end) for end in (row.low, row.high)), count(row.systems))


def _measured_on(found: Sequence[SameTest]) -> str:
    """The data of the figures; only data that papers name appears here, no name that a user gave."""
    said = dict.fromkeys(f"{each.data.name} ({each.part})" if each.part else each.data.name for each in found)
    return f"Data: {'; '.join(said)}. " if said else ""


def paper_tables(figures: Sequence[PublishedFigure]) -> list[Sheet]:
    """Each table of the papers that has one of these figures; doubtful ones are marked."""
    places = dict.fromkeys((each.paper, each.table) for each in figures)
    return [_paper_table(*place, [each for each in figures if (each.paper, each.table) == place]) for place in places]


def _test(row: SameTest, names: Counter[str], labels: LabelNames) -> str:
    """The name of a test; with its suite, if two suites have the same test."""
    name = name_of(row, labels)
    return f"{name} ({row.slice['suite']})" if names[name] > 1 else name


def _paper_table(key: str, number: str, own: Sequence[PublishedFigure]) -> Sheet:
    shown = paper_table(key, number)
    cells = {(each.row, each.column): SheetCell(each.printed, each.value, bool(each.doubt)) for each in own}
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
        tuple(
            SheetRow("", (SheetCell(row), *(cells.get((row, column), SheetCell("-")) for column in columns)))
            for row in rows
        ),
        mark=" ".join(facts).removesuffix("."),
    )


def _width(columns: Sequence[str], rows: Sequence[str]) -> int:
    return max(map(len, rows)) + sum(len(column) + 1 for column in columns)
