"""Starting a run: its tests, its models and its progress."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode

from starlette.responses import RedirectResponse, Response, StreamingResponse

from assay.core import registry
from assay.core.case import CLAIM_FAMILIES, DEFAULT_FAMILIES, FAMILIES_OF_CLAIMS
from assay.core.errors import AssayError, UserError
from assay.core.option_fields import OptionField, check_options, option_fields, option_words
from assay.core.pair import Pair
from assay.core.protocols import Row
from assay.corpora.formats.pairs import USUAL, missing_column_error
from assay.corpora.reader import read
from assay.corpora.text_tables import delimited_table, json_table
from assay.reports.family_notes import FamilyNote
from assay.reports.phrases import PLAIN, short_name
from assay.run.build.recipes import family_words
from assay.run.run_options import RunOptions
from assay.serve.auth import AuthorisedRequest, HttpError, json_response, routes_for
from assay.serve.html_pages import Tab
from assay.serve.jobs import ENDED, Job
from assay.serve.run_view import CLAIM_NAMES
from assay.serve.served_files import files_below, place_to_write
from assay.serve.served_runs import RunOverview
from assay.serve.views.task_list import corpora_of
from assay.storage.files import write_whole
from assay.storage.suite import Suite, slug

TAB = Tab("Start a run", "/start")
BUNDLED = "bundled"  # the corpus that comes with Assay

OFFERED = ("sample", "two_way", "fidelity", "truncate", "seed", "per_subcase")
"""The options of a run that the form offers, besides tests, families and models."""

CORPORA = "corpora"  # the folder of uploaded files, in the served folder
ENDINGS = ("csv", "tsv", "jsonl")
UPLOAD = 64 << 20  # bytes of the largest file that can be dropped
SMALL_FILE = 1 << 20  # bytes; a larger file is read in the background
EXAMPLES = 3
MOST_PROBLEMS = 5
MOST_LABELS = 12
LOOKED_AT = 5000  # rows of a file whose labels are listed
SIDES = ("premise", "hypothesis", "label")  # what a column can be
GROUP = "group:"  # before a column that divides the pairs into groups, in the name of its box
MEANS = "means:"  # before a value of the label, in the name of the list of its meanings
UNKNOWN_LABEL = "unknown label"
NO_LABEL = str(missing_column_error((), USUAL["label"][0]).reason)  # why a row without a label is left out
BUNDLED_PAIRS = 750  # pairs of the bundled corpus
NO_MODEL = "no_model"  # in the address of a form that was sent without a model
EVERY = 0.2  # seconds between two looks at a job that a page watches


def show(asked: AuthorisedRequest) -> Response:
    """The form with a preview of the chosen data, and the list of started runs."""
    query = {
        "source": asked.query.get("source", "").strip(),
        "columns": _chosen(asked.query, SIDES, GROUP) or asked.query.get("columns", "").strip(),
        "labels": _chosen(asked.query, prefix=MEANS) or asked.query.get("labels", "").strip(),
    }
    path = corpora_of(asked.site.folder).get(query["source"].removeprefix("corpus:"))
    preview, pairs = None, BUNDLED_PAIRS
    if path is not None:
        key = ("preview", str(path), path.stat().st_mtime_ns, query["columns"], query["labels"])
        given, quick = (path, query["columns"], query["labels"]), path.stat().st_size < SMALL_FILE
        preview = asked.site.background.result(key, preview_of, *given, title=f"Reading {path.name}", at_once=quick)
        pairs = preview.pairs
    runs = asked.site.runs.readable()
    cases, paces = forecast_of(runs)
    notes = {note.family: note for run in reversed(runs) for note in run.families}
    models, families = _models(asked), FAMILIES_OF_CLAIMS if preview and preview.is_binary else DEFAULT_FAMILIES
    in_sight = len({*asked.site.models, *SHOWN_FIRST})
    return asked.page(
        "start.html",
        jobs=asked.site.jobs.all(),
        suites=_suites(asked),
        corpora=[*corpora_of(asked.site.folder)],
        families=families,
        notes=[notes.get(family, FamilyNote(family, family_words()[family])) for family in families],
        models=models,
        in_sight=in_sight,
        hidden_chosen=any(asked.query.get(f"model:{model}") for model in models[in_sight:]),
        columns=_mapping(query["columns"]) or {},
        means=dict.fromkeys(preview.values if preview else ()) | (_mapping(query["labels"]) or {}),
        fields=[*map(_input, _offered())],
        query=query,
        given=asked.query,
        is_kept=NO_MODEL in asked.query or any(asked.query.get(f"model:{model}") for model in models),
        pairs=pairs,
        dropped=path.name if path else "",
        preview=preview,
        names=CLAIM_NAMES if preview and preview.is_binary else PLAIN,
        data={
            "pairs": pairs,
            "families": {family: cases.get(family, (1.0, 0)) for family in families},
            "paces": {model: paces.get(short_name(model)) for model in models},
        },
    )


def _chosen(query: Mapping[str, str], names: Sequence[str] = (), prefix: str = "") -> str:
    """The choices from lists, written as NAME=VALUE and separated by commas."""
    chosen = {
        name.removeprefix(prefix): query[name]
        for name in query
        if name in names or (prefix and name.startswith(prefix))
    }
    return ", ".join(f"{name}={value}" for name, value in chosen.items() if value)


class DataPreview(NamedTuple):
    """A file as the reader understands it."""

    rows: int = 0
    pairs: int = 0
    labels: Mapping[str, int] = MappingProxyType({})
    is_binary: bool = False
    notes: Sequence[str] = ()
    problems: Sequence[str] = ()  # records that were left out, with the reason
    examples: Sequence[Pair] = ()
    columns: Sequence[str] = ()
    groups: Sequence[str] = ()  # columns by which results can be split
    values: Sequence[str] = ()  # label values of unknown meaning, or all values of a chosen column
    error: str = ""
    hint: str = ""


def preview_of(path: Path, columns: str, labels: str) -> DataPreview:
    """Read a file, with columns and labels as people typed them."""
    chosen = _mapping(columns) or {}
    header: list[str] = []
    values: dict[str, None] = {}
    try:
        header, values = _columns(path, chosen.get("label", ""))
        corpus = read(path, columns=chosen or None, labels=_mapping(labels), on_error="skip")
        examples: list[Pair] = []
        for record in corpus.records():
            if isinstance(record, Pair) and len(examples) < EXAMPLES:
                examples.append(record)
        found = corpus.summary()
    except AssayError as error:
        fact, _, hint = str(error).partition("\n")
        fact = fact.replace(str(path), path.name)
        return DataPreview(error=fact, hint=hint.strip(), columns=header, values=_few(values))
    if {*found.skipped} == {NO_LABEL}:
        return DataPreview(error="There is no label column.", hint="Choose one above.", columns=header)
    values |= dict.fromkeys(each.detail.strip("'") for each in corpus.problems if each.reason == UNKNOWN_LABEL)
    problems = [f"{count:,} left out: {reason}" for reason, count in found.skipped.items()]
    problems += [
        f"{each.where.replace(str(path), path.name)}: {each.reason} {each.detail}".strip()
        for each in corpus.problems[:MOST_PROBLEMS]
    ]
    return DataPreview(
        rows=found.rows,
        pairs=found.pairs,
        labels=dict(found.labels),
        is_binary=found.label_space.is_binary,
        notes=[note.partition("; --")[0].replace(str(path), path.name) for note in found.notes],  # without options
        problems=problems,
        columns=header,
        groups=[*(name for name in chosen if name in header and name not in USUAL), *corpus.unread_groups],
        values=_few(values),
        examples=examples,
    )


def _columns(path: Path, label: str) -> tuple[list[str], dict[str, None]]:
    """The columns of a file, and the values of the column of labels in its first rows."""
    if path.suffix.removeprefix(".") not in ENDINGS:
        return [], {}
    with path.open("rb") as file:
        lines = (line.rstrip(b"\n") for line in file)
        table = json_table(path.name, lines) if path.suffix == ".jsonl" else delimited_table(path.name, lines, where="")
        rows = (row.fields for row in islice(table.rows, LOOKED_AT) if isinstance(row, Row))
        values = dict.fromkeys(str(fields[label]).strip() for fields in rows if label in fields)
        return [name for name in table.sample.columns if not {*name} & {*",="}], values


def _few(values: Iterable[str]) -> list[str]:
    """The values of a column of labels; none if there are too many for labels."""
    few = [value for value in values if value and not {*value} & {*",="}]
    return few if len(few) <= MOST_LABELS else []


def _mapping(text: str) -> dict[str, str] | None:
    """Names and values from a text such as NAME=VALUE,NAME=VALUE.

    >>> _mapping("premise=text_a, hypothesis = text_b"), _mapping("")
    ({'premise': 'text_a', 'hypothesis': 'text_b'}, None)
    """
    parts = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in parts} or None


def forecast_of(runs: Sequence[RunOverview]) -> tuple[dict[str, tuple[float, int]], dict[str, float]]:
    """Cases per pair and cases from templates by family, and seconds per pair by the short name of a model.

    The newest run that had a family or a model decides.
    """
    families: dict[str, tuple[float, int]] = {}
    paces: dict[str, float] = {}
    for run in runs:
        for manifest in run.record.suites.values():
            for family, labels in manifest.counts.items():
                cases, pairs = sum(labels.values()), max(1, manifest.source.pairs)
                families.setdefault(family, (0.0, cases) if manifest.is_generated else (cases / pairs, 0))
        for model in run.record.models:
            if model.seconds_per_pair is not None:
                paces.setdefault(short_name(model.model), model.seconds_per_pair)
    return families, paces


def upload(asked: AuthorisedRequest) -> Response:
    """Store an uploaded file, and return the address of its preview."""
    name = _stored(asked, unquote(asked.request.headers.get("x-file-name", "")), asked.body)
    return json_response({"source": f"corpus:{name}"})


def paste(asked: AuthorisedRequest) -> Response:
    """Store pasted lines, and show their preview."""
    form = asked.form()
    text = form.get("text", "").replace("\r\n", "\n")
    ending = "jsonl" if text.lstrip().startswith("{") else "tsv" if "\t" in text.partition("\n")[0] else "csv"
    name = _stored(asked, f"{form.get('name', '') or 'pasted'}.{ending}", text.encode())
    return RedirectResponse(f"/start?{urlencode({'source': f'corpus:{name}'})}", status_code=303)


def _stored(asked: AuthorisedRequest, given: str, content: bytes) -> str:
    """The name of a new file in the folder `corpora`; nothing is replaced, and a name can't lead out of it."""
    stem, _, ending = Path(given).name.rpartition(".")
    if ending.lower() not in ENDINGS:
        raise HttpError(422, "This is not a table of pairs.", "Use a text file whose name ends in csv, tsv or jsonl.")
    if not content.strip():
        raise HttpError(422, "This file is empty.", "It needs a line with names of columns, and one line per pair.")
    for number in count(1):
        name = f"{slug(stem)[:60] or 'pairs'}{f'-{number}' if number > 1 else ''}.{ending.lower()}"
        place = place_to_write(asked.site.folder, CORPORA, name)
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            write_whole(place, content)
        if place.is_file() and not place.is_symlink() and place.read_bytes() == content:
            return f"{CORPORA}/{name}"
    raise AssertionError("numbers have no end")


