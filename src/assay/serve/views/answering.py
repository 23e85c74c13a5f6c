"""Answering cases one at a time: an annotator's own task, and the owner's decisions where people disagree."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from assay.annotate.annotation_progress import AnnotationProgress, columns_of
from assay.annotate.answer_store import AnswerStore
from assay.annotate.sample import ADJUDICATION
from assay.reports.formatting import printable_lines
from assay.serve.access_tokens import Role
from assay.serve.addresses import task_link
from assay.serve.annotation_tasks import more_guidelines
from assay.serve.annotator_session import AnnotatorSession, SubmittedAnswer, UndoneAnswer
from assay.serve.auth import TASK, AuthorisedRequest, HttpError, json_response, routes_for


class DisputedCases(msgspec.Struct, forbid_unknown_fields=True):
    """The cases to decide: those in a cell of the matrix, or all on which people disagree."""

    column: str = ""
    one: str = ""  # whose answers are the rows
    other: str = ""  # whose answers are the columns
    row: str = ""  # the first person's answer
    says: str = ""  # the other's answer


class AdjudicationSession(AnnotatorSession):
    """The cases that the owner decides."""

    def case(self, name: str) -> dict[str, Any]:
        """A case, with people's answers and the label that it was built with."""
        found, case = super().case(name), self._store.drawn[name]
        others = [
            {
                "name": person.name,
                "shown": next(place.shown for place in self._store.places(person) if place.key == name),
                "said": {
                    column: printable_lines(text) for column, text in self._store.state(person, name).said.items()
                },
            }
            for person in self._store.people()
        ]
        built = {"label": case.label_space.name(case.label)}
        return {**found, "others": [*others, {"name": "built with", "shown": case.id, "said": built}]}


def show_task(asked: AuthorisedRequest) -> Response:
    session = _own_session(asked)
    return _page(asked, asked.who.task, session.start(), title="Your task", back="", api=API_TASK, query="")


def show_decisions(asked: AuthorisedRequest) -> Response:
    task, cell = asked.path["task"], asked.asked_for(DisputedCases)
    store = asked.site.tasks.get(task)
    back: dict[str, Any] = {"back": task_link(task), "back_name": task}
    keys = _disputed(store, cell)
    if not keys:
        return asked.page("nothing.html", title="Nothing to decide", **back)
    start = AdjudicationSession(store, store.person(ADJUDICATION), only=keys).start()
    title = f"Decide: {cell.row} or {cell.says}" if cell.one else "Decide where people disagree"
    return _page(asked, task, start, title=title, **back, api=API_DECIDE, query=f"?{urlencode({'task': task})}")


def _page(asked: AuthorisedRequest, task: str, start: dict[str, Any], *, api: str, query: str, **more: Any) -> Response:
    store = asked.site.tasks.get(task)
    return asked.page(
        "answering.html",
        layout=store.layout,
        more=more_guidelines(store),
        questions=start["questions"],
        data={"api": api, "query": query, **start},
        **more,
    )


def _disputed(store: AnswerStore, cell: DisputedCases) -> list[str]:
    board = AnnotationProgress(store)
    if cell.one and cell.other:
        return list(board.matrix(cell.column, cell.one, cell.other).keys.get((cell.row, cell.says), ()))
    return board.disputed(cell.column or next(iter(columns_of(store.layout)), ""))


def _own_session(asked: AuthorisedRequest) -> AnnotatorSession:
    if not asked.who.task:
        raise HttpError(404, "You have no task of your own.", "Open the link of somebody you invited to see theirs.")
    store = asked.site.tasks.get(asked.who.task)
    return AnnotatorSession(store, store.person(asked.who.name))


def _decisions(asked: AuthorisedRequest) -> AnnotatorSession:
    store = asked.site.tasks.get(asked.query.get("task", ""))
    return AdjudicationSession(store, store.person(ADJUDICATION))


def _session_routes(path: str, session: Callable[[AuthorisedRequest], AnnotatorSession], role: Role) -> list[Route]:
    """The requests of a page: a case, an answer to store, and the newest change to take back."""

    def case(asked: AuthorisedRequest) -> Response:
        return json_response(session(asked).case(asked.path["case"]))

    def answer(asked: AuthorisedRequest) -> Response:
        return session(asked).save(asked.json(SubmittedAnswer))

    def undo(asked: AuthorisedRequest) -> Response:
        return session(asked).undo(asked.json(UndoneAnswer))

    return [
        routes_for(f"{path}/case/{{case}}", case, role=role),
        routes_for(f"{path}/answer", answer, role=role, methods=["POST"]),
        routes_for(f"{path}/undo", undo, role=role, methods=["POST"]),
    ]


API_TASK, API_DECIDE = "/api/task", "/api/decide"

ROUTES = [
    routes_for(TASK, show_task, role=Role.ANNOTATOR),
    *_session_routes(API_TASK, _own_session, Role.ANNOTATOR),
    routes_for("/annotate/decide/{task:path}", show_decisions),
    *_session_routes(API_DECIDE, _decisions, Role.OWNER),
]
