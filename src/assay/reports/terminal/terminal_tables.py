"""Tables and lines in the terminal: as many columns as fit, nothing cut, text from data never interpreted."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from assay.core.case import ORIGINAL
from assay.core.dataframes import MARK
from assay.core.judgement import Example
from assay.core.manifest import NOT_DRAWN, Source
from assay.core.run_record import RunRecord
from assay.reports.formatting import TextPiece, duration, mark_edits, printable, wrap_words
from assay.reports.headline import OURS, TEMPLATES, Headline, case_origins, headlines, order_subjects, telling_failures
from assay.reports.phrases import short_name
from assay.reports.repeat_command import own_model_command
from assay.reports.tables.overview_table import logic_words, overview
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetColumn
from assay.reports.view import ReportView, view_of
from assay.version import __version__

NARROW = 8  # longer names of columns of numbers are broken at hyphens
FOLDED = 28  # wider columns of text may be folded to this width
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
    return [*([line(sheet.title, "bold")] if sheet.title else []), SheetTable(sheet)]


class ShownColumn(NamedTuple):
    name: str
    head: str
    cells: list[Text]
    is_number: bool  # True if it is aligned to the right, and never folded
    is_detail: bool
    group: str = ""

    @property
    def width(self) -> int:
        lines = [part for text in (self.head, *(each.plain for each in self.cells)) for part in text.split("\n")]
        return max(map(cell_len, lines))

    @property
    def least(self) -> int:
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
            # Rows are indented below the names of models, which fit above them as far as possible.
            widest, column = max(map(len, self.names), default=0), self.columns[0]
            cells_below = [Text("  ").append_text(each) for each in column.cells]
            self.columns[0] = column._replace(head=column.head.ljust(min(widest, FOLDED)), cells=cells_below)
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
    # Numbers keep room for the mark, so that they are aligned.
    room = " " if column.is_number and any(each.plain.endswith(MARK) and each.marked for each in cells) else ""
    shown = [line(each.plain + ("" if each.marked else room), WRONG if each.marked else "") for each in cells]
    group = column.group if column.is_number else ""
    return ShownColumn(column.name, printable(column.name), shown, column.is_number, column.is_detail, group)


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


PAGE = "report.html"


def run_screen(record: RunRecord, *, folder: str = "") -> RenderableType:
    """A run in about 35 lines of 100 columns; `folder` is how the place of the run is shown."""
    view = view_of([record])
    parts = [_opening(record, view), *_notes(view), *verdict_section(view)]
    table = overview(view)
    if table.rows:
        parts += [line(""), SheetTable(table)]
    if logic := logic_words(view):
        parts += [
            line(""),
            line(f"{logic.title}: {logic.verdict}", "bold"),
            FittedLines(partial(_share_lines, logic.shares)),
        ]
    if failures := telling_failures(view):
        width = max(cell_len(printable(each.case.family)) for each in failures)
        has_edits = any(each.case.family != ORIGINAL for each in failures)
        title = "Failures, with the edit as [old -> new] or [+added]" if has_edits else "Failures"
        shown = (FittedLines(partial(_failure_lines, view, each, width)) for each in failures)
        parts += [line(""), line(title, "bold"), *shown]
    return Group(*parts, *_next_steps(record, view, folder or str(record.folder or "")))


def verdict_screen(record: RunRecord) -> RenderableType:
    """Only the verdicts, one line for each model."""
    found = _with_width(headlines(view_of([record])))
    return Group(*(FittedLines(partial(_verdict_lines, each, width, ())) for width, each in found))


def _opening(record: RunRecord, view: ReportView) -> RenderableType:
    pairs = []
    for origin in case_origins(view.suites.values()):
        read = sum(each.source.pairs for each in view.suites.values() if each.source.name == origin.source)
        words = "bundled pairs" if origin.source == "bundled" else f"pairs of {origin.source}"
        pairs.append(f"{origin.n:,} generated pairs" if origin.source == TEMPLATES else f"{read:,} {words}")
    tests = len({family for manifest in view.suites.values() for family in manifest.counts if family != ORIGINAL})
    cases = sum(manifest.cases for manifest in view.suites.values())
    told = [" + ".join(pairs), *([_counted(tests, "test")] if tests else []), _counted(cases, "case")]
    took = "" if record.seconds is None else f", {duration(record.seconds)}"
    version = record.versions.get("assay", __version__)
    return line(f"Assay {version}: {', '.join(told)}, seed {record.spec.seed}{took}", "bold")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _notes(view: ReportView) -> list[RenderableType]:
    """Notes about the data, and about the labels that it is judged by."""
    read = [each for each in view.suites.values() if each.source.format not in {r.transform for r in each.recipes}]
    notes = [note for manifest in read for note in manifest.source.notes]
    skipped = [skipped for manifest in read for skipped in skip_lines(manifest.source)]
    judged = [line(view.judged())] if view.judged() else []
    return [*judged, *(line(note, "yellow") for note in notes), *skipped]


def skip_lines(source: Source, *, indent: str = "") -> list[Text]:
    """The size of a sample, and the records that were skipped, by reason."""
    skipped = dict(source.skipped)
    rest = skipped.pop(NOT_DRAWN, 0)
    sample = [line(f"{indent}sample: {source.pairs:,} of {source.pairs + rest:,} pairs")] if rest else []
    reasons = [f"{indent}skipped: {n:,} of {source.rows:,} records: {why}" for why, n in skipped.items()]
    return [*sample, *(line(reason, "yellow") for reason in reasons)]


def verdict_section(view: ReportView) -> list[RenderableType]:
    """Each judged model in a sentence, with its evidence."""
    found = headlines(view)
    parts: list[RenderableType] = [line("")] if found else []
    for width, headline in _with_width(found):
        joined = "; ".join(headline.evidence[:2])  # on one line if there are several models
        facts = [*headline.evidence, *headline.shortcuts][:5]  # each on its own line if there is one model
        evidence = facts if len(found) == 1 else [joined] if joined else []
        parts.append(FittedLines(partial(_verdict_lines, headline, width, evidence)))
    return parts


def _with_width(found: Sequence[Headline]) -> Iterator[tuple[int, Headline]]:
    width = max((cell_len(printable(each.name)) for each in found), default=0)
    return ((min(width, 24), each) for each in found)


class FittedLines:
    """Lines that depend on how wide the terminal is."""

    def __init__(self, lines: Callable[[int], Iterable[Text]]) -> None:
        self.lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)


def _verdict_lines(headline: Headline, width: int, evidence: Sequence[str], most: int) -> Iterator[Text]:
    """A verdict next to the name of its model, and one fact per line below; long lines are wrapped and indented."""
    name, room = printable(headline.name), max(most - width - 2, 20)
    style = {"bad": "bold red", "good": "bold green"}.get(headline.tone, "bold")
    is_long = cell_len(name) > width
    if is_long:
        yield Text(name, style="bold")
    for place, words in enumerate(wrap_words(printable(headline.words), room)):
        head = "" if place or is_long else name
        yield Text.assemble((head.ljust(width + 2), "bold"), (words, style))
    for fact in evidence:
        for words in wrap_words(printable(fact), room):
            yield Text(" " * (width + 2) + words)


def _share_lines(shares: Sequence[str], most: int) -> Iterator[Text]:
    """Shares of several tests; one that does not fit goes to the next line whole."""
    words = "   ".join(each.replace(" ", "\u00a0") for each in shares)
    for text in wrap(words, most - 2, break_on_hyphens=False):
        yield line(f"  {text.replace(chr(0xA0), ' ')}")


def _failure_lines(view: ReportView, example: Example, width: int, most: int) -> Iterator[Text]:
    """A failure in two or three lines: the texts with the edit, and the answers.

    Each text is clipped around its edit to fit on a line; a copy without the edit is only mentioned.
    """
    edit, marked = example.case.provenance.edit, mark_edits(example.case)
    sides = {"P": marked.premise, "H": marked.hypothesis}
    edited = [name for name, pieces in sides.items() if any(piece.kind != "same" for piece in pieces)]
    is_copy = edit.premise_from == edit.hypothesis_from and len(edited) == 1
    head = printable(example.case.family)
    for name in edited if is_copy else sides:
        text = clip(sides[name], most - width - 7)
        yield Text.assemble(f"  {head:<{width}}  {name}  ", text)
        head = ""
    copy = f"{'H' if edited == ['P'] else 'P'} is the same without the edit; " if is_copy else ""
    label, expects = view.label(example.case.compared_with.value, suite=example.suite), example.case.expects
    swapped = {"drop": f"sides swapped, no longer {label}", "hold": f"sides swapped, still {label}"}
    right = f"right: {swapped.get(expects, label)}"
    answers: dict[str, list[str]] = {}
    for model, answer in example.answers.items():
        if answer.failed and not view.is_baseline(model):
            answers.setdefault(view.label(answer.label.value, suite=example.suite), []).append(short_name(model))
    wrong = "; ".join(f"{', '.join(models)}: {answer}" for answer, models in answers.items())
    room = " " * (width + 4)
    for words in wrap_words(f"{copy}{printable(f'{right}; {wrong}')}", most - len(room)):
        yield Text(f"{room}{words}", style="dim")


def clip(pieces: Sequence[TextPiece], room: int) -> Text:
    """A text with its edit as [old -> new], clipped so that the edit fits on one line.

    >>> clip([TextPiece("It is ", "same"), TextPiece("dry", "old"), TextPiece("wet", "new")], 40).plain
    'It is [dry -> wet]'
    """
    text, first, last = Text(), None, 0
    waiting = ""
    for place, piece in enumerate(pieces):
        if piece.kind == "old" and place + 1 < len(pieces) and pieces[place + 1].kind == "new":
            waiting = piece.text.strip()
            continue
        if piece.kind == "same":
            text.append(piece.text)
            continue
        first = len(text) if first is None else first
        own = piece.text.strip() if waiting else piece.text
        marked = f"[{waiting} -> {own}]" if waiting else f"[{'+' if piece.kind == 'new' else '-'}{own}]"
        text.append(marked, style="bold green" if piece.kind == "new" else "red")
        waiting, last = "", len(text)
    text = Text(" ").join(text.split("\n")) if "\n" in text.plain else text
    if cell_len(text.plain) <= room:
        return text
    start = 0 if first is None or last <= room - 3 else max(0, min(first - 10, last - room + 6))
    shown = text[start:]
    left = room - (3 if start else 0)
    if cell_len(shown.plain) > left:
        shown.truncate(left - 3)
        shown.append("...")
    return Text("...").append_text(shown) if start else shown


def _next_steps(record: RunRecord, view: ReportView, folder: str) -> list[RenderableType]:
    """The path of the report, and two commands to go on with."""
    if not folder:
        return []
    run = shlex.quote(folder)
    has_page = record.folder is not None and (record.folder / PAGE).is_file()
    own = [model for model in order_subjects(view) if not model.startswith(OURS)]
    chosen = shlex.quote(short_name(own[0])) if own else ""
    look = f"assay show {run} --failures 20 --model {chosen}" if own else own_model_command(record.spec, record.suites)
    return [
        line(""),
        line(f"Report  {folder}/{PAGE}" if has_page else f"Run     {folder}"),
        line(f"Next    {look}"),
        line(f"        assay show {run} --all"),
    ]
