"""Tables and lines in the terminal: as many columns as fit, nothing cut, text from data shown as it is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from assay.core.dataframes import MARK
from assay.reports.formatting import printable
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetColumn

NARROW = 8
"""Longer names of columns of figures are broken at hyphens."""

FOLDED = 28
"""Wider columns of text may be folded to this width."""

WRONG = "bold red"


def line(text: str, style: str = "") -> Text:
    """A line of text from data, shown but never interpreted."""
    return Text(printable(text), style=style)


def show_parts(parts: Iterable[Part]) -> Group:
    """Lines of text, and tables with their titles and notes."""
    made: list[RenderableType] = []
    for part in parts:
        made += [line(part)] if isinstance(part, str) else sheet_shown(part)
    return Group(*made)


def sheet_shown(sheet: Sheet) -> list[RenderableType]:
    """A table with its title, if it has one."""
    return [*([line(sheet.title, "bold")] if sheet.title else []), SheetTable(sheet)]


class ShownColumn(NamedTuple):
    """A column as it is shown."""

    name: str
    head: str
    """The name as the head of the column."""
    cells: list[Text]
    """From top to bottom."""
    is_number: bool
    """True if it is aligned to the right, and never folded."""
    is_detail: bool
    """True if it may be left out."""
    group: str = ""
    """Heading that it shares with its neighbours."""

    @property
    def width(self) -> int:
        """Its width without folding."""
        lines = [part for text in (self.head, *(each.plain for each in self.cells)) for part in text.split("\n")]
        return max(map(cell_len, lines))

    @property
    def least(self) -> int:
        """Its smallest width."""
        return self.width if self.is_number else min(self.width, FOLDED)

    @property
    def broken(self) -> "ShownColumn":
        """The head with line breaks in a long name."""
        return self._replace(head="\n".join(_broken(self.head))) if self.is_number else self


class SheetTable:
    """A sheet with its legend. Columns without room follow in another table below, or are left out if they are details.

    Rows that begin with a model and have further text columns are grouped in blocks under the model's name.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.rows = sheet, sheet.rows
        columns = sheet.columns
        self.in_blocks = len(columns) > 1 and columns[0].name == "model" and not columns[1].is_number
        first = 1 if self.in_blocks else 0
        cells = [[row.cells[place] for row in sheet.rows] for place in range(len(columns))]
        self.names = [each.text for each in cells[0]] if self.in_blocks else []
        self.columns = [_shown(columns[place], cells[place]) for place in range(first, len(columns))]
        if self.in_blocks:
            self.columns[0] = _block_column(self.columns[0], self.names)
        texts = [place for place, column in enumerate(self.columns) if column.is_number]
        self.repeated = self.columns[: texts[0] if texts else len(self.columns)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """A table, or several if one is too wide, and the legend."""
        left = {each.name for each in self.columns}
        for number, (columns, gap) in enumerate(self._fitting(options.max_width)):
            if number:
                yield Text("")
            if any(each.group for each in columns):
                yield _group_line(columns, gap, options.max_width)
            yield self._table(columns, gap, options.max_width)
            left -= {each.name for each in columns}
        if legend := self.sheet.legend(left_out=left):
            yield line(legend, "dim")

    def _fitting(self, room: int) -> Iterator[tuple[list[ShownColumn], int]]:
        """The columns of each table, and the gap between them."""
        brief = [each for each in self.columns if not each.is_detail]
        for columns in (self.columns, brief):
            broken = [each.broken for each in columns]
            for shown, gap in ((columns, 2), (broken, 2), (broken, 1)):
                if _least(shown, gap) <= room:
                    yield shown, gap
                    return
        here: list[ShownColumn] = []
        for column in broken[len(self.repeated) :]:
            if here and _least([*self.repeated, *here, column], 1) > room:
                yield [*self.repeated, *here], 1
                here = []
            here.append(column)
        yield [*self.repeated, *here], 1

    def _table(self, columns: Sequence[ShownColumn], gap: int, room: int) -> Table:
        made = Table(box=SIMPLE_HEAD, show_edge=False, header_style="bold", pad_edge=False, padding=(0, gap - 1, 0, 0))
        for column, width in zip(columns, _widths(columns, gap, room), strict=True):
            justify = "right" if column.is_number else "left"
            made.add_column(Text(column.head), justify=justify, no_wrap=column.is_number, overflow="fold", width=width)  # type: ignore[arg-type]
        above = None
        for place, row in enumerate(self.rows):
            if self.in_blocks and row.model != above:
                made.add_section()
                made.add_row(line(self.names[place], "bold"))
                above = row.model
            style = "dim" if not row.model and self.rows[0].model else ""
            made.add_row(*(column.cells[place] for column in columns), style=style)
        return made


def _group_line(columns: Sequence[ShownColumn], gap: int, room: int) -> Text:
    """The names of groups, each in the middle above its columns."""
    widths = _widths(columns, gap, room)
    shown, place = "", 0
    for group, members in groupby(zip(columns, widths, strict=True), key=lambda each: each[0].group):
        span = [width for _, width in members]
        width = sum(span) + gap * (len(span) - 1)
        shown = shown.ljust(place) + (f" {group} ".center(width, "-") if group else "")
        place += width + gap
    return Text(shown[:room], style="dim")


def _shown(column: SheetColumn, cells: Sequence[SheetCell]) -> ShownColumn:
    if not column.is_number:
        return ShownColumn(
            column.name, printable(column.name), [_text(each) for each in cells], False, column.is_detail
        )
    room = " " if any(each.plain.endswith(MARK) and each.marked for each in cells) else ""
    figures = [_text(each, room="" if each.marked else room) for each in cells]
    return ShownColumn(column.name, printable(column.name) + room, figures, True, column.is_detail, column.group)


def _block_column(column: ShownColumn, names: Sequence[str]) -> ShownColumn:
    """The first column of a block: its rows are indented, and the names above them fit as far as possible."""
    widest = max((len(name) for name in names), default=0)
    cells = [Text("  ").append_text(each) for each in column.cells]
    return column._replace(head=column.head.ljust(min(widest, FOLDED)), cells=cells)


def _text(cell: SheetCell, *, room: str = "") -> Text:
    """A cell; figures keep room for the mark, so that they are aligned."""
    return line(f"{cell.plain}{room}", WRONG if cell.marked else "")


def _broken(name: str) -> list[str]:
    """The lines of a column's name.

    >>> _broken("word-overlap"), _broken("both"), _broken("a-b-length")
    (['word-', 'overlap'], ['both'], ['a-b-', 'length'])
    """
    lines = [""]
    for part in name.replace("-", "-\n").replace("/", "/\n").split("\n") if len(name) > NARROW else [name]:
        if lines[-1] and len(lines[-1]) + len(part) > NARROW:
            lines.append("")
        lines[-1] += part
    return lines


def _least(columns: Sequence[ShownColumn], gap: int) -> int:
    return sum(each.least for each in columns) + gap * (len(columns) - 1)


def _widths(columns: Sequence[ShownColumn], gap: int, room: int) -> list[int]:
    """The columns' widths; if they are too wide, the widest text is folded first."""
    widths = [each.width for each in columns]
    least = [each.least for each in columns]
    while sum(widths) + gap * (len(columns) - 1) > room:
        spare = [place for place in range(len(columns)) if widths[place] > least[place]]
        if not spare:
            break
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths
