"""Many models side by side: a line a model, a table a question, for a summary that is read in a minute."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from assay.core.estimate import Estimate
from assay.reports.findings import short_name, swap_verdict, system_of, systems_of, told
from assay.reports.layout import by_slice, key_of, labels_of, line, percent, points, table
from assay.reports.printable import printable
from assay.reports.tables.figures import FAMILY

MARK = "*"
"""Behind a figure that should not be so: it shows without colours too."""

NAMES = 22
"""Room for the names of models; longer ones are folded."""

NARROW = 8
"""Names of columns that are longer than this are broken at their first hyphen."""


class Column(NamedTuple):
    """A question."""

    head: Text
    """Its name."""
    cells: list[Text]
    """An answer a model."""

    @property
    def width(self) -> int:
        """What it takes, with the gap before it."""
        lines = (each for text in (self.head, *self.cells) for each in text.split("\n"))
        return 1 + max(each.cell_len for each in lines)


class SideBySide:
    """A line a model; columns for which there is no room stand in another table below."""

    def __init__(self, models: Iterable[str], columns: dict[str, list[Text]]) -> None:
        self.names = [line(short_name(model)) for model in models]
        self.columns = [Column(_head(name), cells) for name, cells in columns.items()]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A table, or several where one is too wide."""
        for number, columns in enumerate(self._fitting(options.max_width - NAMES)):
            made = table("", *(">" for _ in columns))
            made.padding = 0  # the room for the mark parts the columns
            for shown, column in zip(made.columns[1:], columns, strict=True):
                shown.header = column.head
            for name, *cells in zip(self.names, *(column.cells for column in columns), strict=True):
                made.add_row(name, *cells)
            if number:
                yield Text("")
            yield made

    def _fitting(self, room: int) -> Iterator[list[Column]]:
        here: list[Column] = []
        for column in self.columns:
            if here and sum(each.width for each in (*here, column)) > room:
                yield here
                here = []
            here.append(column)
        yield here


def accuracies(estimates: Iterable[Estimate]) -> SideBySide:
    """Accuracy of each model in a suite: a column a family, or a column a label where there is one family only."""
    figures = list(estimates)
    systems, drops = systems_of(figures), by_slice(figures, "drop")
    found = {**by_slice(figures), **{key_of(_without_seeds(e)): e for e in figures if e.name == "band"}}
    whole = [dict(key) for key in found if {name for name, _ in key} == {*FAMILY}]
    models = [each for each in _seen(whole, "model") if system_of(each, systems) == each]
    families = _seen(whole, "family")
    columns = {family: {"family": family} for family in families}
    if len(families) == 1:
        labels = labels_of(key for key in found if {name for name, _ in key} == {*FAMILY, "label"})
        columns |= {label: {"family": families[0], "label": label} for label in labels}
    shown: dict[str, list[Text]] = {}
    for name, where in columns.items():
        keys = [key_of({"model": model, "suite": whole[0]["suite"], **where}) for model in models]
        most = max((found[key].n for key in keys if key in found), default=0)
        cells = [_marked(percent(found.get(key)), wrong=_is_loss(drops.get(key))) for key in keys]
        shown[name] = [*cells, Text(f"{most:,} ", style="dim")]
    return SideBySide([*models, "cases"], shown)


def swaps(estimates: Iterable[Estimate]) -> SideBySide | None:
    """How far the share of each label moves for each model when the sides are swapped; None where none were."""
    figures = list(estimates)
    kept, source, drops, tests = (by_slice(figures, name) for name in ("kept", "source", "drop", "holm"))
    rows = [e.slice for key, e in kept.items() if {*e.slice} == {*FAMILY, "label"} and key in drops]
    models = _seen(rows, "model")
    shown: dict[str, list[Text]] = {label: [] for label in labels_of(map(key_of, rows))}
    for label, cells in shown.items():
        for model in models:
            key = next((key_of(each) for each in rows if (each["model"], each["label"]) == (model, label)), None)
            move = drops[key].value if key else None
            expected = key is None or swap_verdict(source[key], drops[key], tests.get(key)).is_expected
            cells.append(_marked("-" if move is None else points(-move), wrong=not expected))
    return SideBySide(models, shown) if rows else None


def worst(estimates: Iterable[Estimate]) -> list[str]:
    """What tells most about each model, as a sentence, and how much more there is."""
    own: dict[str, list[str]] = {}
    for each in told(estimates):
        own.setdefault(each.model, []).append(each.sentence)
    return [f"{first.removesuffix('.')}; {len(rest)} more." if rest else first for first, *rest in own.values()]


def _seen(slices: Iterable[dict[str, str]], name: str) -> list[str]:
    return list(dict.fromkeys(each[name] for each in slices))


def _without_seeds(estimate: Estimate) -> dict[str, str]:
    return {name: value for name, value in estimate.slice.items() if name != "seeds"}


def _is_loss(drop: Estimate | None) -> bool:
    return drop is not None and drop.low is not None and drop.low > 0


def _marked(figure: str, *, wrong: bool) -> Text:
    """A figure with room for the mark, so that figures stand below each other."""
    return Text(f"{figure}{MARK}", style="bold red") if wrong else Text(f"{figure} ")


def _head(name: str) -> Text:
    shown = printable(name)
    first, hyphen, second = shown.partition("-")
    return Text(f"{first}-\n{second} " if hyphen and len(shown) > NARROW else f"{shown} ")
