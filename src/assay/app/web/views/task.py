"""An annotator's task: their own cases, one at a time, and nothing that others say."""

import msgspec
from starlette.responses import Response

from assay.app.web.desk import Desk, Given, TakenBack
from assay.app.web.gate import TASK, Asked, Refused, route
from assay.app.web.guard.access import Role
from assay.app.web.tasks import more_guidelines


def show(asked: Asked) -> Response:
    """The page."""
    start = _desk(asked).start()
    store = asked.site.tasks.get(asked.who.task)
    return asked.page(
        "answering.html",
        title="Your task",
        about=store.layout.about,
        more=more_guidelines(store),
        questions=start["questions"],
        back="",
        data={"api": "/api/task", "query": "", **start},
    )


def case(asked: Asked) -> Response:
    """A case."""
    return Response(msgspec.json.encode(_desk(asked).case(asked.path["case"])), media_type="application/json")


def answer(asked: Asked) -> Response:
    """Store an answer."""
    return _desk(asked).save(asked.json(Given))


def undo(asked: Asked) -> Response:
    """Take back the newest change."""
    return _desk(asked).undo(asked.json(TakenBack))


def _desk(asked: Asked) -> Desk:
    if not asked.who.task:
        raise Refused(404, "You have no task of your own.", "Open the link of somebody you invited to see theirs.")
    store = asked.site.tasks.get(asked.who.task)
    return Desk(store, store.person(asked.who.name))


ROUTES = [
    route(TASK, show, role=Role.ANNOTATOR),
    route("/api/task/case/{case}", case, role=Role.ANNOTATOR),
    route("/api/task/answer", answer, role=Role.ANNOTATOR, methods=["POST"]),
    route("/api/task/undo", undo, role=Role.ANNOTATOR, methods=["POST"]),
]
