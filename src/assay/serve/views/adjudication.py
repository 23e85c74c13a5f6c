"""Adjudication: the owner decides cases on which people disagree, chosen by a cell of their matrix."""

from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from assay.annotate.annotation_progress import AnnotationProgress, columns_of
from assay.annotate.answer_store import AnswerStore
from assay.annotate.sample import ADJUDICATION
from assay.reports.formatting import printable_lines
from assay.serve.addresses import task_link
from assay.serve.annotation_tasks import more_guidelines
from assay.serve.annotator_session import AnnotatorSession, SubmittedAnswer, UndoneAnswer
from assay.serve.auth import AuthorisedRequest, routes_for


class DisputedCases(msgspec.Struct, forbid_unknown_fields=True):
    """Which cases are to be decided: those of a cell, or all that people answer differently."""

    column: str = ""
    one: str = ""
    """Whose answers are the rows."""
    other: str = ""
    """Whose answers are the columns."""
    row: str = ""
    """The first person's answer."""
    says: str = ""
    """The other's answer."""


def show(asked: AuthorisedRequest) -> Response:
    """The page."""
    task = asked.path["task"]
    store = asked.site.tasks.get(task)
    cell = asked.asked_for(DisputedCases)
    keys = _keys(store, cell)
    if not keys:
        return asked.page("nothing.html", title="Nothing to decide", back=task_link(task), back_name=task)
    start = AnnotatorSession(store, store.person(ADJUDICATION), only=keys).start()
    return asked.page(
        "answering.html",
        title=_title(cell),
        layout=store.layout,
        more=more_guidelines(store),
        questions=start["questions"],
        back=task_link(task),
        back_name=task,
        data={"api": "/api/decide", "query": f"?{urlencode({'task': task})}", **start},
    )


def case(asked: AuthorisedRequest) -> Response:
    """A case, with people's answers."""
    store = _store(asked)
    key = asked.path["case"]
    found = _desk(store).case(key)
    return Response(msgspec.json.encode({**found, "others": _others(store, key)}), media_type="application/json")


def answer(asked: AuthorisedRequest) -> Response:
    """Store a decision."""
    return _desk(_store(asked)).save(asked.json(SubmittedAnswer))


def undo(asked: AuthorisedRequest) -> Response:
    """Take back the newest decision."""
    return _desk(_store(asked)).undo(asked.json(UndoneAnswer))


def _store(asked: AuthorisedRequest) -> AnswerStore:
    return asked.site.tasks.get(asked.query.get("task", ""))


def _desk(store: AnswerStore) -> AnnotatorSession:
    return AnnotatorSession(store, store.person(ADJUDICATION))


def _keys(store: AnswerStore, cell: DisputedCases) -> list[str]:
    board = AnnotationProgress(store)
    if cell.one and cell.other:
        return list(board.matrix(cell.column, cell.one, cell.other).keys.get((cell.row, cell.says), ()))
    return board.disputed(cell.column or next(iter(columns_of(store.layout)), ""))


def _title(cell: DisputedCases) -> str:
    return f"Decide: {cell.row} or {cell.says}" if cell.one else "Decide where people disagree"


def _others(store: AnswerStore, key: str) -> list[dict[str, Any]]:
    """The answers of the others, and the label that the case was built with."""
    case = store.drawn[key]
    said = [
        {
            "name": person.name,
            "shown": next(place.shown for place in store.places(person) if place.key == key),
            "said": {column: printable_lines(text) for column, text in store.state(person, key).said.items()},
        }
        for person in store.people()
    ]
    built = case.label_space.name(case.label)
    return [*said, {"name": "built with", "shown": case.id, "said": {"label": built}}]


ROUTES = [
    routes_for("/annotate/decide/{task:path}", show),
    routes_for("/api/decide/case/{case}", case),
    routes_for("/api/decide/answer", answer, methods=["POST"]),
    routes_for("/api/decide/undo", undo, methods=["POST"]),
]
