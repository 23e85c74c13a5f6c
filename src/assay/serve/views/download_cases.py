"""Downloads of chosen cases as CSV or JSON lines, and storing them as a suite or a named slice."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from starlette.responses import RedirectResponse, Response, StreamingResponse

from assay.core.dataframes import csv_line, guard_formula
from assay.core.errors import UserError
from assay.core.label import Label
from assay.run.build.case_selection import without
from assay.run.build.suite_builder import SUITE
from assay.run.case_index.case_filter import FilteredCases
from assay.run.case_index.saved_slices import FILE
from assay.run.workers.pool import in_batches
from assay.serve.addresses import run_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.case_view import shown_answer
from assay.serve.run_view import ServedView, is_about_claims
from assay.serve.served_files import place_to_write
from assay.serve.views.case_browser import choice_of, index_of, query_of, served_view
from assay.storage.files import refuse_folder
from assay.storage.suite import Suite, slug

SURE = "probability of its answer"
NOT_CHOSEN = "not among the chosen cases"  # why a suite of chosen cases lacks the others; its manifest counts them


def as_json_lines(chosen: FilteredCases) -> Iterator[bytes]:
    """Each case as it is stored, with its suite and every model's answer."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    for row in chosen.index.rows(chosen.ordered().tolist()):
        yield encode({"suite": row.suite, "case": row.case, "answers": row.answers}) + b"\n"


def as_csv(chosen: FilteredCases, view: ServedView) -> Iterator[bytes]:
    """A line for each case in the words of the page; texts that a spreadsheet would take for formulas are guarded."""
    models = chosen.index.described.models
    groups = [name.removeprefix("group.") for name in chosen.index.groups]
    texts = ("evidence", "claim") if is_about_claims(chosen.index.record) else ("premise", "hypothesis")
    score = f"probability of {view.label(Label.ENTAILMENT)}"
    columns = [f"{view.name(model)} {what}" for model in models for what in ("answer", SURE, score)]
    heads = ["suite", "id", "family", "variant", "label", *texts, *groups, *columns]
    yield csv_line([guard_formula(each) for each in heads]).encode()
    for row in chosen.index.rows(chosen.ordered().tolist()):
        case = row.case
        label = view.label(case.label, suite=row.suite) if case.label else ""
        known = [row.suite, case.id, case.family, case.variant, label, case.premise, case.hypothesis]
        cells = [*known, *(case.group.get(name, "") for name in groups)]
        for model in models:
            said = shown_answer(row, view, model)
            shares = [said.sure, (row.answers[model].probabilities or {}).get(Label.ENTAILMENT)]
            cells += [said.answer, *("" if share is None else f"{share:g}" for share in shares)]
        yield csv_line([guard_formula(each) for each in cells]).encode()


def as_suites(chosen: FilteredCases, out: Path) -> list[Suite]:
    """A suite for each suite of the run that has chosen cases, in the folder `out`; nothing is replaced."""
    numbers = chosen.index.codes("suite", chosen.ordered())
    names = chosen.index.described.values["suite"]
    there = [name for code, name in enumerate(names) if (numbers == code).any()]
    if not there:
        raise UserError("No case is chosen, so there is nothing to keep.\n  Remove a filter first.")
    ids: dict[str, set[str]] = {name: set() for name in there}
    for row in chosen.index.rows(sorted(chosen.ordered().tolist())):
        ids[row.suite].add(row.case.id)
    places = {name: out if len(there) == 1 else out.with_name(f"{out.name}-{name}") for name in there}
    for place in places.values():
        refuse_folder(place, over=None)
    return [_kept(chosen.index.suite(name), ids[name], place) for name, place in places.items()]


def _kept(suite: Suite, ids: set[str], place: Path) -> Suite:
    gone = {case.id: NOT_CHOSEN for case in suite if case.id not in ids}
    place.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir()
    for name in SUITE.files(suite.folder):
        if (suite.folder / name).is_file():
            shutil.copyfile(suite.folder / name, place / name)
    return without(Suite(place, suite.manifest), gone) if gone else Suite.open(place)


SUITES = "suites"  # the folder of suites, in the served folder
AT_ONCE = 256  # lines that are sent together
LONGEST = 60  # characters of a suite's name


def csv(asked: AuthorisedRequest) -> Response:
    chosen = _chosen(asked)
    view = served_view(asked, chosen.index)
    return _file(as_csv(chosen, view), f"{chosen.index.described.run}.csv", "text/csv; charset=utf-8")


def json_lines(asked: AuthorisedRequest) -> Response:
    chosen = _chosen(asked)
    return _file(as_json_lines(chosen), f"{chosen.index.described.run}.jsonl", "application/x-ndjson")


def suite(asked: AuthorisedRequest) -> Response:
    """A suite in the served folder; its name is made safe, so it can't lead out of it."""
    chosen = _chosen(asked)
    given = asked.form().get("name", "")
    if not any(character.isalnum() for character in given):
        raise HttpError(422, "The suite needs a name.", "Go back, and give it one with letters or digits.")
    name = slug(given.replace("/", "-").replace(".", "-"))[:LONGEST]
    made = as_suites(chosen, place_to_write(asked.site.folder, SUITES, name))
    there = [each.folder.relative_to(asked.site.folder).as_posix() for each in made]
    return asked.page(
        "kept.html", suites=list(zip(there, made, strict=True)), back=cases_address(asked, asked.request.url.query)
    )


def save_slice(asked: AuthorisedRequest) -> Response:
    """Save the filter in the address under a name, and show its cases again."""
    if asked.query.get("beside"):
        raise HttpError(422, "A slice belongs to one run.", "Go back, and choose no other run beside it.")
    chosen = _chosen(asked)
    place_to_write(asked.site.folder, FILE)
    asked.site.slices.save(asked.form().get("name", "").strip(), chosen.choice)
    return RedirectResponse(cases_address(asked, query_of(chosen.choice)), status_code=303)


def cases_address(asked: AuthorisedRequest, query: str) -> str:
    """The list of the run's cases with a filter."""
    return f"{run_link(asked.path['run'])}/cases" + (f"?{query}" if query else "")


def _chosen(asked: AuthorisedRequest) -> FilteredCases:
    return FilteredCases(index_of(asked), choice_of(asked))


def as_file(name: str) -> dict[str, str]:
    """The header of an answer that a browser stores under a name."""
    safe = "".join(each if each.isascii() and (each.isalnum() or each in "-._") else "-" for each in name)
    return {"content-disposition": f'attachment; filename="{safe}"'}


def _file(lines: Iterable[bytes], name: str, kind: str) -> Response:
    pieces = (b"".join(some) for some in in_batches(lines, AT_ONCE))  # each piece waits for a thread once
    return StreamingResponse(pieces, media_type=kind, headers=as_file(name))


ROUTES = [
    routes_for("/runs/{run}/cases.csv", csv),
    routes_for("/runs/{run}/cases.jsonl", json_lines),
    routes_for("/runs/{run}/suite", suite, methods=("POST",)),
    routes_for("/runs/{run}/slices", save_slice, methods=("POST",)),
]