def start(asked: AuthorisedRequest) -> Response:
    """Put a run into the queue."""
    form = asked.form()
    models = [model for model in _models(asked) if form.get(f"model:{model}")]
    families = [family for family in (*DEFAULT_FAMILIES, *CLAIM_FAMILIES) if form.get(f"family:{family}")]
    kept = {name: value for name, value in form.items() if value and name not in ("csrf", "name")}
    if not models:
        return RedirectResponse(f"/start?{urlencode({**kept, NO_MODEL: 1})}#models", status_code=303)
    given: dict[str, Any] = {
        field.name: value for field in _offered() if (value := _value(field, form.get(field.name, ""))) is not None
    }
    source = _source(asked, form.get("source", BUNDLED))
    if source.get("suites"):
        given.pop("sample", None)
    else:
        given["families"] = tuple(families) or None
    if source.get("source"):
        given |= {name: made for name in ("columns", "labels") if (made := _mapping(form.get(name, "")))}
    options = check_options(RunOptions(models=tuple(models), **source, **given))
    asked.site.jobs.start(option_words(options), name=form.get("name", ""))
    return RedirectResponse(f"/start?{urlencode(kept)}#jobs", status_code=303)


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
    """The options that name the tests. Names from pages are only looked up."""
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
    form = asked.form()
    if form.get("do") == "stop":
        asked.site.jobs.stop(job)
    elif job.state in ("stopped", "failed"):
        asked.site.jobs.start(job.words, name=job.name)
    kept = [(name, value) for name, value in parse_qsl(form.get("kept", "")) if name not in ("csrf", "name")]
    return RedirectResponse(f"/start?{urlencode(kept)}#jobs", status_code=303)


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
    """Models that were named at the start, then all that come with Assay, which start no program."""
    come = [name for name in registry.models.newest() if registry.models.target(name).path.startswith("assay.")]
    return [*dict.fromkeys([*asked.site.models, *SHOWN_FIRST, *(f"assay:{name.partition('/')[0]}" for name in come)])]


SHOWN_FIRST = ("assay:minilm", "assay:kim", "assay:esim", "assay:hypothesis-only", "assay:overlap", "assay:majority")
"""Models and baselines that come with Assay and are in sight; the others are folded."""


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
    routes_for("/start/paste", paste, methods=("POST",)),
    routes_for("/api/corpora", upload, methods=("POST",), longest=UPLOAD),
    routes_for("/start/{job}", change, methods=("POST",)),
    routes_for("/start/{job}/events", events),
]
