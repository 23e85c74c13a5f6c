"""Check the history of answers: no change may be missing, stored twice or out of order."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assay.annotate.answer_rows import COLUMNS, Row, is_intact
from assay.annotate.answer_store import AnswerStore


class HistoryRow(NamedTuple):
    seq: int
    person: str
    key: str
    """The case, as the sample calls it."""
    version: int
    """Number of changes of this case by the person."""
    said: Mapping[str, str]
    done: bool
    """True if all questions that need an answer have one."""
    undoes: int | None
    """The change that it takes back."""
    request: str
    at: str
    is_intact: bool
    """True if it is as it was stored."""


def history(store: AnswerStore) -> list[HistoryRow]:
    """All changes, in order. The answer of a damaged one may be unreadable, and is then empty."""
    with store.file.reading() as file:
        names = dict(file.execute("SELECT id, name FROM people"))
        rows = file.execute(f"SELECT {COLUMNS} FROM answers ORDER BY seq")  # noqa: S608 - our own columns
        return [_change(row, names) for row in rows]


def faults(store: AnswerStore) -> list[str]:
    """Faults of the history; empty if it is whole.

    Every change is as it was stored. Changes are numbered without gaps, their times don't go back, a person's versions
    of a case count up from 1, a request made one change, and an undo restores what was there before the change that it
    takes back.
    """
    found = [f"the file is damaged: {text}" for text in _damage(store)]
    past = _Past()
    for each in history(store):
        if each.is_intact:
            wrong = [*past.out_of_order(each), *_wrong_content(each, store), *past.wrong_undo(each)]
        else:
            wrong = ["is not as it was stored"]
        found += [f"change {each.seq} ({each.person}, {each.key}): {text}" for text in wrong]
        past.add(each)
    return found


class _Past:
    """The changes before a change."""

    def __init__(self) -> None:
        self._last = 0, ""
        self._cases: dict[tuple[str, str], list[HistoryRow]] = {}
        self._requests: set[tuple[str, str]] = set()

    def add(self, each: HistoryRow) -> None:
        self._last = each.seq, each.at
        self._cases.setdefault((each.person, each.key), []).append(each)
        self._requests.add((each.person, each.request))

    def out_of_order(self, each: HistoryRow) -> Iterator[str]:
        seq, at = self._last
        if each.seq != seq + 1:
            yield f"should be change {seq + 1}"
        if each.at < at:
            yield "is dated before the change that precedes it"
        version = len(self._own(each)) + 1
        if each.version != version:
            yield f"is version {each.version}, not {version}"
        if (each.person, each.request) in self._requests:
            yield f"the request {each.request!r} was stored twice"

    def wrong_undo(self, each: HistoryRow) -> Iterator[str]:
        if each.undoes is None:
            return
        own = self._own(each)
        taken = next((place for place, one in enumerate(own) if one.seq == each.undoes), None)
        if taken is None:
            yield f"takes back change {each.undoes}, which is not an earlier change of the same case"
        elif any(one.undoes == each.undoes for one in own):
            yield f"takes back change {each.undoes}, which was taken back already"
        elif each.said != (own[taken - 1].said if taken else {}):
            yield f"does not restore what was there before change {each.undoes}"

    def _own(self, each: HistoryRow) -> list[HistoryRow]:
        return self._cases.get((each.person, each.key), [])


def _change(row: Row, names: Mapping[int, str]) -> HistoryRow:
    seq, person, key, version, said, done, undoes, request, at, _digest = row
    intact = is_intact(row)
    answers = json.loads(said) if intact else {}
    return HistoryRow(seq, names.get(person, "nobody"), key, version, answers, bool(done), undoes, request, at, intact)


def _damage(store: AnswerStore) -> list[str]:
    with store.file.reading() as file:
        texts = [row[0] for row in file.execute("PRAGMA integrity_check")]
        wrong = [f"a row of {row[0]} refers to nothing" for row in file.execute("PRAGMA foreign_key_check")]
    return [text for text in texts if text != "ok"] + wrong


def _wrong_content(each: HistoryRow, store: AnswerStore) -> Iterator[str]:
    if each.key not in store.drawn:
        yield "the case is not in the sample"
    elif each.done != store.is_done(each.key, each.said):
        yield f"is marked as {'complete' if each.done else 'incomplete'}, which it is not"
