"""Natural logic: the polarity of the place that changes, and what a change means there."""

from collections.abc import Sequence

from assay.language.logic.files import EntryError
from assay.language.logic.polarity import Operators, Polarity, composed, operators, unknown
from assay.stress.logic.natural.patterns import Braced, Piece, Slot

CHANGE = "{"
"""Marks the place that changes."""

_SILENT = frozenset({"either", "both"})
"""Words that only announce what follows."""


def polarity_of(pattern: Braced, table: Operators | None = None) -> Polarity:
    """The polarity of the place that changes.

    >>> from assay.stress.logic.natural.patterns import braced
    >>> polarity_of(braced("every <{PERSON}> ACT1")), polarity_of(braced("every <PERSON> DEED {THING}"))
    ('down', 'up')
    >>> polarity_of(braced("[NAME1 did not ACT1.base] , and NAME2 DEED {THING}"))
    'up'
    """
    table = table or operators()
    parts = (*pattern.before, CHANGE, *pattern.after)
    scopes: list[Polarity] = ["up"]
    waiting: list[tuple[Polarity, Polarity]] = []  # what is in brackets next, and what comes after
    after: list[Polarity | None] = []
    at = 0
    while at < len(parts):
        part = parts[at]
        if part == CHANGE:
            return scopes[-1]
        if part in ("[", "<"):
            inside: Polarity = "up"
            rest: Polarity | None = None
            if waiting:
                inside, rest = waiting.pop()
            if part == "<" and rest is None:
                raise unknown(str(parts[at - 1]) if at else part, table)
            scopes.append(composed(scopes[-1], inside))
            after.append(rest)
        elif part in ("]", ">"):
            scopes.pop()
            rest = after.pop()
            if rest is not None:
                scopes[-1] = composed(scopes[-1], rest)
        else:
            at += _operator(parts, at, scopes, waiting, table)
            continue
        at += 1
    raise AssertionError("a pattern has a place that changes")


def _operator(
    parts: Sequence[Piece],
    at: int,
    scopes: list[Polarity],
    waiting: list[tuple[Polarity, Polarity]],
    table: Operators,
) -> int:
    """Note what an operator does, if there is one here; returns how many words it has."""
    words = [str(part) for part in parts[at : at + 6]]
    found = table.determiner(words)
    if found:
        rest = words[found.words :]
        if rest[:1] == ["<"] or rest[:3] == ["of", "the", "<"]:
            waiting.append((found.determiner.restrictor, found.determiner.scope))
            return len(words) - len(rest) + 2 * (rest[:1] == ["of"])
    for size in (5, 2, 1):
        text = " ".join(words[:size])
        if text in table.negations:
            scopes[-1] = composed(scopes[-1], table.negations[text])
            return size
        if text in table.pronouns:
            scopes[-1] = composed(scopes[-1], table.pronouns[text])
            return size
        if text in table.subordinators and words[size : size + 1] == ["["]:
            does = table.subordinators[text]
            waiting.append((does.clause, does.main))
            return size
    return 1


def is_more_specific(pattern: Braced) -> bool:
    """Whether the first text says more than the second, before its place is looked at.

    >>> from assay.stress.logic.natural.patterns import braced
    >>> [is_more_specific(braced(f"NAME1 {{{both} | ACT1}}")) for both in ("ACT1 and ACT2", "ACT1 or ACT2")]
    [True, False]
    """
    first, second = _normal(pattern.first), _normal(pattern.second)
    if len(first) == len(second) == 1 and {str(first[0]), str(second[0])} == _both_forms(first[0]):
        return first[0].form == ("specific",) if isinstance(first[0], Slot) else False
    for longer, shorter, yes in ((first, second, True), (second, first, False)):
        if _has_more(longer, shorter):
            return yes is ("or" not in longer)
    raise EntryError(
        f"how {_text(pattern.first)!r} and {_text(pattern.second)!r} are related is not known",
        entry=_text(pattern.first),
        hint="One of the two must be the other with something added: a conjunct, an adjective, a place.",
    )


def _both_forms(piece: Piece) -> set[str]:
    return {str(piece._replace(form=(form,))) for form in ("specific", "general")} if isinstance(piece, Slot) else set()


def _normal(parts: Sequence[Piece]) -> list[Piece]:
    """The parts without words that only announce, and with the article as a word."""
    found: list[Piece] = []
    for part in parts:
        if isinstance(part, Slot) and part.kind == "THING" and not part.form:
            found += ["a", part._replace(form=("noun",))]
        elif part not in _SILENT:
            found.append(part)
    return found


def _has_more(longer: Sequence[Piece], shorter: Sequence[Piece]) -> bool:
    """Whether the longer text is the shorter one with one stretch added."""
    more = len(longer) - len(shorter)
    return more > 0 and any(
        [*longer[:start], *longer[start + more :]] == [*shorter] for start in range(len(shorter) + 1)
    )


def _text(parts: Sequence[Piece]) -> str:
    return " ".join(map(str, parts))
