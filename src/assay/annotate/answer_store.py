"""Answers to a sample: every change is a new row, outdated ones are refused, and the history is checked."""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from assay.annotate import answer_rows
from assay.annotate.answer_rows import Annotator, AnswerDatabase, AnswerState, CasePosition
from assay.annotate.layouts import (
    AnnotationLayout,
    AnnotatorAnswer,
    Answers,
    SampledCase,
    SheetStorage,
    read_answer,
)
from assay.annotate.sample import ADJUDICATION, KEY, check_names, opaque, own_order, read_sample, read_sheet, sheet
from assay.core.errors import BadInputError, BadRecordError, UnknownNameError, UserError
from assay.storage.files import digest, refuse_existing, write_whole

LONGEST_TEXT = 10_000  # largest number of characters an answer may have


class ConflictError(UserError):
    """The case has been answered meanwhile, in another tab or by another person."""

    def __init__(self, text: str, now: AnswerState | None) -> None:
        super().__init__(text)
        self.now = now  # the current state; None if there is nothing


class AnswerStore:
    """The answers to the sample in a folder; threads may share it, and processes may each have one."""

    def __init__(self, folder: Path, *, seed: int = 0) -> None:
        self.folder = folder
        self.drawn: dict[str, SampledCase] = read_sample(folder)
        if not self.drawn:
            raise BadInputError("the sample is empty", where=str(folder))
        self.layout: AnnotationLayout = next(iter(self.drawn.values())).asked
        self._places: dict[int, list[CasePosition]] = {}
        self.file = AnswerDatabase(folder / answer_rows.FILE)
        try:
            self._facts = self._begun(seed)
        except BaseException:
            self.file.close()
            raise

    def __enter__(self) -> "AnswerStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def _begun(self, seed: int) -> dict[str, str]:
        """Store which sample the answers belong to, or check that it is this one."""
        sample = digest(self.folder / KEY)
        with self.file.writing() as file:
            new = {"sample": sample, "seed": str(seed), "secret": str(secrets.randbits(64))}
            file.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", new.items())
            facts = dict(file.execute("SELECT name, value FROM facts"))
            if facts["sample"] != sample:
                raise BadInputError(
                    "the answers belong to another sample", where=str(self.file.path), hint=f"Restore {KEY}."
                )
            if not file.execute("SELECT 1 FROM people WHERE name = ?", (ADJUDICATION,)).fetchone():
                answer_rows.add_person(file, ADJUDICATION, "csv", [(key, key) for key in self.drawn])
        return facts

    def people(self) -> list[Annotator]:
        """All annotators by name, without the adjudicator."""
        with self.file.reading() as file:
            rows = file.execute("SELECT id, name, storage FROM people WHERE name != ? ORDER BY name", (ADJUDICATION,))
            return [Annotator(*row) for row in rows]

    def person(self, name: str) -> Annotator:
        """A person by name; `adjudication` is the person who decides."""
        with self.file.reading() as file:
            row = file.execute("SELECT id, name, storage FROM people WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise UnknownNameError(f"This sample has no annotator called {name!r}.")
        return Annotator(*row)

    def add(self, name: str, storage: SheetStorage = "csv", order: Sequence[str] = ()) -> Annotator:
        """Add an annotator, with the order of cases of their file, or with a new order."""
        check_names([*(each.name for each in self.people()), name])
        keys = order or [each.key for each in own_order(self.drawn.values(), name, int(self._facts["seed"]))]
        secret = int(self._facts["secret"])
        every = dict.fromkeys([*keys, *self.drawn])
        with self.file.writing() as file:
            return answer_rows.add_person(
                file, name, storage, [(key, opaque(f"{name} {key}", secret)) for key in every]
            )

    def let_in(self, person: Annotator, token: bytes) -> None:
        """Give a person a new token, of which only a digest is stored; the old one becomes invalid."""
        with self.file.writing() as file:
            file.execute("UPDATE people SET token = ? WHERE id = ?", (token, person.id))

    def tokens(self) -> dict[bytes, Annotator]:
        """People by the digests of their tokens."""
        with self.file.reading() as file:
            rows = file.execute("SELECT token, id, name, storage FROM people WHERE token IS NOT NULL")
            return {token: Annotator(*person) for token, *person in rows}

    def places(self, person: Annotator) -> list[CasePosition]:
        """All cases, in the person's own order and under the names that they see; this never changes."""
        if person.id not in self._places:
            with self.file.reading() as file:
                rows = file.execute(
                    "SELECT place, key, shown FROM places WHERE person = ? ORDER BY place", (person.id,)
                )
                self._places[person.id] = [CasePosition(*row) for row in rows]
        return self._places[person.id]

    def state(self, person: Annotator, key: str) -> AnswerState:
        with self.file.reading() as file:
            return answer_rows.state_of(file, person, self._known(key))

    def states(self, person: Annotator) -> dict[str, AnswerState]:
        """A person's current answers to all cases that they have touched, by key."""
        with self.file.reading() as file:
            return answer_rows.states_of(file, person)

    def answer(self, person: Annotator, key: str, said: Answers, *, base: int, request: str) -> AnswerState:
        """Store a person's answer, if they have seen its newest version, `base`.

        A request that arrives twice, because its acknowledgement was lost, is stored once.
        """
        clean = self._checked(key, said)
        with self.file.writing() as file:
            if made := answer_rows.made_by(file, person, request):
                if (made.key, made.said) != (key, clean):
                    raise UserError(f"The request {request!r} was used for another answer.")
                return made
            now = answer_rows.state_of(file, person, key)
            if now.version != base:
                raise ConflictError("This case was answered elsewhere: in another tab, or on another device.", now)
            if now.said == clean:
                return now
            new = AnswerState(key, base + 1, clean, self.is_done(key, clean))
            return answer_rows.append(file, person, new, request=request)

    def undoable(self, person: Annotator) -> AnswerState | None:
        """The newest change that can be undone."""
        with self.file.reading() as file:
            return answer_rows.newest_change(file, person)

    def undo(self, person: Annotator, key: str, *, version: int, request: str) -> AnswerState:
        """Undo a person's newest change, which must be the version that they saw; this is a change too."""
        with self.file.writing() as file:
            if made := answer_rows.made_by(file, person, request):
                return made
            last = answer_rows.newest_change(file, person)
            if last is None:
                raise ConflictError("There is nothing to undo.", None)
            if (last.key, last.version) != (key, version):
                raise ConflictError(
                    "Something else was changed in the meantime. Look at that change before you undo it.", last
                )
            said = answer_rows.said_before(file, person, last)
            new = AnswerState(key, answer_rows.state_of(file, person, key).version + 1, said, self.is_done(key, said))
            return answer_rows.append(file, person, new, request=request, undoes=last.seq)

    def read(self, key: str, said: Answers) -> AnnotatorAnswer | None:
        """The meaning of an answer; None if a question that needs one is open."""
        fields = {"id": key, **{each.column: said.get(each.column, "") for each in self.layout.questions}}
        return read_answer(fields, self.drawn, self.layout, may_be_open=True)

    def is_done(self, key: str, said: Answers) -> bool:
        """True if all questions that need an answer have one."""
        return self.read(key, said) is not None

    def _checked(self, key: str, said: Answers) -> dict[str, str]:
        """Answers that the layout knows, in the order of its questions; without open ones."""
        columns = [each.column for each in self.layout.questions]
        for column, text in said.items():
            if column not in columns:
                raise BadRecordError(f"no question {column!r}", hint=f"The questions are {', '.join(columns)}.")
            if len(text) > LONGEST_TEXT:
                raise BadRecordError(f"the answer to {column} has more than {LONGEST_TEXT:,} characters")
            if "\0" in text:
                raise BadRecordError(f"the answer to {column} contains a NUL character")
        self.read(self._known(key), said)
        return {column: said[column] for column in columns if said.get(column, "").strip()}

    def _known(self, key: str) -> str:
        if key not in self.drawn:
            raise UnknownNameError(f"The case {key!r} is not in the sample.")
        return key


class Imported(NamedTuple):
    name: str
    added: int
    same: int
    different: tuple[str, ...]  # cases that already have another answer, which is kept


def exported_sheet(store: AnswerStore, person: Annotator) -> bytes:
    """A person's answers in the form of the file that `assay annotate sample` writes for them."""
    states = store.states(person)
    ordered = [store.drawn[place.key] for place in store.places(person)]
    return sheet(ordered, person.storage, {key: state.said for key, state in states.items()})


def export_sheets(store: AnswerStore, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write one file per person, and `adjudication` if anything was decided."""
    decided = store.person(ADJUDICATION)
    people = [*store.people(), *([decided] if any(each.said for each in store.states(decided).values()) else [])]
    paths = {folder / f"{person.name}.{person.storage}": person for person in people}
    for path in paths:
        refuse_existing(path, overwrite=overwrite)
    for path, person in paths.items():
        write_whole(path, exported_sheet(store, person), over_any=False)
    return list(paths)


def import_sheets(store: AnswerStore, paths: Sequence[Path], *, encoding: str = "utf-8") -> list[Imported]:
    """Read annotators' files, which are named after them; all are checked before the first answer is stored.

    Somebody new is added with the order of their file. An answer that was given already stays.
    """
    read = {path: read_sheet(path, store.drawn, encoding=encoding) for path in paths}
    for path in paths:
        if path.suffix not in (".csv", ".jsonl"):
            raise BadInputError("not an annotator's file", where=str(path), hint="It ends in .csv or .jsonl.")
    return [_import_one(store, path, said) for path, said in read.items()]


def _import_one(store: AnswerStore, path: Path, said: dict[str, dict[str, str]]) -> Imported:
    storage: SheetStorage = "jsonl" if path.suffix == ".jsonl" else "csv"
    try:
        person = store.person(path.stem)
    except UnknownNameError:
        person = store.add(path.stem, storage, list(said))
    states = store.states(person)
    different = []
    added = same = 0
    for key, answers in said.items():
        now = states.get(key)
        if not answers or (now and now.said == answers):
            same += bool(answers)
        elif now and now.said:
            different.append(key)
        else:
            base = now.version if now else 0
            try:
                store.answer(person, key, answers, base=base, request=f"file:{uuid4().hex}")
                added += 1
            except ConflictError:  # answered in the browser at this very moment
                different.append(key)
    return Imported(person.name, added, same, tuple(different))


class HistoryRow(NamedTuple):
    seq: int
    person: str
    key: str  # the case, as the sample calls it
    version: int  # number of changes of this case by the person
    said: Mapping[str, str]
    done: bool  # True if all questions that need an answer have one
    undoes: int | None  # the change that it takes back
    request: str
    at: str
    is_intact: bool  # True if it is as it was stored


def history(store: AnswerStore) -> list[HistoryRow]:
    """All changes, in order. The answer of a damaged one may be unreadable, and is then empty."""
    with store.file.reading() as file:
        names = dict(file.execute("SELECT id, name FROM people"))
        rows = file.execute(f"SELECT {answer_rows.COLUMNS} FROM answers ORDER BY seq")  # noqa: S608 - our own columns
        changes = []
        for row in rows:
            seq, person, key, version, said, done, undoes, request, at, _digest = row
            answers = json.loads(said) if (intact := answer_rows.is_intact(row)) else {}
            who = names.get(person, "nobody")
            changes.append(HistoryRow(seq, who, key, version, answers, bool(done), undoes, request, at, intact))
        return changes


def faults(store: AnswerStore) -> list[str]:
    """Faults of the history; empty if it is whole.

    Every change is as it was stored. Changes are numbered without gaps, their times don't go back, a person's versions
    of a case count up from 1, a request made one change, and an undo restores what was there before the change that it
    takes back.
    """
    with store.file.reading() as file:
        texts = [row[0] for row in file.execute("PRAGMA integrity_check") if row[0] != "ok"]
        texts += [f"a row of {row[0]} refers to nothing" for row in file.execute("PRAGMA foreign_key_check")]
    found = [f"the file is damaged: {text}" for text in texts]
    last, last_at = 0, ""
    by_case: dict[tuple[str, str], list[HistoryRow]] = {}
    requests: set[tuple[str, str]] = set()
    for each in history(store):
        before = by_case.setdefault((each.person, each.key), [])
        wrong = ["is not as it was stored"]
        if each.is_intact:
            is_known = each.key in store.drawn
            checks = {
                f"should be change {last + 1}": each.seq != last + 1,
                "is dated before the change that precedes it": each.at < last_at,
                f"is version {each.version}, not {len(before) + 1}": each.version != len(before) + 1,
                f"the request {each.request!r} was stored twice": (each.person, each.request) in requests,
                "the case is not in the sample": not is_known,
                f"is marked as {'complete' if each.done else 'incomplete'}, which it is not": is_known
                and each.done != store.is_done(each.key, each.said),
            }
            wrong = [*(text for text, is_wrong in checks.items() if is_wrong), *_wrong_undo(each, before)]
        found += [f"change {each.seq} ({each.person}, {each.key}): {text}" for text in wrong]
        last, last_at = each.seq, each.at
        before.append(each)
        requests.add((each.person, each.request))
    return found


def _wrong_undo(each: HistoryRow, before: Sequence[HistoryRow]) -> Iterator[str]:
    if each.undoes is None:
        return
    taken = next((place for place, one in enumerate(before) if one.seq == each.undoes), None)
    if taken is None:
        yield f"takes back change {each.undoes}, which is not an earlier change of the same case"
    elif any(one.undoes == each.undoes for one in before):
        yield f"takes back change {each.undoes}, which was taken back already"
    elif each.said != (before[taken - 1].said if taken else {}):
        yield f"does not restore what was there before change {each.undoes}"
