"""Every figure as one table, for machines."""

from assay.core.results.estimate import Estimate, key_of
from assay.core.tables import VALUES, slice_columns
from assay.reports.tables.sheet import Cell, Column, Row, Sheet, numbers, texts
from assay.reports.view import View

MARKS = {"accuracy": "loss", "band": "loss", "kept": "unexpected"}
"""What a marked figure is called."""


LABELLED = ("label", "answer")
"""Names of a slice whose values are labels."""


def every_figure(view: View) -> Sheet:
    """One line for each figure, in full precision, and whether it is marked in the other tables."""
    found = [*view.estimates, *view.slices]
    slices = slice_columns(found)
    rows = []
    for e in found:
        values = {**e.slice, **{name: view.label(e.slice[name]) for name in LABELLED if name in e.slice}}
        names = [Cell(e.name), *(Cell(values.get(name, "")) for name in slices.values())]
        figures = [Cell("" if each is None else repr(each), each) for each in (getattr(e, name) for name in VALUES)]
        reference = Cell("yes" if e.slice["model"] in view.references else "")
        two_way = Cell("yes" if e.slice["model"] in view.two_way else "")
        judged = Cell("two-way" if e.slice["suite"] in view.in_two else "")
        rows.append(Row(e.slice["model"], (*names, *figures, reference, two_way, judged, Cell(_mark(view, e)))))
    facts = texts("reference", "two_way", "judged", "mark")
    columns: tuple[Column, ...] = (*texts("figure", *slices), *numbers(*VALUES), *facts)
    return Sheet("figures", "Every figure", "As shares of 1.", columns, tuple(rows))


def _mark(view: View, e: Estimate) -> str:
    key = key_of({name: value for name, value in e.slice.items() if name != "seeds"})
    marked = view.unexpected if e.name == "kept" else view.lost
    return MARKS[e.name] if e.name in MARKS and key in marked else ""
