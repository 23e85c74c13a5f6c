"""The output of commands: results go to standard output, everything else to standard error."""

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from assay.reports.formatting import duration, printable, printable_json, printable_lines
from assay.run.workers.pool import WHOLE, Progress, Stage, quiet, seconds_left
from assay.storage.remote import with_addresses

FITS = 100  # the width of tables in characters if the output is not a terminal
OFTEN = 0.2  # seconds between two lines of JSON about one stage
REPORT = "report.html"  # the page of a run, in its folder


def show(thing: Any) -> None:
    """Print something to standard output with rich, without colours if that is a file or a pipe."""
    _make_console().print(thing)


def page(thing: Any) -> None:
    """The same, one screen at a time in a terminal."""
    console = _make_console()
    if not console.is_terminal:
        console.print(thing)
        return
    with console.capture() as captured:
        console.print(thing)
    click.echo_via_pager(captured.get())


def _make_console() -> Any:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = FITS
    return console


def show_json(thing: Any) -> None:
    from assay.core.serialise import to_json

    data = to_json(thing)
    click.echo(printable_json(data.decode()) if sys.stdout.isatty() else data, nl=False)


def say(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text. Control characters never reach a terminal; a file or a pipe gets the text unchanged."""
    is_terminal = (sys.stderr if err else sys.stdout).isatty()
    click.echo(printable_lines(text) if is_terminal else text, nl=nl, err=err)


def show_result(found: Any, shown: Callable[[], Any]) -> None:
    """Print a result: as JSON with `--json`, and otherwise as it is shown to people."""
    show_json(found) if wants_json() else show(shown())


def wants_json() -> bool:
    return _is_given("json")


def is_quiet() -> bool:
    return _is_given("quiet")


def _is_given(flag: str) -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(flag))


def note(text: str) -> None:
    """Print a note to standard error, but not with `--quiet`."""
    if not is_quiet():
        click.echo(printable_lines(with_addresses(text)), err=True)


def note_shard(folder: Path) -> None:
    """Print where a shard is, and the command that merges all of them."""
    verb = click.get_current_context().info_name
    note(f"The shard is in {folder}")
    note(f"When all are done: assay {verb} --merge {shlex.quote(str(folder.parent))}")


def note_report(run: Path) -> None:
    """Print where the page of a run is, if it has one."""
    if (page := run / REPORT).is_file():
        note(f"Its report is {page}")


def _amount() -> Any:
    """A progress column: the amount done and the speed per second; for a whole run, the percentage."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class AmountColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            if task.description == WHOLE:
                return Text(f"{task.percentage:.0f}%")
            if task.total is None:
                return Text(f"{task.completed:,.0f}" if task.completed else "")
            return Text(f"{task.completed:,.0f}/{task.total:,.0f}" + (f"  {task.speed:,.0f}/s" if task.speed else ""))

    return AmountColumn()


def _time_left() -> Any:
    """A column with the time that is left; of a whole run, also all of its time, and nothing of its steps."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        def render(self, task: Task) -> Text:
            if task.description != WHOLE:
                left = None if task.fields["in_run"] else task.time_remaining
                return Text(f"about {duration(left)} left" if left else "")
            if not (whole := task.fields.get("whole")):
                return Text("")
            rest = max(1.0, whole - (task.elapsed or 0.0))
            return Text(f"about {duration(rest)} of {duration(whole)} left")

    return TimeLeft()


def _advance(bars: Any, task: Any, done: int) -> None:
    """Move a bar on, and estimate all of a whole run's time, which then runs down until the next estimate."""
    bars.update(task, advance=done)
    found = next(each for each in bars.tasks if each.id == task)
    if found.description == WHOLE and (left := seconds_left(found.elapsed or 0.0, int(found.completed))) is not None:
        bars.update(task, whole=found.elapsed + left)


def _json_stage(name: str, total: int | None) -> Progress:
    """A stage as lines of JSON, each with how much of it is done."""
    done, last = 0, 0.0

    def progress(more: int) -> None:
        nonlocal done, last
        done += more
        if time.monotonic() - last >= OFTEN or done == total or name == WHOLE:
            last = time.monotonic()
            click.echo(json.dumps({"stage": name, "done": done, "total": total}), err=True)

    progress(0)
    return progress


@contextmanager
def stages(*, as_json: bool = False) -> Iterator[Stage]:
    """Progress on standard error: bars if it is a terminal, or lines of JSON for another program."""
    from rich.console import Console

    console = Console(stderr=True)
    if as_json and not is_quiet():
        yield _json_stage
        return
    if is_quiet() or not console.is_terminal:
        yield quiet
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        _amount(),
        TimeElapsedColumn(),
        _time_left(),
    )
    bars = Bars(*columns, console=console, transient=True)

    def stage(name: str, total: int | None) -> Progress:
        bars.start()  # not earlier: its thread would keep the workers from being forked
        in_run = name == WHOLE or any(each.description == WHOLE for each in bars.tasks)
        task = bars.add_task(printable(name), total=total, in_run=in_run)
        if in_run:
            for step in bars.tasks[:-1]:
                bars.update(step.id, visible=step.description == WHOLE)
        return lambda done: _advance(bars, task, done)

    try:
        yield stage
    finally:
        bars.stop()
