"""Proof for added tautologies: each clause is parsed, evaluated and removed, and the rest must be the source."""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from assay.core.case import Case
from assay.core.edit import Replacement, Skip
from assay.language.text.clauses import (
    breaks_off,
    find_obstacle,
    in_brackets,
    in_open_quotation,
    obstacle_in_premise,
    trails_off,
)
from assay.stress.original import CHANGED, source_of

_CLAUSE = re.compile(r"\s+and (\w+) is (not )?(\w+)")
_SENTENCE = re.compile(r"([.?]?)(\s+)A(nd .*)\.", re.DOTALL)
"""A sentence of its own, and the stop that the text before it lacks."""
_WORD = re.compile(r"\w")
_END = " .!?\u2026'\"\u2019\u201d)]"
_ENDED = re.compile(r"[.!?\u2026]['\"\u2019\u201d)\]\s]*\Z")
"""A stop ends the text; quotes and brackets may close behind it."""

EXCLUDING = (
    {"true", "false"},
    {"green", "red", "blue", "yellow", "black", "white", "brown", "pink", "orange", "purple", "grey"},
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"},
)
"""Words of which two different ones never mean the same."""

COMMAND = Skip("not verified: the clause is added to a command")
FALSE = Skip("not verified: the added clause is not known to be true")
FRAGMENT = Skip("not verified: the clause is added to something that is not a sentence")
MOVED = Skip("not verified: the clause is not at the end of the sentence")
BRACKET = Skip("not verified: the clause is added inside of a bracket")
SPOKEN = Skip("not verified: the clause is added to what somebody says")
QUESTION = Skip("not verified: a clause added to a question does not leave it as it was")
STOPS = Skip("not verified: a sentence was added before the end of the text")
TIMES = Skip("not verified: the clause is not added as often as requested")
TWICE = Skip("not verified: more than one place was changed")
UNFINISHED = Skip("not verified: the clause is added to a sentence that breaks off")
WRONG_SIDE = Skip("not verified: the clause is added to the wrong text")

OBSTACLES = {
    "question": QUESTION,
    "bracket": BRACKET,
    "fragment": FRAGMENT,
    "speech": SPOKEN,
    "command": COMMAND,
    "unfinished": UNFINISHED,
}


class AddedClauses(NamedTuple):
    """The clauses that were added to a text, as parsed."""

    clauses: int
    """The number of tautologies; 0 if there is anything else."""
    own_sentence: bool
    stop: str
    """The stop that ends the text before that sentence, where it had none."""


class TautologyCheck:
    """For the families word-overlap, negation and length-mismatch."""

    def foresee(self, transform: Any) -> str:
        """The reason why a clause is not known to be true, whatever it is added to."""
        clause: str = transform.tautology.strip()
        if clauses_in(f" and {clause.removeprefix('and ')}") == 1:
            return ""
        kinds = "; ".join(", ".join(sorted(words)) for words in EXCLUDING)
        return (
            f"The tautology {clause!r} is not known to be true, so no label could be verified.\n"
            '  Use "X is X" with any word, or "X is not Y" with two different words of one kind:\n'
            f"  {kinds}."
        )

    def __call__(self, case: Case) -> Skip | None:
        """Undo, evaluate, and look at where the clause was put."""
        edit = case.provenance.edit
        source = source_of(case)
        if source is None or edit.label is not None:
            return CHANGED
        changes = edit.premise + edit.hypothesis
        if not changes:
            return None if case.provenance.recipe.options.get("times") == 0 else TIMES  # the lowest rung of a ladder
        if len(changes) > 1:
            return TWICE
        in_premise = bool(edit.premise)
        if in_premise != (case.family == "length-mismatch"):
            return WRONG_SIDE
        times = case.provenance.recipe.options.get("times", 5 if in_premise else 1)
        added = parse_clause(changes[0].new)
        if times != added.clauses:
            return TIMES if added.clauses else FALSE
        check = _check_sentence if added.own_sentence else _check_clause
        return check(source[0 if in_premise else 1], changes[0], in_premise=in_premise)


def _check_clause(text: str, change: Replacement, *, in_premise: bool) -> Skip | None:
    """Check that clauses were joined to a text that they can be joined to."""
    if change.old:
        return CHANGED
    after = text[change.start :]
    if not change.start or (after != "." and _WORD.search(after)):
        return MOVED
    obstacle = obstacle_in_premise(text, change.start) if in_premise else find_obstacle(text, change.start)
    return OBSTACLES.get(obstacle)


def _check_sentence(text: str, change: Replacement, *, in_premise: bool) -> Skip | None:
    """Check that a sentence follows a text that has come to its end, be it a question, a command or a heading."""
    before = text[: change.start]
    if change.old:
        return CHANGED
    if not before.strip() or text[change.start :].strip():
        return MOVED
    if bool(parse_clause(change.new).stop) == bool(_ENDED.search(before)):
        return STOPS
    if in_brackets(before):
        return BRACKET
    if not in_premise and in_open_quotation(before):
        return SPOKEN
    at_words = not (in_premise and trails_off(before))  # talk starts anew by itself
    return UNFINISHED if breaks_off(before.rstrip(_END).lower(), at_words=at_words) else None


@lru_cache(maxsize=1024)
def parse_clause(added: str) -> AddedClauses:
    """The clauses of an added string, which is joined to a sentence or is one of its own.

    >>> parse_clause(" and true is true"), parse_clause("? And red is not green.")
    (AddedClauses(clauses=1, own_sentence=False, stop=''), AddedClauses(clauses=1, own_sentence=True, stop='?'))
    """
    sentence = _SENTENCE.fullmatch(added)
    if sentence is None:
        return AddedClauses(clauses_in(added), own_sentence=False, stop="")
    stop, blank, clauses = sentence.groups()
    return AddedClauses(clauses_in(f"{blank}a{clauses}"), own_sentence=True, stop=stop)


def clauses_in(added: str) -> int:
    """The number of tautologies in a string; 0 if it has anything else.

    >>> [clauses_in(c) for c in (" and true is true", " and red is not green" * 2, " and red is green")]
    [1, 2, 0]
    """
    position = count = 0
    while match := _CLAUSE.match(added, position):
        subject, negated, complement = match.groups()
        same = subject == complement
        different = any({subject, complement} <= words for words in EXCLUDING) and not same
        if not (different if negated else same):
            return 0
        position, count = match.end(), count + 1
    return count if position == len(added) else 0
