"""Check the history of answers: no change may be missing, stored twice or out of order."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.annotate.answer_rows import COLUMNS, is_intact
from assay.annotate.answer_store import AnswerStore


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
        rows = file.execute(f"SELECT {COLUMNS} FROM answers ORDER BY seq")  # noqa: S608 - our own columns
        changes = []
        for row in rows:
            seq, person, key, version, said, done, undoes, request, at, _digest = row
            answers = json.loads(said) if (intact := is_intact(row)) else {}
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
