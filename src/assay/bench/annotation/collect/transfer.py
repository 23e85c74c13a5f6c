"""Answers from annotators' files, and back into them, byte for byte."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from assay.bench.annotation.collect.rows import Person
from assay.bench.annotation.collect.store import AnswerStore, ConflictError
from assay.bench.annotation.sample import ADJUDICATION
from assay.bench.annotation.sheets import SheetStorage, read_sheet, sheet
from assay.core.errors import BadInputError, UnknownNameError
from assay.core.files import refuse_existing, write_whole


class Imported(NamedTuple):
    """What became of a person's file."""

    name: str
    """The person."""
    added: int
    """Answers that are new."""
    same: int
    """Answers that were there already."""
    different: tuple[str, ...]
    """Cases with another answer already, which was kept."""


def exported_sheet(store: AnswerStore, person: Person) -> bytes:
    """A person's file: as if they had filled in the one that `assay annotate sample` writes."""
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
