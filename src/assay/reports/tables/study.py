"""A study as tables: figures over seeds by regime, tests, published figures next to ours, and what is missing."""

from collections.abc import Iterator

from assay.core.results.comparison import Band
from assay.core.study.record import StudyFigure, StudyRecord, StudyTable
from assay.reports.numbers import percent
from assay.reports.tables.sheet import Cell, Column, Part, Row, Sheet, texts


def study_parts(record: StudyRecord) -> list[Part]:
    """Everything that a study shows, from top to bottom."""
    return list(_parts(record))


def _parts(record: StudyRecord) -> Iterator[Part]:
    plan = record.plan
    yield f"{plan.title}{f' ({plan.reproduces})' if plan.reproduces else ''}: {len(record.cells)} cells."
    for number, table in enumerate(record.tables, 1):
        if table.figures:
            yield figure_sheet(table, number)
    for each in record.missing:
        yield f"Missing: {each.system}, {each.regime}, seed {each.seed}: {each.reason} ({each.log})"
    for reduced in record.reduced:
        yield f"Reduced: {reduced}"


def figure_sheet(table: StudyTable, number: int) -> Sheet:
    """The figures: regimes side by side; if there is only one, systems."""
    found = table.figures
    regimes = list(dict.fromkeys(each.regime for each in found if each.regime))
    heads = list(dict.fromkeys(name for each in found for name in each.slice))
    across = "regime" if len(regimes) > 1 else "system"
    columns = list(dict.fromkeys(getattr(each, across) for each in found))
    first = ["system", *heads] if across == "regime" else heads
    lines: dict[tuple[str, ...], dict[str, StudyFigure]] = {}
    for each in found:
        own = [each.system] if across == "regime" else []
        lines.setdefault((*own, *(each.slice.get(name, "") for name in heads)), {})[getattr(each, across)] = each
    rows = [
        Row("", (*map(Cell, key), *(_cell(by.get(name), table.plan.measure) for name in columns)))
        for key, by in lines.items()
    ]
    return Sheet(
        f"table-{number}",
        table.plan.title,
        _note(found[0].band, table.plan.measure),
        (*texts(*first), *(Column(name, is_number=True) for name in columns)),
        tuple(rows),
    )


def _note(band: Band, measure: str) -> str:
    what = "Accuracy in per cent" if measure == "accuracy" else "The sum of squared distances of the ratios from 1"
    return f"{what}{'; the mean over seeds, with their range' if band.n > 1 else ''}."


def _cell(figure: StudyFigure | None, measure: str) -> Cell:
    if figure is None:
        return Cell("")
    band = figure.band
    one = percent if measure == "accuracy" else (lambda value: f"{value:.3f}")
    spread = f" ({one(band.low)}-{one(band.high)})" if band.n > 1 else ""
    return Cell(f"{one(band.mean)}{spread}", band.mean)
