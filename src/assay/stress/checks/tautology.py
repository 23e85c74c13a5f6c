"""Proof for added tautologies: each clause is parsed and evaluated, then removed, and what remains must be the source."""

import re

from assay.core.case import Case, text_digest
from assay.core.edit import Replacement, Skip
from assay.stress.checks.source import CHANGED, source_of

_CLAUSE = re.compile(r"\s+and (\w+) is (not )?(\w+)")

EXCLUDING = (
    {"true", "false"},
    {"green", "red", "blue", "yellow", "black", "white", "brown", "pink", "orange", "purple", "grey"},
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"},
)
"""Words of which two different ones never mean the same."""

FALSE = Skip("not proven: the added clause is not known to be true")
MOVED = Skip("not proven: the clause does not stand at the end of the sentence")
QUESTION = Skip("not proven: a clause added to a question does not leave it as it was")
SPOKEN = Skip("not proven: the clause is added to what somebody says")
TWICE = Skip("not proven: more than one place was changed")


class TautologyCheck:
    """For the families word-overlap, negation and length-mismatch."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, evaluate, and look at where the clause was put."""
        edit = case.provenance.edit
        source = source_of(case)
        if source is None or text_digest(*source) != case.provenance.source or edit.label is not None:
            return CHANGED
        changes = [(source[0], each) for each in edit.premise] + [(source[1], each) for each in edit.hypothesis]
        if not changes:
            return None  # the lowest rung of a ladder
        if len(changes) > 1:
            return TWICE
        return _check_change(*changes[0])


def _check_change(text: str, change: Replacement) -> Skip | None:
    if change.old or not is_always_true(change.new):
        return FALSE
    before, after = text[: change.start], text[change.start :]
    if any(character.isalnum() for character in after) or not before.strip():
        return MOVED
    if "?" in after:
        return QUESTION
    return SPOKEN if _ends_in_speech(before, after) else None


def is_always_true(clauses: str) -> bool:
    """Whether a string is nothing but clauses that hold whatever happens.

    >>> [is_always_true(c) for c in (" and true is true", " and green is not red", " and red is green", " and it rains")]
    [True, True, False, False]
    """
    position = 0
    while match := _CLAUSE.match(clauses, position):
        subject, negated, complement = match.groups()
        same = subject == complement
        different = any({subject, complement} <= words for words in EXCLUDING) and not same
        if not (different if negated else same):
            return False
        position = match.end()
    return 0 < position == len(clauses)


def _ends_in_speech(before: str, after: str) -> bool:
    """A quotation mark is closed after the clause: it became part of what is quoted."""
    return any(mark in after for mark in ('"', "\u201d")) and (before.count('"') % 2 == 1 or "\u201c" in before)
