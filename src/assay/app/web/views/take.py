"""Taking chosen cases away: as CSV, as JSON lines, or as a suite in the served folder."""

from collections.abc import Iterable

from starlette.responses import Response, StreamingResponse

from assay.app.web.gate import Asked, Refused, route
from assay.app.web.places import place_to_write
from assay.app.web.show.links import run_link
from assay.app.web.views.cases import choice_of, index_of
from assay.bench.browse.choice import Chosen
from assay.bench.browse.export import as_csv, as_json_lines, as_suites
from assay.bench.shards import in_batches
from assay.bench.spec import slug

SUITES = "suites"
"""The folder of suites, in the served folder."""

AT_ONCE = 256
"""Lines that are sent together."""

LONGEST = 60
"""Characters of a suite's name."""


def csv(asked: Asked) -> Response:
    """A table, in which texts that a spreadsheet would take for formulas are guarded."""
    chosen = _chosen(asked)
    if isinstance(chosen, Response):
        return chosen
    return _file(as_csv(chosen, escape_formulas=True), f"{chosen.index.described.run}.csv", "text/csv; charset=utf-8")


def json_lines(asked: Asked) -> Response:
    """Lines of JSON."""
    chosen = _chosen(asked)
    if isinstance(chosen, Response):
        return chosen
    return _file(as_json_lines(chosen), f"{chosen.index.described.run}.jsonl", "application/x-ndjson")


def suite(asked: Asked) -> Response:
    """A suite in the served folder; its name is made safe, so it can't lead out of it."""
    chosen = _chosen(asked)
    if isinstance(chosen, Response):
        return chosen
    given = asked.form().get("name", "")
    if not any(character.isalnum() for character in given):
        raise Refused(422, "The suite needs a name.", "Go back, and give it one with letters or digits.")
    name = slug(given.replace("/", "-").replace(".", "-"))[:LONGEST]
    made = as_suites(chosen, place_to_write(asked.site.folder, SUITES, name))
    there = [each.folder.relative_to(asked.site.folder).as_posix() for each in made]
    return asked.page("kept.html", suites=list(zip(there, made, strict=True)), back=_back(asked))


def _back(asked: Asked) -> str:
    query = asked.request.url.query
    return f"{run_link(asked.path['run'])}/cases" + (f"?{query}" if query else "")


def _chosen(asked: Asked) -> Chosen | Response:
    index = index_of(asked)
    return index if isinstance(index, Response) else Chosen(index, choice_of(asked))


def _file(lines: Iterable[bytes], name: str, kind: str) -> Response:
    safe = "".join(each if each.isascii() and (each.isalnum() or each in "-._") else "-" for each in name)
    disposition = f'attachment; filename="{safe}"'
    pieces = (b"".join(some) for some in in_batches(lines, AT_ONCE))  # each piece waits for a thread once
    return StreamingResponse(pieces, media_type=kind, headers={"content-disposition": disposition})


ROUTES = [
    route("/runs/{run}/cases.csv", csv),
    route("/runs/{run}/cases.jsonl", json_lines),
    route("/runs/{run}/suite", suite, methods=("POST",)),
]
