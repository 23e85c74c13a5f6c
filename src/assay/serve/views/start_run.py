"""Starting a run: what it asks, whom it asks, and how far it is."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.responses import RedirectResponse, Response, StreamingResponse

from assay.core.case import FAMILIES
from assay.core.errors import UserError
from assay.core.option_fields import OptionField, check_options, option_fields, option_words
from assay.run.run_options import RunOptions
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.html_pages import Tab
from assay.serve.jobs import ENDED, Job
from assay.serve.served_files import files_below
from assay.serve.views.task_list import corpora_of
from assay.storage.suite import Suite

TAB = Tab("Start a run", "/start")

BUNDLED = "bundled"
"""The corpus that comes with Assay."""

OFFERED = ("sample", "two_way", "fidelity", "truncate", "seed", "per_subcase")
"""The options of a run that the form offers, besides tests, families and models."""

EVERY = 0.2
"""Seconds between two looks at a job that a page watches."""


def show(asked: AuthorisedRequest) -> Response:
    """The form, and what was started."""
    return asked.page(
        "start.html",
        jobs=asked.site.jobs.all(),
        suites=_suites(asked),
        corpora=[*corpora_of(asked.site.folder)],
        families=FAMILIES,
        models=_models(asked),
        fields=[*map(_input, _offered())],
    )


def start(asked: AuthorisedRequest) -> Response:
    """Put a run into the queue."""
    form = asked.form()
    models = [model for model in _models(asked) if form.get(f"model:{model}")]
    families = [family for family in FAMILIES if form.get(f"family:{family}")]
    if not models:
        raise HttpError(422, "No model is chosen.", "Go back, and choose one or more.")
    given = {
        field.name: value for field in _offered() if (value := _value(field, form.get(field.name, ""))) is not None
    }
    source = _source(asked, form.get("source", BUNDLED))
    if source.get("suites"):
        given.pop("sample", None)
    else:
        given["families"] = tuple(families) or None
    options = check_options(RunOptions(models=tuple(models), **source, **given))
    asked.site.jobs.start(option_words(options))
    return RedirectResponse("/start", status_code=303)


def _offered() -> list[OptionField]:
    return [field for field in option_fields(RunOptions) if field.name in OFFERED]


def _input(field: OptionField) -> dict[str, Any]:
    """An input of the form: a choice from a list, or a number."""
    words = [word.strip("-") for word in field.flag.split("/")] if field.type is bool else field.choices
    return {"name": field.name, "help": field.option.help, "choices": words, "least": field.option.at_least}


def _value(field: OptionField, text: str) -> Any:
    """The entered value; None if it was left empty, or is not a value of this field."""
    if field.type is bool:
        return {word.strip("-"): not place for place, word in enumerate(field.flag.split("/"))}.get(text)
    if field.choices:
        return text if text in field.choices else None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _source(asked: AuthorisedRequest, given: str) -> dict[str, Any]:
    """The options that name the tests: a name is only ever looked up."""
    kind, _, name = given.partition(":")
    corpora = corpora_of(asked.site.folder)
    if given == BUNDLED:
        return {}
    if kind == "corpus" and name in corpora:
        return {"source": str(corpora[name])}
    if kind == "suite" and name in _suites(asked):
        return {"suites": (str(asked.site.folder / name),)}
    raise HttpError(422, f"There is no suite or corpus {given} here.", "Go back, and choose one from the list.")


def change(asked: AuthorisedRequest) -> Response:
    """Stop a run, or continue one that was stopped."""
    job = asked.site.jobs.get(asked.path["job"])
    if asked.form().get("do") == "stop":
        asked.site.jobs.stop(job)
    elif job.state in ("stopped", "failed"):
        asked.site.jobs.start(job.words)
    return RedirectResponse("/start", status_code=303)


def events(asked: AuthorisedRequest) -> Response:
    """The progress of a run as server-sent events, until it ends."""
    job = asked.site.jobs.get(asked.path["job"])
    return StreamingResponse(_changes(job), media_type="text/event-stream")


async def _changes(job: Job) -> AsyncIterator[bytes]:
    """The states of a job. Watching takes no thread, so any number of pages can watch."""
    seen: dict[str, object] = {}
    while seen.get("state") not in ENDED:
        if (now := job.shown) != seen:
            seen = now
            yield f"data: {json.dumps(seen)}\n\n".encode()
        await asyncio.sleep(EVERY)


def _models(asked: AuthorisedRequest) -> list[str]:
    """Models that were named at the start; without names, those that come with Assay, which start no program."""
    return [*(asked.site.models or SHIPPED)]


SHIPPED = ("assay:minilm", "assay:kim", "assay:esim", "assay:hypothesis-only", "assay:overlap", "assay:majority")
"""Small models and baselines that come with Assay."""


def _suites(asked: AuthorisedRequest) -> dict[str, int]:
    """The suites of the folder that are not part of a run, with their sizes."""
    inside = [each.folder for each in asked.site.runs.readable()]
    found = {}
    for path in sorted(files_below(asked.site.folder, "manifest.json")):
        if not any(path.is_relative_to(folder) for folder in inside):
            with suppress(UserError):  # the page of studies and audits names a damaged one
                found[path.parent.relative_to(asked.site.folder).as_posix()] = Suite.open(path.parent).manifest.cases
    return found


ROUTES = [
    routes_for("/start", show),
    routes_for("/start", start, methods=("POST",)),
    routes_for("/start/{job}", change, methods=("POST",)),
    routes_for("/start/{job}/events", events),
]
