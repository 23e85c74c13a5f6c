"""An annotator's task: their own cases, one at a time, and nobody else's answers."""

import msgspec
from starlette.responses import Response

from assay.serve.access_tokens import Role
from assay.serve.annotation_tasks import more_guidelines
from assay.serve.annotator_session import AnnotatorSession, SubmittedAnswer, UndoneAnswer
from assay.serve.auth import TASK, AuthorisedRequest, HttpError, routes_for


def show(asked: AuthorisedRequest) -> Response:
    """The page."""
    start = _desk(asked).start()
    store = asked.site.tasks.get(asked.who.task)
    return asked.page(
        "answering.html",
        title="Your task",
        layout=store.layout,
        more=more_guidelines(store),
        questions=start["questions"],
        back="",
        data={"api": "/api/task", "query": "", **start},
    )


def case(asked: AuthorisedRequest) -> Response:
    """A case."""
    return Response(msgspec.json.encode(_desk(asked).case(asked.path["case"])), media_type="application/json")


def answer(asked: AuthorisedRequest) -> Response:
    """Store an answer."""
    return _desk(asked).save(asked.json(SubmittedAnswer))


def undo(asked: AuthorisedRequest) -> Response:
    """Take back the newest change."""
    return _desk(asked).undo(asked.json(UndoneAnswer))


def _desk(asked: AuthorisedRequest) -> AnnotatorSession:
    if not asked.who.task:
        raise HttpError(404, "You have no task of your own.", "Open the link of somebody you invited to see theirs.")
    store = asked.site.tasks.get(asked.who.task)
    return AnnotatorSession(store, store.person(asked.who.name))


ROUTES = [
    routes_for(TASK, show, role=Role.ANNOTATOR),
    routes_for("/api/task/case/{case}", case, role=Role.ANNOTATOR),
    routes_for("/api/task/answer", answer, role=Role.ANNOTATOR, methods=["POST"]),
    routes_for("/api/task/undo", undo, role=Role.ANNOTATOR, methods=["POST"]),
]
