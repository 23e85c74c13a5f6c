"""The data that the page of an annotator, or of the deciding owner, gets and sends."""

from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.responses import Response

from assay.annotate.answer_rows import Annotator, AnswerState, CasePosition
from assay.annotate.answer_store import AnswerStore, ConflictError
from assay.annotate.layouts import AnnotationQuestion, labels_asked
from assay.annotate.sheets import labels_shown
from assay.core.errors import UnknownNameError
from assay.core.label_space import LabelNames
from assay.evaluate.error_categories import CATEGORIES
from assay.reports.formatting import printable, printable_lines
from assay.serve.auth import json_response


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
