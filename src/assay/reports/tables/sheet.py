"""A table as plain data: its columns, its rows, and the cells that most tables have. Every format writes these."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from assay.core.dataframes import MARK
from assay.core.estimate import FAMILY, Estimate, Interval, Key, SeedRange, key_of
from assay.core.label import Label
from assay.reports.formatting import FEW, FEW_NOTE, interval, p_value, percent
from assay.reports.view import ReportView

TEST = "p: paired test that counts shared premises and word pairs, with Holm's correction for each model."
"""Legend of the p of a difference."""


class SheetColumn(NamedTuple):
    name: str
    is_number: bool = False  # numbers are aligned to the right
    model: str = ""  # the model whose numbers it holds; empty if rows name the model
    is_detail: bool = False
    note: str = ""
    group: str = ""
    family: str = ""  # the family whose numbers it holds


class SheetCell(NamedTuple):
    text: str
    value: float | None = None
    marked: bool = False  # True if the number is unexpected for a model that reads
    ends: Interval | SeedRange | None = None
    """Its interval or the range of its seeds, for formats that put it below the number."""

    @property
    def plain(self) -> str:
        """The text, with the mark after a marked number; words need no mark."""
        return f"{self.text}{MARK}" if self.marked and self.value is not None else self.text


class SheetRow(NamedTuple):
    model: str  # the model whose numbers they are; empty if there is none
    cells: tuple[SheetCell, ...]


class Sheet(NamedTuple):
    name: str
    title: str
    note: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[SheetRow, ...]
    mark: str = ""
    suites: tuple[str, ...] = ()  # those that a table for an article shows, which stands alone

    @property
    def group_spans(self) -> list[tuple[str, int]]:
        """The groups of neighbouring columns, from left to right, and how many columns each has."""
        return [(name, len([*members])) for name, members in groupby(each.group for each in self.columns)]

    def only(self, places: Iterable[int]) -> "Sheet":
        kept = sorted(places)
        rows = tuple(row._replace(cells=tuple(row.cells[place] for place in kept)) for row in self.rows)
        return self._replace(columns=tuple(self.columns[place] for place in kept), rows=rows)

    def legend(self, mark: str = MARK, *, left_out: Collection[str] = ()) -> str:
        """The legend of the table, its columns and its marks."""
        columns = [each.note for each in self.columns if each.name not in left_out]
        is_marked = any(cell.marked for row in self.rows for cell in row.cells)
        marks = [f"{mark}: {self.mark}."] if is_marked and self.mark else []
        rough = any(cell.text.startswith(FEW) for row in self.rows for cell in row.cells)
        return " ".join(filter(None, [self.note, *columns, *marks, FEW_NOTE if rough else ""]))


def texts(*names: str) -> tuple[SheetColumn, ...]:
    return tuple(SheetColumn(name) for name in names)


def numbers(*names: str) -> tuple[SheetColumn, ...]:
    return tuple(SheetColumn(name, is_number=True) for name in names)


def model_columns(view: ReportView, models: Iterable[str]) -> tuple[SheetColumn, ...]:
    return tuple(SheetColumn(view.name(model), is_number=True, model=model) for model in models)


def heads_of(view: ReportView, *, family: bool = True) -> tuple[SheetColumn, ...]:
    """A row's first columns; with the suite, if a family is in several."""
    return texts("model", *(["suite"] if view.repeats else []), *(["family"] if family else []))


def sheet_row(model: str, *cells: SheetCell | str) -> SheetRow:
    return SheetRow(model, tuple(SheetCell(each) if isinstance(each, str) else each for each in cells))


def row_of(view: ReportView, of: Estimate, *cells: SheetCell | str, family: bool = True) -> SheetRow:
    """A row that begins with what `heads_of` names."""
    model, suite = of.slice["model"], [of.slice["suite"]] if view.repeats else []
    return sheet_row(model, view.name(model), *suite, *([of.slice["family"]] if family else []), *cells)


def share(estimate: Estimate | None, *, empty: str = "-", marked: bool = False) -> SheetCell:
    if estimate is None:
        return SheetCell(empty)
    return SheetCell(percent(estimate.value), estimate.value, marked, estimate.ends)


def around(estimate: Estimate) -> SheetCell:
    return SheetCell(interval(estimate))


def count(n: int) -> SheetCell:
    return SheetCell(f"{n:,}", float(n))


def share_cell(value: float | None, *, marked: bool = False) -> SheetCell:
    """A share in % that has no interval."""
    return SheetCell(percent(value), value, marked)


def p_cell(p: float | None) -> SheetCell:
    return SheetCell(p_value(p), p)


def p_of_test(test: Estimate | None) -> SheetCell:
    """The corrected p of a test; blank if there is none."""
    return SheetCell("") if test is None else p_cell(test.value)


def place_of(of: Estimate, *by: str) -> tuple[str, ...]:
    """The key that `ReportView.find` has for a number."""
    return tuple(of.slice[name] for name in (*FAMILY, *by))


def slice_key(of: Estimate) -> Key:
    """The slice of a number, of a model or of a mean over seeds."""
    return key_of({name: value for name, value in of.slice.items() if name != "seeds"})


def labels_of(found: Iterable[Estimate]) -> list[str]:
    """The labels that slices have, in their usual order."""
    there = {e.slice["label"] for e in found if "label" in e.slice}
    return [label.value for label in Label if label.value in there]


def values_seen(found: Iterable[Estimate], name: str) -> list[str]:
    """The values that slices have under a name, in order of appearance."""
    return list(dict.fromkeys(e.slice[name] for e in found))


def varying_names(found: Sequence[Estimate]) -> list[str]:
    """The slices, suite or family, that vary: a paper's table has a column for each."""
    return [name for name in ("suite", "family") if len(values_seen(found, name)) > 1]


def split_by_place(found: Iterable[Estimate]) -> list[list[Estimate]]:
    parts: dict[tuple[str, str], list[Estimate]] = {}
    for each in found:
        parts.setdefault((each.slice["suite"], each.slice["family"]), []).append(each)
    return [*parts.values()]


Part = str | Sheet  # part of what a command shows: a line of text, or a table


def plain_sheet(rows: Sequence[Mapping[str, str]], *, figures: Collection[str] = (), title: str = "") -> Sheet:
    """Rows of text under their names; those of `figures` are numbers."""
    columns = tuple(SheetColumn(name, is_number=name in figures) for name in rows[0]) if rows else ()
    return Sheet("", title, "", columns, tuple(SheetRow("", tuple(map(SheetCell, row.values()))) for row in rows))


def sorted_places(found: Iterable[Estimate]) -> list[Estimate]:
    """Models, suites and families in order of appearance, and labels in the usual order."""
    rows, labels = list(found), [label.value for label in Label]
    places = list(dict.fromkeys(map(place_of, rows)))
    models = list(dict.fromkeys(place[0] for place in places))

    def key(e: Estimate) -> tuple[int, int, int]:
        return models.index(e.slice["model"]), places.index(place_of(e)), labels.index(e.slice["label"])

    return sorted(rows, key=key)


def answers_of(found: Iterable[Estimate]) -> list[str]:
    """The answers that occur: labels in the usual order, then anything else."""
    there = {e.slice["answer"] for e in found}
    labels = [label.value for label in Label if label.value in there]
    return [*labels, *sorted(there - {*labels})]
