"""The annotation tasks, and the form for a new one."""

from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from starlette.responses import RedirectResponse, Response

from assay.annotate.annotation_progress import AnnotationProgress
from assay.annotate.layouts import LAYOUTS, LayoutName, SampleOptions
from assay.annotate.sample import Drawable, drawn_from
from assay.core.errors import AssayError, UnknownNameError
from assay.core.label import Label
from assay.serve.addresses import task_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.html_pages import Tab
from assay.serve.served_files import files_below, files_in
from assay.serve.site import Site

CORPORA = ("*.jsonl", "*.csv", "*.tsv", "*.jsonl.gz", "*.jsonl.zst")
"""Files in the served folder, or in its folder `corpora`, that may be corpora."""

BUNDLED = "bundled"  # the corpus that comes with Assay


class SampleSource(NamedTuple):
    group: str
    name: str
    place: str  # where it is; or the name of a corpus
    model: str = ""  # the model whose errors are drawn


def sources(site: Site) -> dict[str, SampleSource]:
    """All sources of samples, by key. Names from pages are only looked up here."""
    folder, found = site.folder, {"corpus:bundled": SampleSource("Files", "the pairs that come with Assay", BUNDLED)}
    found |= {f"corpus:{name}": SampleSource("Files", name, str(path)) for name, path in corpora_of(folder).items()}
    inside: set[Path] = set()
    for run in site.runs.readable():
        group = f"{run.name}, {run.when}"
        for told in run.told:
            name = f"errors of {told.name}"
            found[f"errors:{run.id}/{told.model}"] = SampleSource(group, name, str(run.folder), told.model)
        for suite, manifest in run.record.suites.items():
            place = run.folder / "suites" / suite
            inside.add(place)
            found[f"suite:{_below(folder, place)}"] = SampleSource(
                group, f"{suite}, {manifest.cases:,} cases", str(place)
            )
    for path in sorted(files_below(folder, "manifest.json")):
        if path.parent not in inside:
            name = _below(folder, path.parent)
            found[f"suite:{name}"] = SampleSource("Suites", name, str(path.parent))
    return found


def corpora_of(folder: Path) -> dict[str, Path]:
    """The corpora of the served folder, by name. Names from pages are only looked up here; links are left out."""
    found = [path for place in (folder, folder / "corpora") for pattern in CORPORA for path in files_in(place, pattern)]
    return {path.relative_to(folder).as_posix(): path for path in sorted(found)}


def source_named(site: Site, key: str) -> SampleSource:
    known = sources(site)
    if key not in known:
        raise UnknownNameError("There is no such source here.\n  Go back, and choose another.")
    return known[key]


def drawable(source: SampleSource, layout: LayoutName | None) -> tuple[Drawable, LayoutName]:
    """The cases of a source, and the layout; unless one is chosen, claims are judged as supported or not."""
    if source.model:
        return drawn_from(source.place, "errors", model=source.model), "own" if layout == "own" else "errors"
    found = drawn_from(source.place, layout or "label")
    if layout is None:
        found = found._replace(cases=[*found.cases])
        is_binary = found.space.is_binary or any(case.label is Label.NON_ENTAILMENT for case in found.cases)
        layout = "claims" if is_binary else "label"
    return found, layout


def _below(folder: Path, place: Path) -> str:
    return place.relative_to(folder).as_posix() if place != folder else place.name


TAB = Tab("Annotate", "/annotate")
MOST = 10_000  # the largest sample that a page draws


class NewTask(msgspec.Struct):
    name: str  # the name of its folder
    source: str
    layout: LayoutName | Literal[""] = ""
    """The questions, unless people sort a model's errors; empty if the data decides."""
    size: int = 100
    people: str = ""  # the annotators, separated by commas
    question: str = ""  # of one's own, instead of the layout
    choices: str = ""  # its answers, separated by commas
    guidelines: str = ""
    seed: int = 0


def show(asked: AuthorisedRequest) -> Response:
    return asked.page(
        "annotate.html",
        tasks=[_task(asked, name) for name in asked.site.tasks.names()],
        sources={
            group: [*each] for group, each in groupby(sources(asked.site).items(), key=lambda item: item[1].group)
        },
        layouts=[(name, layout.asks) for name, layout in LAYOUTS.items() if name not in ("errors", "own")],
        most=MOST,
    )


def make(asked: AuthorisedRequest) -> Response:
    try:
        new = msgspec.convert(asked.form(), NewTask, strict=False)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"The form can't be read: {error}.", "Go back, and change it.") from error
    if not 1 <= new.size <= MOST:
        raise HttpError(422, f"A sample has 1 to {MOST:,} cases.", "Go back, and change the size.")
    found, layout = drawable(source_named(asked.site, new.source), "own" if new.question else new.layout or None)
    people, choices = (
        tuple(name.strip() for name in names.replace("\n", ",").split(",") if name.strip())
        for names in (new.people, new.choices)
    )
    options = SampleOptions(
        annotators=people, size=new.size, seed=new.seed, layout=layout, question=new.question, choices=choices
    )
    task = asked.site.tasks.make(new.name.strip(), found, options, guidelines=new.guidelines.replace("\r\n", "\n"))
    return RedirectResponse(task_link(task), status_code=303)


def _task(asked: AuthorisedRequest, name: str) -> dict[str, Any]:
    """A task in the list, or why it can't be read."""
    task = {"name": name, "link": task_link(name)}
    try:
        store = asked.site.tasks.get(name)
        standings = AnnotationProgress(store).standings()
    except AssayError as error:
        return {**task, "problem": str(error)}
    return {**task, "what": store.layout.asks, "cases": len(store.drawn), "standings": standings, "problem": ""}


ROUTES = [routes_for("/annotate", show), routes_for("/annotate/new", make, methods=["POST"])]
