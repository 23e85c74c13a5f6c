"""How figures are laid out in the terminal: plain tables, shares in per cent, text shown as it is."""

import sys
from collections.abc import Iterable, Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.reports.printable import printable


def percent(estimate: Estimate | None) -> str:
    """A share in per cent; a dash where nothing was measured.

    >>> percent(Estimate(name="accuracy", value=0.5, n=2)), percent(None)
    ('50.0', '-')
    """
    return "-" if estimate is None or estimate.value is None else f"{estimate.value * 100:.1f}"


def interval(estimate: Estimate) -> str:
    """The ends of an interval in per cent."""
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.low * 100:.1f}-{estimate.high * 100:.1f}"


def group_name(group: str, value: str) -> str:
    """The value of a group for people; a subcase stays as HANS calls it, because `ln passive` is read as "In passive".

    >>> group_name("heuristic", "lexical_overlap"), group_name("subcase", "ln_passive")
    ('lexical overlap', 'ln_passive')
    """
    return value if group == "subcase" else value.replace("_", " ")


def points(difference: float) -> str:
    """A difference of shares in points, with its sign.

    >>> points(-0.0123), points(0.0), points(-0.0000001)
    ('-1.2', '+0.0', '+0.0')
    """
    return f"{round(difference * 100, 1) + 0.0:+.1f}"


def p_value(test: Estimate | None) -> str:
    """A p for people.

    >>> p_value(Estimate(name="holm", value=0.0421, n=9)), p_value(Estimate(name="holm", value=0.00001, n=9))
    ('0.042', '<0.001')
    """
    if test is None or test.value is None:
        return "-"
    return f"{test.value:.3f}" if test.value >= 0.001 else "<0.001"


class _Table(Table):
    """A table that moves its columns together where there is little room."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.__rich_measure__(console, options.update(max_width=sys.maxsize)).minimum > options.max_width:
            self.padding = 0
        return super().__rich_console__(console, options)


def table(*columns: str) -> Table:
    """A plain table; figures (`>` before the name) stand to the right and are never broken, text is folded."""
    made = _Table(box=SIMPLE_HEAD, show_edge=False, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for name in columns:
        if name.startswith(">"):
            made.add_column(line(name.removeprefix(">")), justify="right", no_wrap=True)
        else:
            made.add_column(line(name), overflow="fold")
    return made


Key = frozenset[tuple[str, str]]
"""A slice, for looking figures up."""


def key_of(where: Mapping[str, str]) -> Key:
    """A slice as a key."""
    return frozenset(where.items())


def by_slice(estimates: Iterable[Estimate], name: str = "accuracy") -> dict[Key, Estimate]:
    """The figures of one name, by their slices."""
    return {key_of(e.slice): e for e in estimates if e.name == name}


def labels_of(found: Iterable[Key]) -> list[str]:
    """The labels that occur, in their usual order."""
    there = {value for key in found for name, value in key if name == "label"}
    return [label.value for label in Label if label.value in there]


def line(text: str, style: str = "") -> Text:
    """A line of text from data, shown and never obeyed."""
    return Text(printable(text), style=style)
