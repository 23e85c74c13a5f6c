"""Answering cases one at a time: an annotator's own task, and the owner's decisions where people disagree."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from assay.annotate.annotation_progress import AnnotationProgress, columns_of
from assay.annotate.answer_rows import Annotator, AnswerState, CasePosition
from assay.annotate.answer_store import AnswerStore, ConflictError
from assay.annotate.layouts import AnnotationQuestion, labels_asked
from assay.annotate.sample import ADJUDICATION, labels_shown
from assay.core.errors import UnknownNameError
from assay.core.label_space import LabelNames
from assay.evaluate.error_categories import CATEGORIES
from assay.reports.formatting import printable, printable_lines
from assay.serve.access_tokens import Role
from assay.serve.addresses import task_link
from assay.serve.annotation_tasks import more_guidelines
from assay.serve.auth import TASK, AuthorisedRequest, HttpError, json_response, routes_for


class SubmittedAnswer(msgspec.Struct, forbid_unknown_fields=True):
    case: str  # the case, as the person knows it
    said: dict[str, str]
    base: int  # the version that the person has seen
    request: str  # the name of the request; the same if it is sent again


class UndoneAnswer(msgspec.Struct, forbid_unknown_fields=True):
    case: str
    version: int
    request: str


class AnnotatorSession:
    def __init__(self, store: AnswerStore, person: Annotator, *, only: Sequence[str] = ()) -> None:
        self._store = store
        self._person = person
        self._by_key = {each.key: each for each in store.places(person)}
        self._by_name = {each.shown: each for each in self._by_key.values()}
        self._only = {*only} or self._by_key.keys()

    def start(self) -> dict[str, Any]:
        """The first data of a page: questions, cases and answers."""
        states = self._store.states(self._person)
        return {
            "layout": self._store.layout.name,
            "questions": [self._question(each) for each in self._store.layout.questions],
            "pointless": [
                {"column": each.column, "value": value, "columns": sorted(needless)}
                for each in self._store.layout.questions
                for value in each.choices
                if (needless := self._store.layout.may_be_open({each.column: value}))
            ],
            "cases": [
                {"case": each.shown, "done": key in states and states[key].done}
                for key, each in self._by_key.items()
                if key in self._only
            ],
            "undo": self._undo(),
        }

    def case(self, name: str) -> dict[str, Any]:
        """A case with its texts and the person's answer."""
        place = self._place(name)
        case = self._store.drawn[place.key]
        return {
            "case": place.shown,
            "premise": printable_lines(case.premise),
            "hypothesis": printable_lines(case.hypothesis),
            "labels": list(map(printable, labels_shown(case, self._store.layout))),
            **self._state(self._store.state(self._person, place.key)),
        }

    def save(self, given: SubmittedAnswer) -> Response:
        """Store an answer; if the case was answered elsewhere, return that answer."""
        place = self._place(given.case)
        try:
            made = self._store.answer(self._person, place.key, given.said, base=given.base, request=given.request)
        except ConflictError as conflict:
            return self._conflict(conflict)
        return json_response(self._told(made))

    def undo(self, given: UndoneAnswer) -> Response:
        """Undo the newest change; if there is a newer one, return that."""
        try:
            key = self._place(given.case).key
            made = self._store.undo(self._person, key, version=given.version, request=given.request)
        except ConflictError as conflict:
            return self._conflict(conflict)
        return json_response(self._told(made))

    def _told(self, state: AnswerState) -> dict[str, Any]:
        """The data that a page gets after a change."""
        return {"case": self._by_key[state.key].shown, **self._state(state), "undo": self._undo()}

    def _conflict(self, error: ConflictError) -> Response:
        now = self._told(error.now) if error.now else None
        return json_response({"error": str(error), "now": now, "undo": self._undo()}, 409)

    def _state(self, state: AnswerState) -> dict[str, Any]:
        return {"said": dict(state.said), "version": state.version, "done": state.done, "at": state.at}

    def _undo(self) -> dict[str, Any] | None:
        """The change that can be undone, without its number, which would reveal how much others have done."""
        last = self._store.undoable(self._person)
        return {"case": self._by_key[last.key].shown, "version": last.version} if last else None

    def _place(self, name: str) -> CasePosition:
        if name not in self._by_name:
            raise UnknownNameError("There is no such case in this task.")
        return self._by_name[name]

    def _question(self, question: AnnotationQuestion) -> dict[str, Any]:
        choices = [{"value": each, "name": each, "meaning": CATEGORIES.get(each, "")} for each in question.choices]
        if not question.choices and not question.free:
            names = LabelNames(next(iter(self._store.drawn.values())).names)
            meanings = self._store.layout.meanings
            choices = [
                {"value": names(label), "name": printable(names(label)), "meaning": meanings[label]}
                for label in labels_asked(self._store.drawn.values())
            ]
        return {"column": question.column, "text": question.text, "free": question.free, "choices": choices}


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
