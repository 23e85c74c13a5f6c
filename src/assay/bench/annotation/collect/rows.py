"""The rows of the file of answers: people, their order of the cases, and what they say."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from assay.bench.annotation.sheets import SheetStorage
from assay.core.errors import UserError

COLUMNS = "seq, person, key, version, said, done, undoes, request, at, digest"
"""What is stored of a change."""

Row = tuple[int, int, str, int, str, int, int | None, str, str, str | None]
"""The columns of a change."""

LONGEST_REQUEST = 100
"""How many characters the name of a request may have."""


class Person(NamedTuple):
    """Somebody who answers."""

    id: int
    """Their number in the file."""
    name: str
    """Their name, which is also the name of their file."""
    storage: SheetStorage
    """The format of their file."""


class Place(NamedTuple):
    """A case in a person's own order."""

    place: int
    """From 0."""
    key: str
    """The case, as the sample calls it."""
    shown: str
    """The case, as this person knows it."""


class State(NamedTuple):
    """What a person says about a case."""

    key: str
    """The case, as the sample calls it."""
    version: int = 0
    """How often this was changed."""
    said: Mapping[str, str] = {}
    """The answers by column."""
    done: bool = False
    """Whether all questions that need an answer have one."""
    seq: int = 0
    """The number of the change among all changes to the sample."""
    at: str = ""
    """When."""


def add_person(file: sqlite3.Connection, name: str, storage: SheetStorage, order: Sequence[tuple[str, str]]) -> Person:
    """Add a person with their order of the cases, each with its key and the name that the person sees."""
    row = file.execute("INSERT INTO people (name, storage, at) VALUES (?, ?, ?)", (name, storage, _now("")))
    number = row.lastrowid or 0
    file.executemany(
        "INSERT INTO places VALUES (?, ?, ?, ?)",
        [(number, place, key, shown) for place, (key, shown) in enumerate(order)],
    )
    return Person(number, name, storage)


def state_of(file: sqlite3.Connection, person: Person, key: str) -> State:
    """What a person says about a case now."""
    return _first(
        file,
        "person = ? AND key = ? ORDER BY version DESC LIMIT 1",
        (person.id, key),
    ) or State(key)


def states_of(file: sqlite3.Connection, person: Person) -> dict[str, State]:
    """What a person says now about all cases that they have touched, by key."""
    rows = _rows(
        file,
        "person = ? AND version = (SELECT max(version) FROM answers WHERE person = a.person AND key = a.key)",
        (person.id,),
    )
    return {state.key: state for state in map(_state, rows)}


def said_before(file: sqlite3.Connection, person: Person, state: State) -> dict[str, str]:
    """What a person said about a case before a change."""
    found = _first(
        file,
        "person = ? AND key = ? AND version = ?",
        (person.id, state.key, state.version - 1),
    )
    return dict(found.said) if found else {}


def made_by(file: sqlite3.Connection, person: Person, request: str) -> State | None:
    """The change that a request has made; None if the request is new."""
    if not 0 < len(request) <= LONGEST_REQUEST:
        raise UserError(f"A request needs a name of 1 to {LONGEST_REQUEST} characters.")
    return _first(
        file,
        "person = ? AND request = ?",
        (person.id, request),
    )


def newest_change(file: sqlite3.Connection, person: Person) -> State | None:
    """The newest change that can be undone: neither undone yet, nor read from a file."""
    return _first(
        file,
        "person = ? AND undoes IS NULL AND request NOT LIKE 'file:%'"
        " AND NOT EXISTS (SELECT 1 FROM answers WHERE undoes = a.seq) ORDER BY seq DESC LIMIT 1",
        (person.id,),
    )


def append(file: sqlite3.Connection, person: Person, new: State, *, request: str, undoes: int | None = None) -> State:
    """Add a change; its number and time are given here."""
    last = file.execute("SELECT at FROM answers ORDER BY seq DESC LIMIT 1").fetchone()
    at = _now(last[0] if last else "")
    content = (person.id, new.key, new.version, _written(new.said), int(new.done), undoes, request, at)
    row = file.execute(
        f"INSERT INTO answers ({COLUMNS.removeprefix('seq, ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own
        (*content, _digest(content)),
    )
    return new._replace(seq=row.lastrowid or 0, at=at)


def _digest(content: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def is_intact(row: Row) -> bool:
    """Whether a change is as it was stored. Those of an older version have no digest."""
    _seq, *content, stored = row
    return stored is None or stored == _digest(tuple(content))


def _rows(file: sqlite3.Connection, where: str, given: tuple[object, ...]) -> sqlite3.Cursor:
    return file.execute(f"SELECT {COLUMNS} FROM answers AS a WHERE {where}", given)  # noqa: S608 - our own words


def _first(file: sqlite3.Connection, where: str, given: tuple[object, ...]) -> State | None:
    row = _rows(file, where, given).fetchone()
    return _state(row) if row else None


def _state(row: Row) -> State:
    seq, _person, key, version, said, done, _undoes, _request, at, _stored = row
    if not is_intact(row):
        raise sqlite3.DatabaseError(f"change {seq} is not as it was stored")
    return State(key, version, json.loads(said), bool(done), seq, at)


def _written(said: Mapping[str, str]) -> str:
    return json.dumps(dict(said), ensure_ascii=False)


def _now(last: str) -> str:
    """The time, but never before the last one: a clock may be set back."""
    return max(datetime.now(UTC).isoformat(timespec="microseconds"), last)
