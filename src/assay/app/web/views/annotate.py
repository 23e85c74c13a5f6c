"""The annotation tasks, and the form for a new one."""

from itertools import groupby
from typing import NamedTuple

import msgspec
from starlette.responses import RedirectResponse, Response

from assay.app.web.gate import Asked, Refused, route
from assay.app.web.show.links import task_link
from assay.app.web.show.tabs import Tab
from assay.app.web.sources import drawable, source_named, sources
from assay.app.web.tasks import Wanted
from assay.bench.annotation.collect.board import Board, Standing
from assay.bench.annotation.layouts import LAYOUTS
from assay.bench.annotation.questions import LayoutName
from assay.core.errors import AssayError

TAB = Tab("Annotate", "/annotate")

MOST = 10_000
"""The largest sample that a page draws."""

WHAT = {
    "events": "answers to three questions, which give a label (Glockner et al. 2018)",
    "label": "the label (McCoy et al. 2019)",
    "check": "the label, grammar and difficulty (Naik et al. 2018)",
    "errors": "why a model got it wrong (Naik et al. 2018)",
    "notes": "notes, in their own words",
}
"""What people are asked, by layout."""


class Task(NamedTuple):
    """A task in the list."""

    name: str
    """Its name."""
    link: str
    """Its page."""
    what: str = ""
    """What people are asked."""
    cases: int = 0
    """How many cases it has."""
    standings: tuple[Standing, ...] = ()
    """How far people are."""
    problem: str = ""
    """Why it can't be read."""


class NewTask(msgspec.Struct):
    """The form for a new task."""

    name: str
    """The name of its folder."""
    source: str
    """What is drawn from."""
    layout: LayoutName = "events"
    """What people are asked, unless they sort a model's errors."""
    size: int = 100
    """How many cases are drawn."""
    people: str = ""
    """Who is asked, with commas in between."""
    guidelines: str = ""
    """What people read, besides what the layout says."""
    seed: int = 0
    """Which cases are drawn."""


def show(asked: Asked) -> Response:
    """The page."""
    return asked.page(
        "annotate.html",
        tasks=[_task(asked, name) for name in asked.site.tasks.names()],
        sources={kind: list(each) for kind, each in groupby(sources(asked.site), key=lambda each: each.kind)},
        layouts=[(name, WHAT[name]) for name in LAYOUTS if name != "errors"],
        most=MOST,
    )


def make(asked: Asked) -> Response:
    """Make a task."""
    try:
        new = msgspec.convert(asked.form(), NewTask, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(422, f"The form can't be read: {error}.", "Go back, and change it.") from error
    if not 1 <= new.size <= MOST:
        raise Refused(422, f"A sample has 1 to {MOST:,} cases.", "Go back, and change the size.")
    source = source_named(asked.site, new.source)
    layout: LayoutName = "errors" if source.model else new.layout
    people = tuple(name.strip() for name in new.people.replace("\n", ",").split(",") if name.strip())
    wanted = Wanted(new.name.strip(), layout, new.size, people, new.guidelines.replace("\r\n", "\n"), new.seed)
    task = asked.site.tasks.make(wanted, drawable(source, layout))
    return RedirectResponse(task_link(task), status_code=303)


def _task(asked: Asked, name: str) -> Task:
    try:
        store = asked.site.tasks.get(name)
        standings = tuple(Board(store).standings())
    except AssayError as error:
        return Task(name, task_link(name), problem=str(error))
    return Task(name, task_link(name), WHAT[store.layout.name], len(store.drawn), standings)


ROUTES = [route("/annotate", show), route("/annotate/new", make, methods=["POST"])]
