"""A table as plain data: its columns, its rows, and the cells that most tables have."""

from typing import Literal, NamedTuple

from assay.core.estimate import Estimate
from assay.reports.layout import percent
from assay.reports.view import View

FAMILY = ("model", "suite", "family")
"""What the slice of a whole family names."""

Tone = Literal["", "bad", "good"]


class Cell(NamedTuple):
    """A figure or a name."""

    text: str
    """For people."""
    value: float | None = None
    """The figure itself, where it is one."""
    tone: Tone = ""
    """Whether it is what a model that reads would do."""


class Row(NamedTuple):
    """A line of a table."""

    model: str
    """Whose figures they are; empty where they are nobody's."""
    cells: tuple[Cell, ...]
    """From left to right."""


class Sheet(NamedTuple):
    """A table."""

    name: str
    """Short, for files and addresses."""
    title: str
    """What it shows."""
    note: str
    """How to read it."""
    columns: tuple[str, ...]
    """Their names; figures have `>` in front."""
    rows: tuple[Row, ...]
    """The lines."""
    owners: tuple[str, ...] = ()
    """The model of each column, empty for other columns; nothing where no column is a model's."""


def heads_of(view: View, *, family: bool = True) -> tuple[str, ...]:
    """The names of a row's first columns; suites are told apart where a family is in several."""
    return ("model", *(["suite"] if view.repeats else []), *(["family"] if family else []))


def row_of(view: View, of: Estimate, *cells: Cell, family: bool = True) -> Row:
    names = [Cell(view.name(of.slice["model"]))]
    names += [Cell(of.slice["suite"])] if view.repeats else []
    names += [Cell(of.slice["family"])] if family else []
    return Row(of.slice["model"], (*names, *cells))


def share(estimate: Estimate | None, *, empty: str = "-") -> Cell:
    """A share in per cent."""
    return Cell(empty) if estimate is None else Cell(percent(estimate), estimate.value)


def count(estimate: Estimate) -> Cell:
    """How many cases a figure rests on."""
    return Cell(f"{estimate.n:,}", float(estimate.n))
