"""The interface for programs: runs, cases and answers as JSON, described by OpenAPI."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from starlette.responses import Response

from assay.ask.pair_explanation import AskedPair
from assay.core.case import Case, Prediction
from assay.core.estimate import Estimate
from assay.run.case_index.case_filter import FilteredCases
from assay.run.case_index.case_index import CaseIndex
from assay.serve.auth import AuthorisedRequest, HttpError, View, json_response, routes_for
from assay.serve.views.case_browser import Query, RunQuery, choice_of, index_of, page_of
from assay.serve.views.try_pair import PairQuestion, answer_program
from assay.version import __version__

PAGE = 50  # cases in an answer


class ModelOfRun(msgspec.Struct, frozen=True, kw_only=True):
    """A model of a run."""

    model: str
    told: str  # one sentence about it, without the subject
    reference: bool


class RunOnList(msgspec.Struct, frozen=True, kw_only=True):
    """A run."""

    id: str
    created: str  # when, in UTC
    cases: dict[str, int]
    models: tuple[ModelOfRun, ...]
    accuracy: tuple[Estimate, ...]  # the accuracies by family and label, as the record has them


class CaseOnList(msgspec.Struct, frozen=True, kw_only=True):
    """A case with every model's answer."""

    number: int  # its number in the run, which never changes
    suite: str
    case: Case
    answers: dict[str, Prediction]
    failed: dict[str, bool]  # the models whose answer is not what the case expects


class FacetCount(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a facet."""

    value: str
    n: int  # cases with this value, among those that the other filters let through
    failed: int | None = None  # how many of them the model gets wrong, if one is chosen


class CaseList(msgspec.Struct, frozen=True, kw_only=True):
    """The cases that a filter lets through."""

    total: int
    page: int
    cases: tuple[CaseOnList, ...]
    facets: dict[str, tuple[FacetCount, ...]]


class RequestProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The reason that a request was refused."""

    error: str
    hint: str


def runs(asked: AuthorisedRequest) -> Response:
    """All runs that can be read, the newest first."""
    found = []
    for each in asked.site.runs.readable():
        record = each.record
        known = {model.model: model.reference for model in record.models}
        told = [
            ModelOfRun(model=one.model, told=one.words, reference=known[one.model])
            for one in each.told
            if one.model in known
        ]
        cases = {name: manifest.cases for name, manifest in record.suites.items()}
        found.append(
            RunOnList(id=record.id, created=record.created, cases=cases, models=tuple(told), accuracy=record.estimates)
        )
    return json_response(found)


def cases(asked: AuthorisedRequest) -> Response:
    """The cases of a run that a filter lets through, and counts for each facet."""
    index = index_of(asked)
    chosen, page = FilteredCases(index, choice_of(asked)), page_of(asked)
    facets = [*index.facets, *(["answer"] if chosen.choice.model else [])]
    return json_response(
        CaseList(
            total=len(chosen),
            page=page,
            cases=tuple(_case(index, row) for row in chosen.rows((page - 1) * PAGE, PAGE)),
            facets={
                name: tuple(FacetCount(value=each.value, n=each.n, failed=each.failed) for each in chosen.counts(name))
                for name in facets
            },
        )
    )


def case(asked: AuthorisedRequest) -> Response:
    """One case of a run."""
    index, given = index_of(asked), asked.path["case"]
    if not (given.isascii() and given.isdigit() and len(given) < 10 and int(given) < len(index)):
        raise HttpError(404, f"There is no case {given} in this run.", f"It has {len(index):,} cases, from 0 on.")
    return json_response(_case(index, int(given)))


def _case(index: CaseIndex, number: int) -> CaseOnList:
    row = index.row(number)
    return CaseOnList(number=number, suite=row.suite, case=row.case, answers=row.answers, failed=row.failed)


class Operation(NamedTuple):
    """A request that programs can make."""

    path: str
    view: View
    answer: Any
    method: str = "GET"
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None


OPERATIONS = (
    Operation("/api/runs", runs, list[RunOnList]),
    Operation("/api/runs/{run}/cases", cases, CaseList, query=Query),
    Operation("/api/runs/{run}/cases/{case}", case, CaseOnList, query=RunQuery),
    Operation("/api/ask", answer_program, AskedPair, method="POST", body=PairQuestion),
)
"""Everything."""


def describe_api() -> dict[str, Any]:
    """The description of the interface, as OpenAPI 3.1."""
    kinds = [each.answer for each in OPERATIONS] + [each.body for each in OPERATIONS if each.body] + [RequestProblem]
    (*schemas,), components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    bodies = iter(schemas[len(OPERATIONS) :])
    paths: dict[str, Any] = {}
    for each, answer in zip(OPERATIONS, schemas, strict=False):
        operation: dict[str, Any] = {
            "summary": (each.view.__doc__ or "").partition("\n")[0],
            "parameters": [*_parameters(each)],
            "responses": {
                "200": {"description": "The answer.", "content": {"application/json": {"schema": answer}}},
                "default": {"description": "Why not.", "content": {"application/json": {"schema": schemas[-1]}}},
            },
        }
        if each.body:
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": next(bodies)}}}
        paths.setdefault(each.path, {})[each.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Assay", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _parameters(each: Operation) -> Iterator[dict[str, Any]]:
    for piece in each.path.split("/"):
        if piece.startswith("{"):
            yield {"name": piece.strip("{}"), "in": "path", "required": True, "schema": {"type": "string"}}
    if each.query:
        (_,), components = msgspec.json.schema_components([each.query])
        for name, schema in components[each.query.__name__]["properties"].items():
            if name != "facets":  # each is a parameter of its own
                yield {"name": name, "in": "query", "required": False, "schema": schema}


def description(_: AuthorisedRequest) -> Response:
    return json_response(describe_api())


ROUTES = [
    routes_for("/api/openapi.json", description),
    *(routes_for(each.path, each.view, methods=(each.method,)) for each in OPERATIONS),
]
